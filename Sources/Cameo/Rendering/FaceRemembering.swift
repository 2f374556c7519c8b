/// What was found in pictures, kept from one search to the next, so that none is searched twice.
public protocol FaceRemembering: Sendable {
    /// The faces of the file that had this stamp, as far as this version of a detector searched it; empty where it
    /// found none, nil where it never searched.
    func faces(of stamp: ContentStamp, detector version: String) -> [DetectedFace]?

    /// Keeps what was found. It may be forgotten at any time.
    func remember(_ faces: [DetectedFace], of stamp: ContentStamp, detector version: String)
}
