import Glibc

/// Why something could not be written.
public enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The disk or the quota is full.
    case diskFull(path: String)
    /// The path cannot be written, for the reason given.
    case notWritable(path: String, reason: String)

    /// No file can have this name there: it is too long, or a folder is in the way. Others may still be written.
    case unusableName(path: String, reason: String)

    init(_ path: FilePath, _ code: Int32) {
        let name = path.description
        self =
            switch code {
            case ENOSPC, EDQUOT: .diskFull(path: name)
            case ENAMETOOLONG, EISDIR, ENOTDIR, EEXIST, ELOOP: .unusableName(path: name, reason: errorText(code))
            default: .notWritable(path: name, reason: errorText(code))
            }
    }

    /// One sentence for people, beginning with the path.
    public var description: String {
        switch self {
        case .diskFull(let path): "\(path): the disk is full"
        case .notWritable(let path, let reason), .unusableName(let path, let reason):
            "\(path): cannot be written: \(reason)"
        }
    }
}
