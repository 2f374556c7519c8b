import CGlibc
import Cameo
import Foundation
import Glibc

/// All that replays in real time are made with: a library, its traces, warm caches.
package final class Workshop {
    /// The library.
    package private(set) var library: BenchmarkLibrary
    /// The traces, by name.
    package let plans: [String: ScrollPlan]
    /// Tables of pixels, where an engine wants them.
    package private(set) var table: PixelTable?
    private let scratch: URL
    private let warmStore: FilePath
    private let coldStore: URL

    /// A workshop for `count` assets out of the photos in `photos`, with files in `scratch`.
    package init(
        photos: URL, count: Int, traces: [Trace], scratch: URL, progress: (String, Int, Int) -> Void
    ) throws {
        self.scratch = scratch
        library = try BenchmarkLibrary(photos: photos, count: count, scratch: scratch)
        plans = try Dictionary(uniqueKeysWithValues: traces.map { ($0.name, try ScrollPlan($0, count: count)) })
        warmStore = FilePath(scratch.appending(path: "store-warm-\(count)").path)
        coldStore = scratch.appending(path: "store-cold-\(getpid())")
        let touched = plans.values.reduce(into: Set<Int>()) { $0.formUnion($1.touched) }
        try library.makeFiles(of: touched) { progress("Copying photos", $0, $1) }
    }

    deinit { try? FileManager.default.removeItem(at: coldStore) }

    /// Fills the store that warm replays read: all that the traces show or fetch ahead.
    package func fillStore(progress: (String, Int, Int) -> Void) {
        for plan in plans.values.sorted(by: { $0.trace.name < $1.trace.name }) {
            for (columns, cells) in plan.touchedByColumns {
                guard let layout = plan.layouts[columns] else { continue }
                let pipeline = ImagePipeline(configuration(store: warmStore))
                let rendition = plan.screen.rendition(layout)
                let tasks = cells.sorted().map {
                    pipeline.start(
                        ImageRequest(
                            library.assets[$0], rendition, priority: .batch, delivery: .final,
                            caching: [.readsDisk, .writesDisk]))
                }
                for (number, task) in tasks.enumerated() {
                    progress("Filling the thumbnail store", number, tasks.count)
                    while !task.isDone { usleep(2000) }
                }
                pipeline.waitUntilIdle()
            }
        }
    }

    /// Makes the tables of pixels.
    package func makeTable() throws {
        table = try PixelTable(Array(plans.values), library, in: scratch.appending(path: "tables-\(getpid())"))
        // They stay as long as they are mapped.
        try? FileManager.default.removeItem(at: scratch.appending(path: "tables-\(getpid())"))
    }

    /// Makes one replay in real time. Nil where the engine has nothing to do with the state.
    package func replay(_ spec: RunSpec) throws -> Measurement? {
        guard let plan = plans[spec.trace], let engine = try engine(spec, plan) else { return nil }
        malloc_trim(0)
        let watch = ProcessWatch()
        let display = RealDisplay(rate: spec.rate)
        var loop = FrameLoop(plan, engine)
        let tracker = loop.run(on: display)
        let (process, cpu) = watch.end()
        let figures = engine.finish()
        var measured = Measurement(tracker, figures) { library.photos[library.photo(of: $0)].hasPreview }
        measured.process = process
        measured.cpuSeconds = cpu
        measured.jumps = tracker.jumps(of: plan, figures.decodeSpans, since: display.start)
        if spec.engine == .cameo, spec.state == .cold {
            for index in measured.jumps.indices {
                let position = plan.position(at: measured.jumps[index].at)
                measured.jumps[index].batch = try batch(plan.visible(at: position), plan, position) * 1000
            }
        }
        return measured
    }

    /// Seconds that a batch run takes for `cells` from a cold start.
    private func batch(_ cells: Range<Int>, _ plan: ScrollPlan, _ position: ScrollPlan.Position) throws -> Double {
        guard let layout = plan.layouts[position.columns] else { return 0 }
        library.dropFromMemory(Set(cells))
        let pipeline = ImagePipeline(configuration(store: emptyStore()))
        let rendition = plan.screen.rendition(layout)
        let start = monotonic()
        let tasks = cells.map {
            pipeline.start(ImageRequest(library.assets[$0], rendition, priority: .batch, delivery: .final))
        }
        for task in tasks { while !task.isDone { usleep(500) } }
        let seconds = Double(monotonic() - start) / 1e9
        pipeline.waitUntilIdle()
        return seconds
    }

    private func engine(_ spec: RunSpec, _ plan: ScrollPlan) throws -> (any GridEngine)? {
        let touched = plan.touched
        if spec.state == .cold { library.dropFromMemory(touched) } else { library.readIntoMemory(touched) }
        switch spec.engine {
        case .naive: return spec.state == .warmMemory ? nil : NaiveEngine(library.assets)
        case .queue: return spec.state == .warmMemory ? nil : QueueEngine(library.assets)
        case .table:
            guard let table, spec.state != .warmMemory else { return nil }
            if spec.state == .cold { table.dropFromMemory() } else { table.readIntoMemory() }
            return TableEngine(table)
        default:
            var configuration = configuration(store: spec.state == .cold ? emptyStore() : warmStore)
            if spec.state == .warmMemory { configuration.memoryLimit = 2 << 30 }
            let engine = CameoEngine(
                library.assets, configuration, features: spec.engine.features ?? CameoEngine.Features())
            if spec.state == .warmMemory { fillMemory(of: engine.pipeline, plan) }
            return engine
        }
    }

    private func fillMemory(of pipeline: ImagePipeline, _ plan: ScrollPlan) {
        for (columns, cells) in plan.shown {
            guard let layout = plan.layouts[columns] else { continue }
            for cell in cells.sorted() {
                _ = pipeline.start(
                    ImageRequest(
                        library.assets[cell], plan.screen.rendition(layout), priority: .batch, delivery: .final))
            }
        }
        pipeline.waitUntilIdle()
    }

    private func configuration(store: FilePath) -> ImagePipeline.Configuration {
        var configuration = ImagePipeline.Configuration()
        configuration.store = ThumbnailStore(folder: store)
        configuration.pressure = nil
        return configuration
    }

    private func emptyStore() -> FilePath {
        try? FileManager.default.removeItem(at: coldStore)
        return FilePath(coldStore.path)
    }
}
