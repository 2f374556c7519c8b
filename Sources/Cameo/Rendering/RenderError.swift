/// Why a picture could not be rendered. Every case names the source and says what is the matter with it.
public enum RenderError: Error, Hashable, Codable, Sendable {
    /// The file cannot be opened or read, or is no regular file.
    case unreadable(source: String, reason: String)
    /// The file has no bytes.
    case empty(source: String)
    /// The content is no picture that anybody knows.
    case notAnImage(source: String)
    /// A picture in a format that is not read, or not allowed; `format` is its name.
    case unsupported(source: String, format: String)
    /// A picture whose data yields no pixels; `detail` is what the decoder says, for people.
    case corrupt(source: String, detail: String)
    /// More pixels, bytes or scans than the limits allow.
    case tooLarge(source: String, reason: String)
    /// Not done within the time allowed.
    case timedOut(source: String, seconds: Double)
    /// The picture ended the process that decoded it, by `reason`.
    case crashed(source: String, reason: String)
    /// Only parts of the source are known (`ImageSource.sparse`), and more of it is needed.
    case incomplete(source: String)
    /// The caller does not want it any more.
    case cancelled(source: String)
    /// What was asked for makes no sense for this picture.
    case invalidRendition(source: String, reason: String)
    /// The machine failed: out of memory, or libvips would not start.
    case environment(reason: String)

    /// The word for the case in results: `unreadable`, `empty`, `notAnImage`, …
    public var kind: String {
        switch self {
        case .unreadable: "unreadable"
        case .empty: "empty"
        case .notAnImage: "notAnImage"
        case .unsupported: "unsupported"
        case .corrupt: "corrupt"
        case .tooLarge: "tooLarge"
        case .timedOut: "timedOut"
        case .crashed: "crashed"
        case .incomplete: "incomplete"
        case .cancelled: "cancelled"
        case .invalidRendition: "invalidRendition"
        case .environment: "environment"
        }
    }
}

extension RenderError: CustomStringConvertible {
    /// One sentence for people, beginning with the source.
    public var description: String {
        switch self {
        case .unreadable(let source, let reason): "\(source): cannot be read: \(reason)"
        case .empty(let source): "\(source): the file is empty"
        case .notAnImage(let source): "\(source): not an image"
        case .unsupported(let source, let format): "\(source): \(format) is not supported"
        case .corrupt(let source, let detail):
            detail.isEmpty ? "\(source): the image is corrupt" : "\(source): the image is corrupt: \(detail)"
        case .tooLarge(let source, let reason): "\(source): too large: \(reason)"
        case .timedOut(let source, let seconds): "\(source): not done within \(seconds) s"
        case .crashed(let source, let reason): "\(source): decoding it crashed: \(reason)"
        case .incomplete(let source): "\(source): only parts of it are known, and more is needed"
        case .cancelled(let source): "\(source): cancelled"
        case .invalidRendition(let source, let reason): "\(source): \(reason)"
        case .environment(let reason): reason
        }
    }
}
