/// Where a picture's bytes come from.
public enum ImageSource: Hashable, Sendable {
    /// A file.
    case file(FilePath)
    /// Bytes in memory, with a name for messages.
    case bytes([UInt8], name: String)
    /// Parts of a source in memory, with a name for messages.
    case sparse(SparseBytes, name: String)

    /// What messages call the source.
    public var name: String {
        switch self {
        case .file(let path): path.description
        case .bytes(_, let name), .sparse(_, let name): name
        }
    }
}
