import Foundation
import Synchronization

@testable import Cameo

/// A pipeline under a test's control: it begins suspended, and stops where the test wants.
final class Bench: Sendable {
    let pipeline: ImagePipeline
    private let hook: Hook

    final class Hook: Sendable {
        let actions = Mutex<[ImagePipeline.StageMark: @Sendable () -> Void]>([:])
        func call(_ mark: ImagePipeline.StageMark) { actions.withLock { $0.removeValue(forKey: mark) }?() }
    }

    init(
        store: ThumbnailStore? = nil, workers: Int = 2, isSuspended: Bool = true, prefetchLimit: Int = 256,
        hashes: (any ThumbHashKeeping)? = nil, features: ImagePipeline.Features = ImagePipeline.Features(),
        faces: FaceSearch? = nil
    ) {
        let hook = Hook()
        var configuration = ImagePipeline.Configuration()
        configuration.store = store
        configuration.hashes = hashes
        configuration.features = features
        configuration.faces = faces
        configuration.workers = workers
        configuration.pressure = nil
        configuration.prefetchLimit = prefetchLimit
        configuration.onStage = { hook.call($0) }
        self.hook = hook
        pipeline = ImagePipeline(configuration)
        pipeline.queue.isSuspended = isSuspended
    }

    /// Does `action` the next time that work comes to `mark`, in the thread that does the work.
    func at(_ mark: ImagePipeline.StageMark, _ action: @escaping @Sendable () -> Void) {
        hook.actions.withLock { $0[mark] = action }
    }

    /// Lets everything run to its end.
    func run() {
        pipeline.queue.isSuspended = false
        pipeline.waitUntilIdle()
    }

    var numbers: Statistics.Snapshot { pipeline.statistics }

    /// A picture of its own for each number.
    static func source(_ number: Int, _ size: PixelSize = PixelSize(width: 120, height: 90)) -> ImageSource {
        let pixels = PixelBuffer(
            size: size, filledWith: RGBColor(UInt8(number % 251), UInt8(number / 251 % 251), 90))
        guard let bytes = try? pixels.encoded(Encoding(.png)).bytes else { return .bytes([], name: "none") }
        return .bytes(bytes, name: "\(number).png")
    }

    static func request(
        _ number: Int, _ side: Int = 32, priority: Priority = .normal, delivery: Delivery = .final
    ) -> ImageRequest {
        ImageRequest(source(number), .thumbnail(PixelSize(square: side)), priority: priority, delivery: delivery)
    }
}

/// Writes down the events of a task as words.
final class Diary: Sendable {
    private let entries = Mutex<[String]>([])
    private let queue = DispatchQueue(label: "diary")

    init(_ task: ImageTask) {
        task.observe(on: queue) { [self] event in note(event) }
    }

    init() {}

    func note(_ event: ImageEvent) {
        let word =
            switch event {
            case .degraded: "degraded"
            case .finished: "finished"
            case .failed: "failed"
            case .cancelled: "cancelled"
            }
        entries.withLock { $0.append(word) }
    }

    /// What was heard by now.
    var words: [String] {
        queue.sync {}
        return entries.withLock { $0 }
    }
}
