import Cameo
import Foundation

/// Replays in virtual time, without a thread of its own: the same each time, to the last count.
package struct VirtualReplay {
    /// The assets; their files must be there.
    package var assets: [Asset]
    /// The screen.
    package var screen = Screen()
    /// Frames a second.
    package var rate = 120
    /// What is switched on.
    package var features = CameoEngine.Features()
    /// Thumbnails on disk; nil for none.
    package var store: ThumbnailStore?
    /// What work costs.
    package var costs = VirtualWorker.Costs()
    /// The most bytes of pictures in memory.
    package var memoryLimit = 256 << 20

    /// A replay against `assets`.
    package init(_ assets: [Asset]) { self.assets = assets }

    /// Replays `trace`; times in the measurement are those of the virtual clock.
    package func run(_ trace: Trace) throws -> Measurement {
        let plan = try ScrollPlan(trace, count: assets.count, screen: screen)
        var configuration = ImagePipeline.Configuration()
        configuration.store = store
        configuration.workers = 1
        configuration.pressure = nil
        configuration.memoryLimit = memoryLimit
        let engine = CameoEngine(assets, configuration, features: features)
        engine.pipeline.setSuspended(true)
        var worker = VirtualWorker(engine.pipeline, costs)
        let display = VirtualDisplay(rate: rate) { worker.work(until: $0) }
        var loop = FrameLoop(plan, engine)
        let tracker = loop.run(on: display)
        var figures = engine.finish()
        // Real times, which differ each time.
        figures.stages = [:]
        figures.cancelSeconds = []
        return Measurement(tracker, figures) { _ in true }
    }
}
