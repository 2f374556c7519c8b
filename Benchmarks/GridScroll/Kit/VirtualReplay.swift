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

    /// A library of `count` assets that show the photos in `folder` again and again, by their names; nil where there is none.
    package static func assets(of folder: URL, count: Int) throws -> [Asset] {
        let photos = try BenchmarkLibrary.photos(in: folder)
        guard let date = CaptureDate(exif: "2026:01:01 12:00:00"), !photos.isEmpty else {
            throw BenchmarkError.noPhotos(folder.path)
        }
        return try (0..<count).map { index in
            let photo = photos[index % photos.count]
            guard let stamp = ContentStamp(path: photo.path) else {
                throw BenchmarkError.file("\(photo.path)", "gone")
            }
            return Asset(
                id: Asset.ID("cell\(index)"), path: photo.path, uprightSize: nil, date: date, dateSource: .file,
                bytes: photo.bytes, stamp: stamp)
        }
    }

    /// Replays `trace`; times in the measurement are those of the virtual clock.
    package func run(_ trace: Trace) throws -> Measurement {
        var (tracker, figures) = try tracker(trace)
        // Real times, which differ each time.
        figures.stages = [:]
        figures.cancelSeconds = []
        return Measurement(tracker, figures) { _ in true }
    }

    /// What became of each cell, and what the engine did.
    func tracker(_ trace: Trace) throws -> (tracker: CellTracker, figures: EngineFigures) {
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
        return (tracker, engine.finish())
    }
}
