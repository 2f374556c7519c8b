import Cameo
import Dispatch
import Glibc
import Synchronization
import Transfer

/// One run of `worker`: reads lines, has them done, and answers them in their order.
final class WorkerRun: Sendable {
    private struct State {
        /// Lines that have no answer yet.
        var items: [Int: WorkerItem] = [:]
        var failed = 0
        /// Decoders that were left behind, each of which has a thread of a pipeline.
        var lostDecoders = 0
        /// Lines that were answered for while their threads waited for a file or a server, and wait there still.
        var absent: Set<Int> = []
        /// Why the run has to stop, where the machine is at fault.
        var fault: String?
        var isAtEnd = false
        var isOver = false
    }

    private let settings: BatchSettings
    private let reader: ManifestReader
    private let place: OutputPlace
    private let client: TransferClient
    private let console: Console
    private let answers: AnswerQueue
    private let gate: TurnGate
    private let drain = Interruption()
    private let stop = Interruption()
    /// Guards what is under way; held for a look, never while work is done.
    private let state = Mutex(State())
    /// The pipeline that renders now. It is given up with the decoder that never comes back.
    private let pipeline: Mutex<ImagePipeline>
    private let makePipeline: @Sendable () -> ImagePipeline
    /// Ends the process for another to go on.
    private let giveUp: @Sendable () -> Void
    private let working = DispatchGroup()

    /// Threads that may be left behind before the process had better be replaced.
    private static let abandonLimit = 4

    /// A run that writes to `place`. Tests give it other ears and other pipelines.
    init(
        _ settings: BatchSettings, table: CommandTable<BatchSettings>, place: OutputPlace, client: TransferClient,
        console: Console,
        print: (@Sendable ([UInt8]) -> Void)? = nil, makePipeline: (@Sendable () -> ImagePipeline)? = nil,
        giveUp: @escaping @Sendable () -> Void = { _exit(ExitStatus.drained.rawValue) }
    ) {
        self.settings = settings
        self.place = place
        self.client = client
        self.console = console
        self.giveUp = giveUp
        reader = ManifestReader(settings: settings, table: table)
        let ahead = settings.worker.ahead > 0 ? settings.worker.ahead : 8 * settings.workers
        answers = AnswerQueue(
            ahead: ahead,
            print: print ?? { line in
                // Answers reach nobody any more. Outputs are whole at any time, so there is nothing to tidy up.
                if !console.result(line) { _exit(StandardOutput.end(.drained).rawValue) }
            })
        gate = TurnGate(places: settings.workers)
        self.makePipeline = makePipeline ?? { ImagePipeline(.batch(settings, console)) }
        pipeline = Mutex(self.makePipeline())
    }

    /// Reads `input` to its end, or until the run has to stop.
    func run(_ input: Int32 = STDIN_FILENO) -> ExitStatus {
        drain.observe([SIGTERM]) {}
        stop.observe([SIGINT]) { _exit(ExitStatus.interrupted.rawValue) }
        let watch = WorkerWatch(heartbeat: settings.worker.heartbeat)
        DetachedThread.start { [self] in watch.run(self) }
        DetachedThread.start { [self] in WorkerWatch.waitForLoneliness(self) }
        var lines = LineReader(input)
        while answers.waitForRoom(isStopped: { isStopped }) {
            guard let bytes = lines.next(isStopped: { isStopped }) else {
                if let failure = lines.failure {
                    let reason = String(cString: strerror(failure))
                    state.withLock { $0.fault = $0.fault ?? "standard input: cannot be read: \(reason)" }
                } else if !isStopped {
                    state.withLock { $0.isAtEnd = true }
                }
                break
            }
            let item = WorkerItem(number: answers.take(), bytes: bytes)
            state.withLock { $0.items[item.number] = item }
            working.enter()
            DetachedThread.start { [self] in
                perform(item)
                finish(item)
                state.withLock { _ = $0.absent.remove(item.number) }
            }
        }
        working.wait()
        pipeline.withLock { $0 }.endIdleWorkers()
        state.withLock { $0.isOver = true }
        return finish()
    }

    private var isStopped: Bool { drain.isRaised || state.withLock { $0.fault != nil } }

    private func finish() -> ExitStatus {
        let counts = answers.counts
        let (fault, isAtEnd) = state.withLock { ($0.fault, $0.isAtEnd) }
        if let fault {
            console.message(fault)
            return .environment
        }
        return isAtEnd && counts.taken == counts.answered ? .done : .drained
    }

