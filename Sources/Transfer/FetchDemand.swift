/// What of a resource is wanted, as its first bytes tell.
public enum FetchDemand: Hashable, Sendable {
    /// Nothing more: it is not worth reading.
    case nothing
    /// All of it.
    case whole
    /// Its first so many bytes, before more can be told.
    case head(Int)
    /// What is there, and its last so many bytes.
    case enough(tail: Int)
}
