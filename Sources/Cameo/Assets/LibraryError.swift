/// Why a library cannot do what was asked.
public enum LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A folder that was to be opened cannot be read, for the reason given.
    case unreadable(folder: String, reason: String)
    /// What was to be opened is no folder.
    case notAFolder(path: String)
    /// Nothing was named to be opened.
    case noFolders
    /// The task that scanned was cancelled. What it had found is in the catalog.
    case cancelled

    /// One sentence for people.
    public var description: String {
        switch self {
        case .unreadable(let folder, let reason): "\(folder): cannot be read: \(reason)"
        case .notAFolder(let path): "\(path): is no folder"
        case .noFolders: "no folder was named"
        case .cancelled: "the scan was cancelled"
        }
    }
}
