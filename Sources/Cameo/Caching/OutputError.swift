import Glibc

/// Why something could not be written.
public enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The disk or the quota is full.
    case diskFull(path: String)
    /// The path cannot be written, for the reason given.
    case notWritable(path: String, reason: String)

    init(_ path: FilePath, _ code: Int32) {
        self =
            code == ENOSPC || code == EDQUOT
            ? .diskFull(path: path.description) : .notWritable(path: path.description, reason: errorText(code))
    }

    /// One sentence for people, beginning with the path.
    public var description: String {
        switch self {
        case .diskFull(let path): "\(path): the disk is full"
        case .notWritable(let path, let reason): "\(path): cannot be written: \(reason)"
        }
    }
}
