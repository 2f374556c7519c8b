import CFaceDetection
import Cameo
import Synchronization

/// dlib's detector of faces that are turned to the viewer, by histograms of gradients. It finds faces from about 10 %
/// of the picture's longer side, with a second search from 4 %; no profiles, no faces that lie or look down.
///
/// Any number of threads may use one: each search takes a detector from a pool, or a copy of the first where all are
/// in use, and puts it back.
public final class FrontalFaceDetector: FaceDetecting {
    /// A detector that was created, alone in its scratch memory.
    ///
    /// `@unchecked Sendable`: whoever took it out of the pool is the only one to have it.
    private final class Instance: @unchecked Sendable {
        let handle: OpaquePointer

        init?(_ handle: OpaquePointer?) {
            guard let handle else { return nil }
            self.handle = handle
        }

        deinit { cface_destroy(handle) }
    }

    private struct Pool {
        /// What copies are made of: it is never searched with. Nil until the first search.
        var original: Instance?
        var idle: [Instance] = []
    }

    /// Whether the faster of two builds is used, which needs AVX2 and FMA.
    public let isFast: Bool
    private let pool = Mutex(Pool())

    /// dlib's score of the faintest face that is reported. The more places there are to find a face at, the more false
    /// alarms there are of one score.
    private static func threshold(longerSide: Int) -> Double { longerSide > 600 ? -0.15 : -0.25 }
    /// As many faces are reported at most.
    private static let limit = 256

    /// A detector; the model, 0.2 s of work, is unpacked at the first search.
    ///
    /// - Parameter allowsFast: Whether AVX2 and FMA may be used where the processor has them.
    public init(allowsFast: Bool = true) {
        isFast = allowsFast && cface_can_be_fast() != 0
    }

    /// What the found faces depend on. Both builds count as one: they find the same boxes, at confidences
    /// that differ by less than 0.0001.
    public var version: String { "dlib-frontal-1" }

    /// 400 pixels, where the smallest face that the model knows is a tenth of the side, and 960 where none is found there.
    public var searchSides: [Int] { [400, 960] }

    /// Searches `picture`. About 30 ms for 400 × 300 pixels.
    public func faces(in picture: GreyPixels) throws(FaceDetectionError) -> [DetectedFace] {
        let instance = try taken()
        defer { pool.withLock { $0.idle.append(instance) } }
        var boxes = [cface_box](repeating: cface_box(), count: Self.limit)
        let count = cface_search(
            instance.handle, picture.bytes, Int32(picture.size.width), Int32(picture.size.height),
            Self.threshold(longerSide: max(picture.size.width, picture.size.height)), &boxes, Int32(Self.limit))
        guard count >= 0 else { throw FaceDetectionError(reason: "dlib could not search \(picture.size) pixels") }
        let (width, height) = (Double(picture.size.width), Double(picture.size.height))
        return boxes.prefix(Int(count)).map { box in
            DetectedFace(
                x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height,
                confidence: Self.confidence(box.score))
        }
    }

    /// Scores from −0.8 to 2.2 as 0 to 1. Faces that look straight out of a good photo have 1 to 3.
    private static func confidence(_ score: Double) -> Double { min(1, max(0, (score + 0.8) / 3)) }

    /// Unpacks the model.
    public func prepare() { pool.withLock { makeOriginal(&$0) } }

    private func makeOriginal(_ pool: inout Pool) {
        if pool.original == nil { pool.original = Instance(cface_create(isFast ? 1 : 0)) }
    }

    private func taken() throws(FaceDetectionError) -> Instance {
        let instance = pool.withLock { pool -> Instance? in
            if let idle = pool.idle.popLast() { return idle }
            makeOriginal(&pool)
            return pool.original.flatMap { Instance(cface_copy($0.handle)) }
        }
        guard let instance else { throw FaceDetectionError(reason: "no memory is left for a face detector") }
        return instance
    }
}
