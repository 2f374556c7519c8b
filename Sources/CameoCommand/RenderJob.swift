import Cameo
import Glibc

/// One input on its way through a run.
struct RenderJob: Sendable {
    let path: FilePath
    let line: Int?
    /// What the manifest calls it.
    private let id: [UInt8]?
    let isNamed: Bool
    private let outputs: [BatchSettings.Output]
    /// Relative to the output folder, without extensions.
    private var stems: [FilePath]
    /// What `stems` may be instead, where another input has those.
    private let otherStems: [[FilePath]]
    private let options: RenderOptions
    private let isForced: Bool

    init(input: BatchInput, line: Int?, settings: BatchSettings) {
        path = input.path
        self.line = line
        isNamed = input.isNamed
        stems = input.stems
        otherStems = []
        outputs = settings.outputs
        options = settings.options
        isForced = settings.isForced
        id = nil
    }

    init(_ manifest: ManifestReader.Line) {
        path = manifest.input
        line = manifest.number
        isNamed = true
        outputs = manifest.settings.outputs
        options = manifest.settings.options
        isForced = manifest.settings.isForced
        let choices = manifest.stemChoices
        stems = choices.first ?? manifest.stems
        otherStems = Array(choices.dropFirst())
        id = manifest.id
    }

    /// The name under which the ledger knows this input's outputs.
    private var ledgerName: FilePath { stems[0] }

    /// Takes the names of the outputs for this input alone; false where another input of the run has one of them.
    mutating func claimNames(in run: BatchRun) -> Bool {
        for choice in [stems] + otherStems where choice.allSatisfy({ run.claim($0) }) {
            stems = choice
            return true
        }
        let message = "\(path): not done: another input of this run is written to \(stems[0])"
        report(.init("notWritable", stage: .write, message), in: run)
        return false
    }

    /// The folders that the outputs lie in, relative to the output folder.
    var folders: Set<FilePath> { Set(stems.map(\.parent)) }

    /// What the pipeline is asked: everything that this input gives, unless its outputs are current.
    func request(in run: BatchRun) -> BatchRequest {
        BatchRequest(.file(path), outputs.map(\.rendition)) {
            guard run.mayRead(path) else {
                let reason = "\(path): cannot be read: it is not there, or does not lie in the root"
                report(.init("unreadable", stage: .read, reason), in: run)
                return false
            }
            guard !isForced, let line = currentResult(in: run) else { return true }
            report(line, in: run)
            return false
        } completion: { outcome in
            switch outcome {
            case .success(let outcome):
                guard run.mightRead(path, outcome.stamp) else {
                    let reason = "\(path): cannot be read: it does not lie in the root, or changed while it was read"
                    return report(.init("unreadable", stage: .read, reason, retryable: true), in: run)
                }
                write(outcome, in: run)
            case .failure(let error): fail(error, in: run)
            }
        }
    }

    private func write(_ outcome: BatchRequest.Outcome, in run: BatchRun) {
        let (header, result) = (outcome.header, outcome.result)
        do {
            var written: [ResultLine.Output] = []
            for ((image, output), stem) in zip(zip(result.images, outputs), stems) {
                let (format, bytes) = try image.encoded()
                let target = run.outputFolder.appending(FilePath(bytes: stem.bytes + ".\(format.fileExtension)".utf8))
                if run.isOutputAmongInputs || isBesideSource(target) {
                    guard !isForeign(target, in: run) else {
                        let message =
                            "\(path): not done: \(target) lies among photos and was not made by cameo; choose another -o"
                        report(.init("notWritable", stage: .write, message), in: run)
                        return
                    }
                    run.own(run.relative(target))
                }
                try WholeFile.makeFolder(target.parent, in: run.outputFolder)
                try WholeFile.write(bytes, to: target)
                written.append(
                    ResultLine.Output(path: target, size: image.pixels.size, scale: output.scale, bytes: bytes.count))
            }
            let line = ResultLine(input: path, line: line, header, result, outputs, written)
            if let stamp = outcome.stamp {
                let key = CurrencyKey(
                    stamp: stamp, digest: outcome.digest, outputs: outputs, isStrict: options.isStrict)
                run.note(OutputLedger.Entry(key: JSONLine.encode(key), record: line.encoded), for: ledgerName)
            }
            report(line, in: run)
        } catch let error as RenderError {
            fail(error, in: run)
        } catch let error as OutputError {
            // A name that cannot be is this input's trouble alone; everything else is the machine's.
            if case .unusableName = error {
                report(.init("notWritable", stage: .write, "\(path): \(error)"), in: run)
                return
            }
            report(.init("notWritable", stage: .write, "\(error)", retryable: true), in: run)
            run.stop(because: "\(error)")
        } catch {
            run.stop(because: "\(error)")
        }
    }

