/// How a renderer finds faces: by a detector, and by what is remembered of earlier searches.
public struct FaceSearch: Sendable {
    /// Finds faces.
    public let detector: any FaceDetecting
    /// Keeps them; nil keeps nothing.
    public let memory: (any FaceRemembering)?

    /// A search by `detector`.
    public init(_ detector: any FaceDetecting, memory: (any FaceRemembering)? = nil) {
        self.detector = detector
        self.memory = memory
    }

    /// The longer side of the first copy.
    var firstSide: Int { max(1, detector.searchSides.first ?? 1) }
    /// The longer side of the last copy, which is the largest.
    var lastSide: Int { max(1, detector.searchSides.last ?? 1) }

    /// What is remembered of a file. A racy stamp may be of several contents and is never asked for.
    func remembered(_ stamp: ContentStamp?) -> [DetectedFace]? {
        guard let stamp, !stamp.isRacy else { return nil }
        return memory?.faces(of: stamp, detector: detector.version).map(Self.believed)
    }

    /// As many faces are reckoned with at most, the first ones.
    static let limit = 256

    /// Detectors and memories are anybody's: of what they say, faces that can be reckoned with, and not too many.
    static func believed(_ faces: [DetectedFace]) -> [DetectedFace] {
        Array(faces.lazy.filter(\.isPlausible).prefix(limit))
    }

    /// Faces that are all narrower than this share of the longer side suggest others that are smaller still.
    private static let smallFace = 0.1

    /// Searches copies of a picture, made by `copy`, until one has a face of some size in it. The main face comes first.
    func faces(
        stamp: ContentStamp?, of copy: (_ longerSide: Int) throws(FaceDetectionError) -> GreyPixels
    ) throws(FaceDetectionError) -> [DetectedFace] {
        var found: [DetectedFace] = []
        for side in detector.searchSides {
            let picture = try copy(side)
            let faces = Self.believed(try detector.faces(in: picture))
            if faces.count >= found.count { found = faces }
            let scale = Double(picture.size.width) / Double(max(picture.size.width, picture.size.height))
            if found.contains(where: { $0.width * scale >= Self.smallFace }) { break }
        }
        found.sort { $0.weight > $1.weight }
        found = Self.believed(found)
        remember(found, of: stamp)
        return found
    }

    /// Keeps what was found in a file, but not of a racy stamp.
    func remember(_ found: [DetectedFace], of stamp: ContentStamp?) {
        if let stamp, !stamp.isRacy { memory?.remember(found, of: stamp, detector: detector.version) }
    }
}
