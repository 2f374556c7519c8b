import Cameo
import Dispatch
import Glibc
import Synchronization
import Transfer

/// One run of `thumbnails` or `avatar`: finds the inputs, renders them, writes the outputs and reports.
final class BatchRun: Sendable {
    private struct Tally {
        var rendered = 0
        var current = 0
        var failed = 0
        var outputs = 0
        /// Why the run has to stop, where the machine is at fault.
        var fault: String?
    }

    private let settings: BatchSettings
    private let table: CommandTable<BatchSettings>
    private let folder: FilePath
    private let console: Console
    private let pipeline: ImagePipeline
    private let ledger: OutputLedger
    private let leftovers = Leftovers()
    private let interruption: Interruption
    private let tally = Mutex(Tally())
    private let start = DispatchTime.now()
    private let amongInputs = Atomic<Bool>(false)
    /// Takes the results instead of standard output.
    private let sink: (@Sendable (ResultLine) -> Void)?

    init(
        _ settings: BatchSettings, table: CommandTable<BatchSettings>, folder: FilePath, console: Console,
        interruption: Interruption = Interruption(), sink: (@Sendable (ResultLine) -> Void)? = nil
    ) throws(OutputError) {
        self.settings = settings
        self.interruption = interruption
        self.sink = sink
        self.table = table
        self.folder = folder
        self.console = console
        try WholeFile.checkFolder(folder)
        ledger = OutputLedger(folder: folder)
        pipeline = ImagePipeline(.batch(settings, console))
    }

    /// Renders what is under `paths` and in the manifest.
    func run(_ paths: [FilePath]) throws(UsageError) -> ExitStatus {
        let outputIdentity = FileIdentity(folder)
        if let path = paths.first(where: { FileIdentity($0) == outputIdentity }) {
            throw UsageError(message: "\(path) cannot be input and output folder at once")
        }
        // Said before anything is done.
        if let manifest = settings.manifest { try ManifestReader.check(manifest) }
        lookForInputs(paths)
        interruption.observe { [self] in pipeline.callOffBatch() }
        let ticker = DispatchSource.makeTimerSource(queue: .global())
        ticker.schedule(deadline: .now() + .milliseconds(200), repeating: .milliseconds(100))
        ticker.setEventHandler { [self] in console.progress(progressLine) }
        ticker.resume()

        leftovers.remove(in: "", of: folder)
        let naming = OutputNaming(template: settings.template, outputs: settings.outputs)
        InputWalker(
            naming: naming, outputFolder: outputIdentity,
            unreadable: { [self] path, reason in
                report(
                    ResultLine(
                        input: path, line: nil,
                        .init("unreadable", stage: .read, "\(path): cannot be read: \(reason)", retryable: true)))
                return !isStopped
            },
            emit: { [self] input in
                submit(RenderJob(input: input, line: nil, settings: settings))
                return !isStopped
            }
        ).walk(paths)
        if let manifest = settings.manifest, !isStopped { readManifest(manifest) }

        pipeline.waitUntilIdle()
        pipeline.endIdleWorkers()
        ledger.flush()
        ticker.cancel()
        console.progress("")
        return finish()
    }

    /// Renders what was picked under `paths`.
    func run(_ jobs: [RenderJob], of paths: [FilePath]) -> ExitStatus {
        lookForInputs(paths)
        interruption.observe { [self] in pipeline.callOffBatch() }
        jobs.forEach { submit($0) }
        pipeline.waitUntilIdle()
        ledger.flush()
        return finish()
    }

    private func lookForInputs(_ paths: [FilePath]) {
        guard let real = folder.real else { return }
        let lies = paths.contains { path in path.real.map { $0 != real && $0.lies(in: real) } == true }
        amongInputs.store(lies, ordering: .relaxed)
    }

    private var isStopped: Bool { interruption.isRaised || tally.withLock { $0.fault != nil } }

    private func readManifest(_ path: FilePath) {
        let reader = ManifestReader(settings: settings, table: table)
        let fault = reader.read(path, isStopped: { isStopped }) { line in
            switch line {
            case .success(let line):
                if let reason = RemoteAddress.refusal(of: line.input) {
                    let input = RemoteAddress.shown(line.input)
                    report(ResultLine(.init(number: line.number, id: line.id, input: input, reason: reason)))
                } else {
                    submit(RenderJob(line))
                }
            case .failure(var bad):
                bad.input = RemoteAddress.shown(bad.input)
                report(ResultLine(bad))
            }
            return !isStopped
        }
        // What was read is done all the same.
        if let fault { tally.withLock { $0.fault = $0.fault ?? fault } }
    }

