/// What a worker process answers. Nothing of it is believed: it comes from where hostile files are decoded.
enum WorkerReply {
    /// The first word, with what of the sandbox could not be set up, and the version of what finds faces; nil for none.
    case ready(missing: [String], detector: String?)
    case opened(ImageHeader, cost: Int)
    case digest(String)
    case faces([DetectedFace])
    /// The pixels lie in the memory, one picture behind the other.
    case images([Image], warnings: [RenderWarning], hash: [UInt8], faces: [DetectedFace]?)
    case nothing
    case failed(RenderError)
    /// The answer lies in the memory, behind the pixels: it is too long for a message.
    case elsewhere(at: Int, count: Int)

    struct Image {
        let size: PixelSize
        let channels: Int
        let crop: PixelRect
        let focus: Focus

        /// Bytes of its pixels; nil where it is no picture that could have been asked for.
        var count: Int? {
            guard (1...Rendition.sideLimit).contains(size.width), (1...Rendition.sideLimit).contains(size.height),
                channels == 3 || channels == 4
            else { return nil }
            return size.area * channels
        }
    }
}

extension WorkerReply {
    /// Whether the answer about so many pictures is too long for a message, or might be.
    static func isLong(_ images: Int) -> Bool { images > 256 }

    /// Bytes that the answer about so many pictures takes where it lies in the memory: at most 96 a picture, and what a
    /// message could hold besides.
    static func room(_ images: Int) -> Int { isLong(images) ? 96 * images + WorkerChannel.messageLimit : 0 }
}

extension WorkerReply: WorkerMessage {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .ready(let missing, let detector):
            writer.write(0)
            writer.write(json: missing)
            writer.write(detector) { $0.write($1) }
        case .opened(let header, let cost):
            writer.write(1)
            writer.write(header)
            writer.write(cost)
        case .digest(let digest):
            writer.write(2)
            writer.write(digest)
        case .images(let images, let warnings, let hash, let faces):
            writer.write(3)
            writer.write(images.count)
            for image in images {
                writer.write(image.size)
                writer.write(image.channels)
                for component in image.crop.components { writer.write(component) }
                writer.write(image.focus)
            }
            writer.write(warnings.count)
            for warning in warnings { writer.write(warning.rawValue) }
            writer.write(hash)
            writer.write(faces) { $0.write(json: $1) }
        case .faces(let faces):
            writer.write(6)
            writer.write(json: faces)
        case .nothing: writer.write(4)
        case .failed(let error):
            writer.write(5)
            writer.write(json: error)
        case .elsewhere(let place, let count):
            writer.write(7)
            writer.write(place)
            writer.write(count)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        switch try reader.number() {
        case 0:
            self = .ready(
                missing: try reader.json([String].self),
                detector: try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() })
        case 1: self = .opened(try reader.header(), cost: try reader.count(upTo: 1 << 40))
        case 2: self = .digest(try reader.text())
        case 3:
            var images: [Image] = []
            for _ in 0..<(try reader.count(upTo: WorkerChannel.messageLimit)) {
                images.append(
                    Image(
                        size: try reader.size(), channels: try reader.number(), crop: try reader.area(),
                        focus: try reader.focus()))
            }
            var warnings: [RenderWarning] = []
            for _ in 0..<(try reader.count(upTo: WorkerChannel.messageLimit)) {
                warnings.append(try reader.choice(RenderWarning.self))
            }
            self = .images(images, warnings: warnings, hash: try reader.blob(), faces: try reader.faces())
        case 4: self = .nothing
        case 5: self = .failed(try reader.json(RenderError.self))
        case 6: self = .faces(try reader.knownFaces())
        case 7: self = .elsewhere(at: try reader.count(upTo: 1 << 40), count: try reader.count(upTo: 1 << 26))
        default: throw ByteReader.Malformed()
        }
    }
}
