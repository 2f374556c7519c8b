import Cameo
import Transfer

/// What is done for one line of a worker's input.
struct WorkerJob {
    let item: WorkerItem
    let line: ManifestReader.Line
    let input: WorkerInput
    let place: OutputPlace
    let client: TransferClient
    let gate: TurnGate
    /// Whether the worker has been asked to end. What is decoded or stored by then is done; what comes is not waited for.
    let isEnding: @Sendable () -> Bool
    let pipeline: @Sendable () -> ImagePipeline

    private var settings: BatchSettings { line.settings }
    private var isNamedByContent: Bool { settings.worker.naming == .content }
    private var isCalledOff: @Sendable () -> Bool { { [item, isEnding] in item.isExpired || isEnding() } }
    /// The input as it may be shown.
    private var shown: FilePath { WorkerInput.shown(line.input) }

    /// Renders and writes what the line asks for, unless it is there.
    func perform() throws(WorkerError) -> ResultLine {
        switch input {
        case .file(let path):
            gate.enter(item.number)
            return try item.working { () throws(WorkerError) in try perform(path) }
        case .remote(let address):
            // What is there by the stamp that the line tells need not be fetched.
            if isNamedByContent, let stamp = line.stamp {
                let known = try item.working { () throws(WorkerError) in try current(content(stamp)) }
                if let known { return known }
            }
            let picture = RemotePicture(
                address: address, client: client, options: settings.options, isCalledOff: isCalledOff)
            let fetched = try item.working { () throws(WorkerError) in try fetch(picture) }
            gate.enter(item.number)
            return try item.working { () throws(WorkerError) in
                do throws(WorkerError) {
                    return try finish(fetched, of: picture)
                } catch {
                    guard case .incomplete = error else { throw error }
                    let whole = try transfer(address) { () throws(TransferError) in try picture.complete(fetched) }
                    return try finish(whole, of: picture)
                }
            }
        }
    }

    private func perform(_ path: FilePath) throws(WorkerError) -> ResultLine {
        guard isNamedByContent else { return try finish(.file(path), stems: line.stems) }
        let before = ContentStamp(path: path)
        var missing: [FilePath]?
        if let told = line.stamp {
            let stems = content(told)
            if let there = try current(stems) { return there }
            item.enter(.read)
            if SourceStamp.isValid(told, of: path, options: settings.options) {
                return try finish(.file(path), stems: stems, stamp: before)
            }
            missing = stems
        }
        // A file that has no stamp fails to be rendered too, and better says why.
        let stems = SourceStamp.of(path, options: settings.options).map(content) ?? line.stems
        if stems != missing, let there = try current(stems) { return there }
        return try finish(.file(path), stems: stems, stamp: before)
    }

    private func finish(_ fetched: Fetched, of picture: RemotePicture) throws(WorkerError) -> ResultLine {
        guard isNamedByContent else { return try finish(picture.source(fetched), stems: input.stems(line)) }
        // The digest of parts would be no content's: where there is no other stamp, all of it was fetched.
        let stems = content(line.stamp ?? fetched.stamp ?? SourceStamp.digestPrefix + Digest.sha256(fetched.bytes))
        if line.stamp == nil, let there = try current(stems) { return there }
        return try finish(picture.source(fetched), stems: stems)
    }

    /// Renders and writes what is not there.
    ///
    /// - Parameter stamp: The file's, when it was named by it.
    private func finish(
        _ source: ImageSource, stems: [FilePath], stamp: ContentStamp? = nil
    ) throws(WorkerError) -> ResultLine {
        let rendered = try render(source)
        if let stamp, rendered.stamp?.matches(stamp) != true {
            // Its outputs would be called by what it was a moment ago.
            throw .failed(
                .init("unreadable", stage: .read, "\(shown): it changed while it was read", retryable: true))
        }
        // The next picture need not wait until this one's outputs are sent.
        if place.isRemote { gate.leave(item.number) }
        return try write(rendered, stems)
    }

