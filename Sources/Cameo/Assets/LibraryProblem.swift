/// Something in a library that could not be looked at; the rest of the library is there all the same.
public struct LibraryProblem: Hashable, Sendable {
    /// The file or folder.
    public let path: FilePath
    /// Why, for people.
    public let reason: String
}
