/// What finds faces.
///
/// An app may supply one of its own, such as a neural network or the system's. Every thread that renders may call it
/// at once.
public protocol FaceDetecting: Sendable {
    /// Changes whenever other faces may be found in the same picture: what was found before is then forgotten.
    var version: String { get }

    /// The longer sides, in pixels, of the copies to search, smallest first, one after the other until one has a face in
    /// it that is at least a tenth of that side wide. Pictures that are smaller are enlarged, up to four times.
    var searchSides: [Int] { get }

    /// The faces in an upright picture, in any order.
    func faces(in picture: GreyPixels) throws(FaceDetectionError) -> [DetectedFace]

    /// Does what takes time once, such as loading a model, as far as it needs no threads: called in a process that
    /// worker processes are then copied from. Does nothing unless a detector says otherwise.
    func prepare()
}

extension FaceDetecting {
    /// Does nothing.
    public func prepare() {}
}

/// A detector could not do its work; the text is for people.
public struct FaceDetectionError: Error, Hashable, CustomStringConvertible {
    /// Why.
    public let reason: String

    /// An error.
    public init(reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}

/// What was found in pictures, kept from one search to the next, so that none is searched twice.
public protocol FaceRemembering: Sendable {
    /// The faces of the file that had this stamp, as far as this version of a detector searched it; empty where it
    /// found none, nil where it never searched.
    func faces(of stamp: ContentStamp, detector version: String) -> [DetectedFace]?

    /// Keeps what was found. It may be forgotten at any time.
    func remember(_ faces: [DetectedFace], of stamp: ContentStamp, detector version: String)
}
