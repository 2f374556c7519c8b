import Cameo
import Synchronization

/// The pipeline as a grid uses it: memory at once, the rest by a task a cell that is asked each frame how far it is.
package final class CameoEngine: GridEngine {
    /// What is switched on.
    package struct Features: Hashable, Sendable {
        /// The pipeline's own switches.
        package var pipeline = ImagePipeline.Features()
        /// Whether cells are fetched ahead.
        package var prefetches = true
        /// Whether stand-ins are shown.
        package var showsStandIns = true

        /// All on.
        package init() {}
    }

    /// What runs behind it.
    package let pipeline: ImagePipeline
    private let assets: [Asset]
    private let features: Features
    private let prefetcher: Prefetcher
    private let surface = Surface()
    private let log: DecodeLog
    private var rendition = Rendition(size: PixelSize(square: 1))
    private var tasks: [Int: ImageTask] = [:]
    private var ready: [Int: PipelineImage] = [:]

    /// An engine for `assets`, on a pipeline that is made of `configuration`.
    package init(_ assets: [Asset], _ configuration: ImagePipeline.Configuration, features: Features = Features()) {
        let log = DecodeLog()
        var configuration = configuration
        configuration.features = features.pipeline
        configuration.onDecode = { log.note($0) }
        self.log = log
        self.assets = assets
        self.features = features
        pipeline = ImagePipeline(configuration)
        prefetcher = Prefetcher(pipeline)
    }

    package func setLayout(_ layout: GridLayout, _ rendition: Rendition) {
        // What was fetched ahead is of the old size.
        if features.prefetches { prefetcher.stopAll() }
        self.rendition = rendition
    }

    package func enter(_ cell: Int) {
        let request = ImageRequest(
            assets[cell], rendition, priority: .visible, delivery: features.showsStandIns ? .opportunistic : .final)
        if let image = pipeline.cachedImage(for: request) {
            ready[cell] = image
        } else {
            tasks[cell] = pipeline.start(request)
        }
    }

    package func leave(_ cell: Int) {
        ready[cell] = nil
        guard let task = tasks.removeValue(forKey: cell), !task.isDone else { return }
        log.cancels(assets[cell].id)
        task.cancel()
    }

    package func picture(of cell: Int) -> CellPicture {
        if let image = ready.removeValue(forKey: cell) { return shown(image) }
        switch tasks[cell]?.lastEvent {
        case .degraded(let image), .finished(let image): return shown(image)
        case .failed: return .failed
        case .cancelled, nil: return .blank
        }
    }

    private func shown(_ image: PipelineImage) -> CellPicture {
        image.pixels.bytes.withUnsafeBytes { surface.show($0) }
        switch image.origin {
        case .memory: return image.isDegraded ? .degraded(.otherSize) : .final(.memory)
        case .disk: return .final(.disk)
        case .rendered: return .final(.rendered)
        case .embeddedPreview, .eighth: return .degraded(.preview)
        case .thumbHash: return .degraded(.blur)
        }
    }

    package func scrolled(_ window: PrefetchWindow, visible: Range<Int>) {
        if features.prefetches { prefetcher.follow(window, of: assets, visible: visible, rendition) }
    }

    package func finish() -> EngineFigures {
        prefetcher.stopAll()
        tasks.values.forEach { $0.cancel() }
        tasks = [:]
        pipeline.waitUntilIdle()
        let numbers = pipeline.statistics
        var figures = EngineFigures()
        figures.decodes = numbers.decodes
        figures.wasted = max(0, numbers.decodes - (numbers.rendered - numbers.wasted))
        figures.cancelledBefore = numbers.cancelledBefore
        figures.cancelledDuring = numbers.cancelledDuring
        figures.coalesced = numbers.coalesced
        figures.diskHits = numbers.diskHits
        figures.standIns = numbers.degraded
        figures.failed = numbers.failed
        figures.cancelSeconds = log.cancelSeconds
        let counters = pipeline.counters
        for (name, stage) in [
            ("waiting", counters.waiting), ("lookup", counters.lookup), ("peeking", counters.peeking),
            ("skimming", counters.skimming),
            ("opening", counters.opening), ("rendering", counters.rendering), ("encoding", counters.encoding),
        ] {
            figures.stages[name] = [Double(stage.count), stage.quantile(0.5) * 1000, stage.quantile(0.99) * 1000]
        }
        figures.decodeSpans = log.spans(of: assets)
        return figures
    }
}

/// The decodes of a replay, and how long it took to stop those that were called off.
private final class DecodeLog: Sendable {
    private struct State {
        var reports: [ImagePipeline.DecodeReport] = []
        var calledOff: [Asset.ID: UInt64] = [:]
        var cancelSeconds: [Double] = []
    }

    /// Guards the notes; held for one of them.
    private let state = Mutex(State())

    func note(_ report: ImagePipeline.DecodeReport) {
        state.withLock { state in
            state.reports.append(report)
            guard report.isCancelled, case .asset(let id) = report.identity, let asked = state.calledOff[id],
                asked >= report.start
            else { return }
            state.cancelSeconds.append(Double(report.end - min(report.end, asked)) / 1e9)
        }
    }

    func cancels(_ id: Asset.ID) { state.withLock { $0.calledOff[id] = monotonic() } }

    var cancelSeconds: [Double] { state.withLock { $0.cancelSeconds } }

    func spans(of assets: [Asset]) -> [DecodeSpan] {
        let reports = state.withLock { $0.reports }
        let cells = Dictionary(assets.indices.map { (assets[$0].id, $0) }) { first, _ in first }
        return reports.compactMap { report in
            guard case .asset(let id) = report.identity, let cell = cells[id] else { return nil }
            return DecodeSpan(cell: cell, start: report.start, end: report.end)
        }
    }
}