    private func report(_ failure: ResultLine.Failure, in run: BatchRun) {
        report(ResultLine(input: path, line: line, failure), in: run)
    }

    private func report(_ line: ResultLine, in run: BatchRun) {
        var line = line
        line.id = id
        run.report(line)
    }

    private func isBesideSource(_ target: FilePath) -> Bool {
        func folder(_ path: FilePath) -> FileIdentity? { FileIdentity(path.parent.bytes.isEmpty ? "." : path.parent) }
        return folder(target) == folder(path)
    }

    /// Whether `target` may be somebody's photo. Asked only where photos lie: elsewhere an output replaces what is
    /// there, as a user of `-o` expects.
    private func isForeign(_ target: FilePath, in run: BatchRun) -> Bool {
        var status = stat()
        guard target.withCString({ stat($0, &status) }) == 0, status.st_size > 0 else { return false }
        return FileIdentity(path) == FileIdentity(status) || !run.isOwn(run.relative(target))
    }

    private func fail(_ error: RenderError, in run: BatchRun) {
        switch error {
        case .cancelled: break
        case .environment(let reason): run.stop(because: reason)
        // In a folder, what neither looks like a picture nor is named like one is passed over.
        case _ where !isNamed && !ImageFormat.isNamedLikePicture(path) && !OpenedImage.looksLikePicture(path): break
        default: report(.init(error, of: path), in: run)
        }
    }

    /// The result of the run that wrote the outputs, if they are what this run would write.
    private func currentResult(in run: BatchRun) -> ResultLine? {
        guard let entry = run.knownEntry(ledgerName), let key = JSONLine.decode(CurrencyKey.self, entry.key),
            let stamp = ContentStamp(path: path), key.isCurrent(stamp, outputs, path: path, options: options),
            var line = JSONLine.decode(ResultLine.self, entry.record), let written = line.outputs,
            written.count == outputs.count
        else { return nil }
        // What the detector could not do then, it may do now.
        if line.warnings?.contains(RenderWarning.facesNotSearched.rawValue) == true { return nil }
        var outputs = written
        for (index, stem) in stems.enumerated() {
            // The record may have been made by another way to the same folder.
            guard let suffix = written[index].filePath.stemAndExtension.extension else { return nil }
            let target = run.outputFolder.appending(FilePath(bytes: stem.bytes + ".".utf8 + suffix.bytes))
            var status = stat()
            guard target.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG,
                Int(status.st_size) == written[index].bytes
            else { return nil }
            outputs[index].filePath = target
        }
        line.outputs = outputs
        if key.stamp.isRacy, !stamp.isRacy {
            // From now on the stamp alone will do.
            let settled = CurrencyKey(key, settled: stamp)
            run.note(OutputLedger.Entry(key: JSONLine.encode(settled), record: entry.record), for: ledgerName)
        }
        line.status = .current
        line.line = self.line
        line.input = path.description
        line.inputBytes = path.lossyBytes
        return line
    }
}
