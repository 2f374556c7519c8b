import Glibc
import Synchronization

/// Opens and decodes sources in worker processes, one source a process at a time.
///
/// Workers are started as they are needed and kept for the next source. A source that ended its worker is never given
/// to another one.
final class WorkerPool: SourceOpening {
    private struct State {
        var idle: [WorkerProcess] = []
        var offenders: [Offender: RenderError] = [:]
        /// How long those of them are that were in memory: only what is as long has to be looked at.
        var offendingCounts: Set<Int> = []
        var hasToldOfSandbox = false
    }

    private let nursery: WorkerNursery
    private let rounds = WorkerRounds()
    private let options: RenderOptions
    private let faces: FaceSearch?
    private let isRequired: Bool
    private let onWeakness: (@Sendable (String) -> Void)?
    /// Guards which workers are idle and what ended one. Held for a look only.
    private let state = Mutex(State())

    /// Sources after which a worker is replaced, so that what a codec leaks does not add up.
    private static let sourcesPerWorker = 2000
    /// Bytes that a worker may take above what its picture was estimated at, and before anything is known of that.
    private static let spareMemory = 256 << 20

    /// A pool of workers, none of which is started yet.
    ///
    /// - Parameters:
    ///   - faces: What is remembered of faces; the executable has to have a detector of the same version.
    ///   - isRequired: Whether an incomplete sandbox is an error.
    ///   - onWeakness: Told, once, what of the sandbox could not be set up.
    init(
        executable: FilePath, options: RenderOptions, faces: FaceSearch? = nil, isRequired: Bool,
        onWeakness: (@Sendable (String) -> Void)?
    ) {
        nursery = WorkerNursery(executable)
        var tellable = options
        tellable.limits.seconds = RenderWatch.whole(options.limits.seconds)
        self.options = tellable
        self.faces = faces
        self.isRequired = isRequired
        self.onWeakness = onWeakness
    }

    func open(_ source: ImageSource, for renditions: [Rendition]) throws(RenderError) -> any OpenedSource {
        let input = try WorkerInput(source, options.limits)
        if let known = failure(of: source, input) { throw known.renamed(source.name) }
        let worker = try take(searchesFaces: faces != nil && renditions.contains(where: \.searchesFaces))
        worker.opened += 1
        let memory = Self.memory(for: 0, input.size)
        let settings = WorkerSettings(options: options, renditions: renditions)
        let allowance = WorkerProcess.Allowance(seconds: hardLimit, memory: memory)
        let start = MonotonicClock.seconds()
        var failure = WorkerProcess.Failure.timedOut
        var refusal: RenderError?
        do throws(WorkerProcess.Failure) {
            switch try worker.ask(
                .open(name: source.name, hole: input.hole), settings, file: input.file, allowance: allowance)
            {
            case .opened(let header, let told) where options.limits.allow(header.storedSize):
                // What a worker says of the cost is believed as far as its header lets expect.
                let expected =
                    renditions.isEmpty
                    ? header.decodeCost(bytes: input.size) : header.cost(of: renditions, bytes: input.size)
                let cost = min(told, expected)
                let most = WorkerProcess.Allowance(seconds: hardLimit, memory: Self.memory(for: cost, input.size))
                let spent = MonotonicClock.seconds() - start
                return IsolatedSource(
                    name: source.name, bytes: input.size, header: header, stamp: input.stamp, cost: cost,
                    options: options, faces: faces, allowance: most, spent: spent, worker: worker,
                    onFailure: { [self, stamp = input.stamp, device = input.device, count = input.size] in
                        remember($0, Offender(source, stamp, device: device, count: count))
                    },
                    onEnd: { [self] in giveBack(worker) })
            case .failed(let error):
                giveBack(worker)
                refusal = error.said(ofWorkerFor: source.name, isCalledOff: false)
            default: failure = worker.ended()
            }
        } catch {
            failure = error
            if case .unsayable = error {
                // Of this request, not of the picture.
                giveBack(worker)
                refusal = error.error(source.name, options.limits)
            }
        }
        if let refusal { throw refusal }
        let known = failure.error(source.name, options.limits)
        remember(known, Offender(source, input))
        throw known
    }

    /// How many bytes a worker may take for what was estimated at `cost`, of a source of so many bytes.
    static func memory(for cost: Int, _ bytes: Int) -> Int {
        // More than a machine has is as good as any number, and cannot overflow.
        let most = Int.max / 8
        return spareMemory + min(bytes, most) + 2 * min(cost, most)
    }

    private func remember(_ failure: RenderError, _ offender: Offender) {
        state.withLock { state in
            state.offenders[offender] = failure
            if case .content(let count, _) = offender { state.offendingCounts.insert(count) }
        }
    }

    /// How the source ended a worker before; nil where it did not.
    private func failure(of source: ImageSource, _ input: WorkerInput) -> RenderError? {
        if input.stamp == nil, !state.withLock({ $0.offendingCounts.contains(input.size) }) { return nil }
        let offender = Offender(source, input)
        return state.withLock { $0.offenders[offender] }
    }

    /// How long workers may take for one source: what it is told, and a little more, for it says what was the matter where it can.
    private var hardLimit: Double { options.limits.seconds > 0 ? options.limits.seconds + 0.5 : 0 }

    private func take(searchesFaces: Bool) throws(RenderError) -> WorkerProcess {
        while let idle = state.withLock({ $0.idle.popLast() }) {
            // One that somebody ended meanwhile, or that has grown, is no fault of the next picture.
            if idle.isFit { return idle }
            idle.end()
        }
        let worker = try WorkerProcess(nursery, searchesFaces: searchesFaces, rounds: rounds)
        if let faces, faces.detector.version != worker.detector {
            let other = worker.detector.map { "finds them by \($0)" } ?? "has no detector"
            throw .environment(
                reason: "faces are searched for by \(faces.detector.version), and \(nursery.executable) \(other) as a "
                    + "worker: it has to call IsolatedWorker.runIfAsked(faces:) with the same")
        }
        if !worker.missing.isEmpty {
            let text = worker.missing.joined(separator: ", ")
            if isRequired { throw .environment(reason: "pictures cannot be isolated as required: \(text)") }
            let isNew = state.withLock { state in
                defer { state.hasToldOfSandbox = true }
                return !state.hasToldOfSandbox
            }
            if isNew { onWeakness?(text) }
        }
        return worker
    }

    /// Nothing of a picture is decoded in this process, and a worker would have to open the whole of it.
    func peek(_ path: FilePath) -> EmbeddedPreview.Peek { .unknown }

    func rest() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        idle.forEach { $0.end() }
        nursery.end()
    }

    private func giveBack(_ worker: WorkerProcess) {
        guard worker.letGo(), worker.opened < Self.sourcesPerWorker else { return worker.end() }
        state.withLock { $0.idle.append(worker) }
    }
}

extension RenderError {
    /// What ended a worker, of the same file by another name.
    fileprivate func renamed(_ source: String) -> RenderError {
        switch self {
        case .crashed(_, let reason): .crashed(source: source, reason: reason)
        case .timedOut(_, let seconds): .timedOut(source: source, seconds: seconds)
        case .tooLarge(_, let reason): .tooLarge(source: source, reason: reason)
        default: self
        }
    }
}
