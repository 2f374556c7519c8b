/// What became of the catalog when a library was opened.
public enum CatalogState: Hashable, Sendable {
    /// It has not been opened yet.
    case unopened
    /// There was none; a new one was made.
    case created
    /// There was one, and it was read.
    case opened
    /// There was one that could not be read. It was renamed to `to`, and a new one was made.
    case setAside(to: FilePath, reason: Reason)
    /// None can be kept, for the reason given; every scan reads everything.
    case unavailable(reason: String)

    /// Why a catalog could not be read.
    public enum Reason: Hashable, Sendable {
        /// It is not what was written.
        case damaged
        /// A newer Cameo wrote it.
        case newer
    }
}
