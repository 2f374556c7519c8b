/// What keeps a thumbnail store from doing its work. Rendering goes on without it.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The disk is full; what is there can still be read.
    case diskFull(path: String)
    /// Nothing can be written there; what is there can still be read.
    case readOnly(path: String, reason: String)
    /// The file is a database of another program. It is left alone and nothing is stored.
    case foreign(path: String)
    /// The file was damaged. It was set aside and a new one begun.
    case damaged(path: String, setAside: String)
    /// Nothing can be read or written there.
    case unavailable(path: String, reason: String)

    /// Which case it is, so that each is told once.
    var kind: Int {
        switch self {
        case .diskFull: 0
        case .readOnly: 1
        case .foreign: 2
        case .damaged: 3
        case .unavailable: 4
        }
    }

    /// One sentence for people, beginning with the path.
    public var description: String {
        switch self {
        case .diskFull(let path): "\(path): the disk is full, so no more thumbnails are kept"
        case .readOnly(let path, let reason): "\(path): cannot be written, so no thumbnails are kept: \(reason)"
        case .foreign(let path): "\(path): a database of another program; choose another folder for thumbnails"
        case .damaged(let path, let aside): "\(path): was damaged; it lies in \(aside) now, and a new one was begun"
        case .unavailable(let path, let reason): "\(path): cannot be used: \(reason)"
        }
    }
}
