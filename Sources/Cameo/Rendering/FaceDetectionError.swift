/// A detector could not do its work; the text is for people.
public struct FaceDetectionError: Error, Hashable, CustomStringConvertible {
    /// Why.
    public let reason: String

    /// An error.
    public init(reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}
