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