    private func perform(_ item: WorkerItem) {
        let line: ManifestReader.Line
        switch reader.parse(item.bytes, item.number) {
        case .failure(let bad):
            var result = ResultLine(bad)
            result.input = WorkerInput.shown(bad.input).description
            return answer(item, result)
        case .success(let good): line = good
        }
        item.line = line
        let shown = WorkerInput.shown(line.input)
        let input: WorkerInput
        do throws(TransferError) {
            input = try WorkerInput(line.input)
        } catch {
            let failure = ResultLine.Failure("unreadable", stage: .line, "\(shown): \(error)")
            return answer(item, ResultLine(input: shown, line: item.number, failure))
        }
        let job = WorkerJob(
            item: item, line: line, input: input, place: place, client: client, gate: gate,
            isEnding: { [drain] in drain.isRaised }, pipeline: { [self] in pipeline.withLock { $0 } })
        do throws(WorkerError) {
            answer(item, try job.perform())
        } catch {
            switch error {
            case .failed(let failure): answer(item, ResultLine(input: shown, line: item.number, failure))
            case .incomplete: answer(item, Self.failed(item, .incomplete(source: shown.description)))
            case .expired: answer(item, Self.timedOut(item, settings.options.limits.seconds))
            // Where its time is not up, it is this worker's end, and no answer: another worker fetches it again.
            case .calledOff: if item.isExpired { answer(item, Self.timedOut(item, settings.options.limits.seconds)) }
            case .machine(let reason): state.withLock { if $0.fault == nil { $0.fault = reason } }
            }
        }
    }

    private func answer(_ item: WorkerItem, _ result: ResultLine) {
        guard item.claimAnswer() else { return }
        var result = result
        // The same shape for every line, whatever it asks for.
        result.id = item.line?.id ?? result.id ?? Array("null".utf8)
        if let error = result.error {
            state.withLock { $0.failed += 1 }
            console.message(error.message)
        }
        answers.answer(item.number, result.encoded)
    }

    /// Lets go of a line, once.
    private func finish(_ item: WorkerItem) {
        guard state.withLock({ $0.items.removeValue(forKey: item.number) }) != nil else { return }
        gate.leave(item.number)
        working.leave()
    }

    private static func timedOut(_ item: WorkerItem, _ seconds: Double) -> ResultLine {
        let input = WorkerInput.shown(item.line?.input ?? FilePath(""))
        var result = failed(item, .timedOut(source: input.description, seconds: seconds))
        result.error?.stage = item.stage
        return result
    }

    private static func failed(_ item: WorkerItem, _ error: RenderError) -> ResultLine {
        let input = WorkerInput.shown(item.line?.input ?? FilePath(""))
        return ResultLine(input: input, line: item.number, .init(error, of: input))
    }
}

// MARK: What the watch does

extension WorkerRun {
    /// Whether there is nothing to look after any more.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// How long a line may stay after it was called off: twice as long as a transfer takes to hear of it.
    private static let grace = 2.0

    /// Counts `seconds` for every line that is being worked on, and ends what takes too long.
    func tick(_ seconds: Double) {
        let limit = settings.options.limits.seconds
        guard limit > 0 else { return }
        for item in state.withLock({ $0.items.values.map(\.self) }) {
            let used = item.tick(seconds)
            if used > limit { item.expire() }
            if used > limit + Self.grace { abandon(item) }
        }
    }

    /// Answers for a line whose thread does not come back, and goes on without it.
    private func abandon(_ item: WorkerItem) {
        let call = item.call
        answer(item, Self.timedOut(item, settings.options.limits.seconds))
        let isInDecoder = call?.resolve(.done(.failure(.cancelled(source: "")))) ?? false
        if isInDecoder {
            // It holds on to a thread of the pipeline. What others have there is begun again elsewhere.
            let old = pipeline.withLock { pipeline in
                defer { pipeline = makePipeline() }
                return pipeline
            }
            for item in state.withLock({ $0.items.values.map(\.self) }) { item.call?.resolve(.again) }
            old.callOffBatch()
        }
        let isTooMuch = state.withLock { state in
            if isInDecoder {
                state.lostDecoders += 1
            } else if call == nil, state.items[item.number] != nil {
                state.absent.insert(item.number)
            }
            return state.lostDecoders + state.absent.count > Self.abandonLimit
        }
        finish(item)
        if isTooMuch {
            console.message(
                "too many lines did not come back from their decoders, files and servers; another worker is to go on")
            giveUp()
        }
    }

    /// Lines that were answered for and whose threads are not back.
    var absentees: Int { state.withLock { $0.absent.count } }

    /// A sign of life.
    func heartbeat() {
        let counts = answers.counts
        let failed = state.withLock { $0.failed }
        console.message(
            "heartbeat: \(counts.answered) lines answered, \(failed) failed, \(counts.taken - counts.answered) under way"
        )
    }
}