    private func submit(_ job: RenderJob) {
        var job = job
        guard job.claimNames(in: self) else { return }
        for place in job.folders { leftovers.remove(in: place, of: folder) }
        pipeline.submit(job.request(in: self))
    }

    private func finish() -> ExitStatus {
        let tally = tally.withLock { $0 }
        if let fault = tally.fault {
            console.message(fault)
            return .environment
        }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
        var parts = ["\(tally.rendered) rendered"]
        if tally.current > 0 { parts.append("\(tally.current) current") }
        if tally.failed > 0 { parts.append("\(tally.failed) failed") }
        var summary = parts.joined(separator: ", ") + " in \(Self.text(seconds)) s"
        if tally.rendered > 0 { summary += " (\(Int(Double(tally.rendered) / max(seconds, 0.001))) a second)" }
        if interruption.isRaised {
            summary = "\(StandardOutput.hasFailed ? "stopped" : "interrupted"): \(summary); a rerun goes on from here"
        }
        console.note(summary)
        if interruption.isRaised { return .interrupted }
        return tally.failed > 0 ? .someFailed : .done
    }

    private var progressLine: String {
        let tally = tally.withLock { $0 }
        let done = tally.rendered + tally.current + tally.failed
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
        let frames = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"]
        let failed = tally.failed > 0 ? ", \(tally.failed) failed" : ""
        return
            "\(frames[Int(seconds * 10) % frames.count]) \(done) done\(failed), \(Int(Double(tally.rendered) / seconds)) a second"
    }

    private static func text(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

// MARK: What a job needs of its run

extension BatchRun {
    var outputFolder: FilePath { folder }

    /// Whether `path` may be read: where a root is given, only what lies in it, whatever way leads there.
    func mayRead(_ path: FilePath) -> Bool { root?.holds(path) ?? true }

    /// Whether what was read of `path`, of a file with `stamp`, might be read.
    func mightRead(_ path: FilePath, _ stamp: ContentStamp?) -> Bool { root?.holds(path, read: stamp) ?? true }

    private var root: InputRoot? { settings.root.map { InputRoot(folder: $0) } }

    /// Whether photos that are read lie in the output folder or below it.
    var isOutputAmongInputs: Bool { amongInputs.load(ordering: .relaxed) }

    /// `path`, which lies in the output folder, as it is seen from there.
    func relative(_ path: FilePath) -> FilePath { FilePath(bytes: path.bytes.dropFirst(folder.bytes.count)) }

    func claim(_ name: FilePath) -> Bool { ledger.claim(name) }

    func own(_ name: FilePath) { ledger.own(name) }

    func isOwn(_ name: FilePath) -> Bool { ledger.isOwn(name) }

    func knownEntry(_ name: FilePath) -> OutputLedger.Entry? { ledger.entry(name) }

    func note(_ entry: OutputLedger.Entry, for name: FilePath) { ledger.note(entry, for: name) }

    /// Counts a result and prints it.
    func report(_ line: ResultLine) {
        tally.withLock { tally in
            switch line.status {
            case .rendered: tally.rendered += 1
            case .current: tally.current += 1
            case .failed: tally.failed += 1
            }
        }
        if let error = line.error { console.message(error.message) }
        if let sink { return sink(line) }
        var isHeard = true
        if settings.isJSON {
            isHeard = console.result(line.encoded)
        } else {
            for output in line.outputs ?? [] { isHeard = console.result(output.filePath.bytes) }
        }
        // Results reach nobody any more, as behind `| head` or on a full disk: there is no point in going on.
        if !isHeard, interruption.raise() { pipeline.callOffBatch() }
    }

    /// Stops the run because the machine is at fault, not the input.
    func stop(because fault: String) {
        tally.withLock { tally in if tally.fault == nil { tally.fault = fault } }
        interruption.raise()
        pipeline.callOffBatch()
    }
}

extension ImagePipeline.Configuration {
    /// What a batch runs on. It keeps nothing in memory: every picture is made once.
    static func batch(_ settings: BatchSettings, _ console: Console) -> Self {
        var configuration = Self()
        configuration.memoryLimit = 0
        configuration.workers = settings.workers
        configuration.decodingMemory = settings.memory
        configuration.options = settings.options
        configuration.keepsOneThread = false
        configuration.pressure = nil
        configuration.faces = .standard
        configuration.isolation = settings.isolation
        configuration.onWeakSandbox = { console.message("the sandbox is incomplete here: \($0)") }
        return configuration
    }
}
