/// What is asked of a worker process.
enum WorkerRequest {
    /// The first word, with the page that both see.
    case begin
    /// What the requests after this are about. There is no answer.
    case settings(WorkerSettings)
    /// Open the file that comes with this, which is not known within `hole`.
    case open(name: String, hole: Range<Int>?)
    /// The digest of what is open.
    case digest
    /// The faces in what is open.
    case faces
    /// What can stand in for the renditions, into the memory that comes with this.
    case standIns(StandIn)
    /// The renditions, into the memory that comes with this; with the faces of the picture, where they are known.
    case render(hashes: Bool, searchesFaces: Bool, knownFaces: [DetectedFace]?)
    /// Let go of what is open. There is no answer.
    case release
}

extension WorkerRequest: WorkerMessage {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .settings(let settings):
            writer.write(0)
            writer.write(json: settings)
        case .open(let name, let hole):
            writer.write(1)
            writer.write(name)
            writer.write(hole) { writer, hole in
                writer.write(hole.lowerBound)
                writer.write(hole.upperBound)
            }
        case .digest: writer.write(2)
        case .standIns(let standIn):
            writer.write(3)
            writer.write(standIn.rawValue)
        case .render(let hashes, let searchesFaces, let knownFaces):
            writer.write(4)
            writer.write(hashes)
            writer.write(searchesFaces)
            writer.write(knownFaces) { $0.write(json: $1) }
        case .release: writer.write(5)
        case .begin: writer.write(6)
        case .faces: writer.write(7)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.number() {
        case 0: self = .settings(try reader.json(WorkerSettings.self))
        case 1:
            self = .open(
                name: try reader.text(),
                hole: try reader.optional { reader throws(ByteReader.Malformed) in try reader.range() })
        case 2: self = .digest
        case 3: self = .standIns(try reader.choice(StandIn.self))
        case 4:
            self = .render(
                hashes: try reader.isTrue(), searchesFaces: try reader.isTrue(), knownFaces: try reader.faces())
        case 5: self = .release
        case 6: self = .begin
        case 7: self = .faces
        default: throw ByteReader.Malformed()
        }
    }
}
