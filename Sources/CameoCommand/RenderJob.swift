import Cameo
import Glibc

/// One input on its way through a run.
struct RenderJob: Sendable {
    let path: FilePath
    let line: Int?
    let isNamed: Bool
    private let outputs: [BatchSettings.Output]
    /// Relative to the output folder, without extensions.
    private let stems: [FilePath]
    private let options: RenderOptions
    private let isForced: Bool

    init(input: BatchInput, line: Int?, settings: BatchSettings) {
        path = input.path
        self.line = line
        isNamed = input.isNamed
        stems = input.stems
        outputs = settings.outputs
        options = settings.options
        isForced = settings.isForced
    }

    /// A manifest's inputs may come from anywhere and are not known together, so an output without a name of its own
    /// is named by the whole path of its input, old extension included: no two inputs share it.
    init(_ manifest: ManifestReader.Line) {
        path = manifest.input
        line = manifest.number
        isNamed = true
        outputs = manifest.settings.outputs
        options = manifest.settings.options
        isForced = manifest.settings.isForced
        let parts = manifest.input.components.filter { $0 != "." }.map { $0 == ".." ? FilePath("_") : $0 }
        let whole = parts.reduce(FilePath("")) { $0.appending($1) }
        let output = manifest.output
        stems = outputs.map { FilePath(bytes: (output ?? whole).bytes + $0.suffix.utf8) }
    }

    /// The name under which the ledger knows this input's outputs.
    private var ledgerName: FilePath { stems[0] }

    /// Takes the names of the outputs for this input alone; false where another input of the run has one of them.
    func claimNames(in run: BatchRun) -> Bool {
        var isFree = true
        for stem in stems where !run.claim(stem) { isFree = false }
        if !isFree {
            let message = "\(path): not done: another input of this run is written to \(stems[0])"
            run.report(ResultLine(input: path, line: line, kind: "notWritable", message: message))
        }
        return isFree
    }

    /// What the pipeline is asked: everything that this input gives, unless its outputs are current.
    func request(in run: BatchRun) -> BatchRequest {
        BatchRequest(.file(path), outputs.map(\.rendition)) {
            guard run.mayRead(path) else {
                let reason = "\(path): cannot be read: it is not there, or does not lie in the root"
                run.report(ResultLine(input: path, line: self.line, kind: "unreadable", message: reason))
                return false
            }
            guard !isForced, let line = currentResult(in: run) else { return true }
            run.report(line)
            return false
        } completion: { outcome in
            switch outcome {
            case .success(let outcome): write(outcome, in: run)
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
                        run.report(ResultLine(input: path, line: line, kind: "notWritable", message: message))
                        return
                    }
                    run.own(run.relative(target))
                }
                try WholeFile.makeFolder(target.parent, in: run.outputFolder)
                try WholeFile.write(bytes, to: target)
                written.append(
                    ResultLine.Output(path: target, size: image.pixels.size, scale: output.scale, bytes: bytes.count))
            }
            var line = ResultLine(input: path, line: line, status: .rendered)
            line.format = header.format.rawValue
            line.upright = [header.uprightSize.width, header.uprightSize.height]
            if let image = result.images.first,
                image.rendition.mode == .fill || image.crop != PixelRect(header.uprightSize)
            {
                line.crop = image.crop.components
            }
            if let image = result.images.first, image.rendition.mode == .fill {
                line.focus = image.focus.description
                line.found(result.faces, in: header.uprightSize)
            }
            line.outputs = written
            line.warnings = result.warnings.map(\.rawValue)
            if let stamp = outcome.stamp {
                let key = CurrencyKey(stamp: stamp, digest: outcome.digest, outputs: outputs)
                run.note(OutputLedger.Entry(key: JSONLine.encode(key), record: line.encoded), for: ledgerName)
            }
            run.report(line)
        } catch let error as RenderError {
            fail(error, in: run)
        } catch let error as OutputError {
            // A name that cannot be is this input's trouble alone; everything else is the machine's.
            if case .unusableName = error {
                run.report(ResultLine(input: path, line: line, kind: "notWritable", message: "\(path): \(error)"))
                return
            }
            run.report(ResultLine(input: path, line: line, kind: "notWritable", message: "\(error)"))
            run.stop(because: "\(error)")
        } catch {
            run.stop(because: "\(error)")
        }
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
        default: run.report(ResultLine(input: path, line: line, kind: error.kind, message: "\(error)"))
        }
    }

    /// The result of the run that wrote the outputs, if they are what this run would write.
    private func currentResult(in run: BatchRun) -> ResultLine? {
        guard let entry = run.knownEntry(ledgerName), let key = JSONLine.decode(CurrencyKey.self, entry.key),
            let stamp = ContentStamp(path: path), key.isCurrent(stamp, outputs, path: path, options: options),
            var line = JSONLine.decode(ResultLine.self, entry.record), let written = line.outputs,
            written.count == outputs.count
        else { return nil }
        if options.isStrict, line.warnings?.contains(where: { $0 == "truncated" || $0 == "damaged" }) == true {
            return nil
        }
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
            let settled = CurrencyKey(stamp: stamp, digest: nil, outputs: self.outputs)
            run.note(OutputLedger.Entry(key: JSONLine.encode(settled), record: entry.record), for: ledgerName)
        }
        line.status = .current
        line.line = self.line
        line.input = path.description
        line.inputBytes = path.lossyBytes
        return line
    }
}
