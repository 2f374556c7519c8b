/// What a host and a nursery say to each other.
enum WorkerBirth: WorkerMessage {
    /// The nursery has started.
    case ready
    /// The host wants a worker, whose socket comes with this.
    case wanted(searchesFaces: Bool)
    /// The worker's number; negative where there is none.
    case born(Int)

    func write(to writer: inout ByteWriter) {
        switch self {
        case .ready: writer.write(0)
        case .wanted(let searchesFaces):
            writer.write(1)
            writer.write(searchesFaces)
        case .born(let process):
            writer.write(2)
            writer.write(process)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.number() {
        case 0: self = .ready
        case 1: self = .wanted(searchesFaces: try reader.isTrue())
        case 2: self = .born(try reader.number())
        default: throw ByteReader.Malformed()
        }
    }
}