    private func fetch(_ picture: RemotePicture) throws(WorkerError) -> Fetched {
        let (renditions, options) = (settings.outputs.map(\.rendition), settings.options)
        let fetched = try transfer(picture.address) { () throws(TransferError) in
            try picture.fetch { SourceDemand.renditions(renditions, $0, count: $1, options: options) }
        }
        if let refusal = picture.refusal(of: fetched) { throw mapped(refusal) }
        return fetched
    }

    private func transfer(
        _ address: RemoteAddress, _ body: () throws(TransferError) -> Fetched
    ) throws(WorkerError) -> Fetched {
        item.enter(.fetch)
        do throws(TransferError) {
            return try body()
        } catch {
            throw error == .calledOff ? .calledOff : .failed(.init(error, of: address))
        }
    }

    private func content(_ stamp: String) -> [FilePath] {
        ContentName.stems(stamp: stamp, source: input.identity, settings)
    }

    /// The answer where all outputs are there. Only names that tell the content prove anything.
    private func current(_ stems: [FilePath]) throws(WorkerError) -> ResultLine? {
        guard isNamedByContent, !settings.isForced else { return nil }
        item.enter(.write)
        let formats = settings.encoding.format.map { [$0] } ?? [.jpeg, .png]
        var there: [ResultLine.Output] = []
        for (stem, output) in zip(stems, settings.outputs) {
            let found = try place.existing(
                stem, formats, scale: output.scale, of: shown, isCalledOff: isCalledOff)
            guard let found else { return nil }
            there.append(found)
        }
        var result = ResultLine(input: shown, line: line.number, status: .current)
        result.outputs = there
        return result
    }

    private func render(_ source: ImageSource) throws(WorkerError) -> RenderCall.Rendered {
        item.enter(.render)
        while true {
            let call = RenderCall()
            item.call = call
            if item.isExpired { throw .expired }
            pipeline().submit(
                BatchRequest(
                    source, settings.outputs.map(\.rendition), willRender: { call.start($0) },
                    completion: { call.resolve(.done(Self.encoded($0))) }))
            guard case .done(let result) = call.wait() else { continue }
            item.call = nil
            do throws(RenderError) {
                return try result.get()
            } catch {
                throw mapped(error)
            }
        }
    }

    /// Encodes where the picture was decoded, so that no more threads do it than decode.
    private static func encoded(
        _ outcome: Result<BatchRequest.Outcome, RenderError>
    ) -> Result<RenderCall.Rendered, RenderError> {
        outcome.flatMap { outcome in
            do throws(RenderError) {
                var files: [(format: Encoding.Format, bytes: [UInt8])] = []
                for image in outcome.result.images { files.append(try image.encoded()) }
                return .success(
                    RenderCall.Rendered(
                        header: outcome.header, stamp: outcome.stamp, result: outcome.result, files: files))
            } catch {
                return .failure(error)
            }
        }
    }

    private func mapped(_ error: RenderError) -> WorkerError {
        switch error {
        case .cancelled, .timedOut: .expired
        case .environment(let reason): .machine(reason)
        case .incomplete: .incomplete
        default: .failed(.init(error, of: line.input))
        }
    }

    private func write(_ rendered: RenderCall.Rendered, _ stems: [FilePath]) throws(WorkerError) -> ResultLine {
        item.enter(.write)
        var written: [ResultLine.Output] = []
        for (index, (format, bytes)) in rendered.files.enumerated() {
            // What is not wanted any more is not half written either.
            if item.isExpired { throw .expired }
            let name = FilePath(bytes: stems[index].bytes + ".\(format.fileExtension)".utf8)
            let path = try place.store(
                bytes, as: name, format, of: shown, isCalledOff: { [item] in item.isExpired })
            written.append(
                ResultLine.Output(
                    path: path, size: rendered.result.images[index].pixels.size,
                    scale: settings.outputs[index].scale, bytes: bytes.count))
        }
        return ResultLine(
            input: shown, line: line.number, rendered.header, rendered.result, settings.outputs, written)
    }
}
