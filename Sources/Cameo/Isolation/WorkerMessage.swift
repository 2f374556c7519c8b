import CGlibc
import FoundationEssentials
import Glibc

/// What is asked of a worker process.
enum WorkerRequest: Codable {
    /// Open the file that comes with this, which is not known within `hole`.
    case open(name: String, hole: Range<Int>?, options: RenderOptions, renditions: [Rendition])
    /// The digest of what is open.
    case digest
    /// What can stand in for these renditions, into the memory that comes with this.
    case standIns([Rendition], StandIn)
    /// The renditions, into the memory that comes with this; with the faces of the picture, where they are known.
    case render([Rendition], hashes: Bool, searchesFaces: Bool, knownFaces: [DetectedFace]?)
    /// Let go of what is open.
    case release
}

/// What a worker process answers. Nothing of it is believed: it comes from where hostile files are decoded.
enum WorkerReply: Codable {
    /// The first word, with what of the sandbox could not be set up.
    case ready(missing: [String])
    case opened(ImageHeader, cost: Int)
    case digest(String)
    /// The pixels lie in the memory, one picture behind the other.
    case images([Image], warnings: [RenderWarning], hash: [UInt8], faces: [DetectedFace]?)
    case nothing
    case failed(RenderError)

    struct Image: Codable {
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

/// One end of the socket between a host and a worker: whole messages, each with a file beside it or without.
struct WorkerChannel {
    /// More than a header and its texts take; a worker that sends more is not believed.
    static let messageLimit = 128 << 10

    let socket: Int32

    /// Sends `message`; false where the other end is gone.
    func send(_ message: some Encodable, file: Int32 = -1) -> Bool {
        guard let data = try? JSONEncoder().encode(message), data.count <= Self.messageLimit else { return false }
        return Array(data).withUnsafeBytes { bytes in
            while true {
                let sent = cglibc_send(socket, bytes.baseAddress, bytes.count, file)
                if sent >= 0 || errno != EINTR { return sent == bytes.count }
            }
        }
    }

    /// The next message and its file, -1 for none; nil where the other end is gone or makes no sense.
    func receive<Message: Decodable>(_ type: Message.Type) -> (message: Message, file: Int32)? {
        var bytes = [UInt8](repeating: 0, count: Self.messageLimit)
        var file: Int32 = -1
        var got = 0
        repeat {
            got = bytes.withUnsafeMutableBytes { cglibc_receive(socket, $0.baseAddress, $0.count, &file) }
        } while got < 0 && errno == EINTR
        guard got > 0, let message = try? JSONDecoder().decode(type, from: Data(bytes.prefix(got))) else {
            if file >= 0 { close(file) }
            return nil
        }
        return (message, file)
    }
}
