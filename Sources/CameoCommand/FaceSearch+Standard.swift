import Cameo
import FaceDetection

extension FaceSearch {
    /// The one detector of the process. What it finds is kept in the user's cache.
    static let standard = FaceSearch(FrontalFaceDetector(), memory: FaceStore.standard)
}

extension DetectedFace {
    /// `[x, y, width, height]` in upright pixels, and the confidence to a hundredth.
    func numbers(in upright: PixelSize) -> [Double] {
        rect(in: upright).components.map(Double.init) + [(confidence * 100).rounded() / 100]
    }
}
