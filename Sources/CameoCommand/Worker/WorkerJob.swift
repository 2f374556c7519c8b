import Cameo

/// What is done for one line of a worker's input.
struct WorkerJob {
    let item: WorkerItem
    let line: ManifestReader.Line
    let place: OutputPlace
    let gate: TurnGate
    let pipeline: @Sendable () -> ImagePipeline

    private var settings: BatchSettings { line.settings }
    private var isNamedByContent: Bool { settings.worker.naming == .content }

    /// Renders and writes what the line asks for, unless it is there.
    func perform() throws(WorkerError) -> ResultLine {
        gate.enter(item.number)
        return try item.working { () throws(WorkerError) in
            let stems = try stems()
            if let line = current(stems) { return line }
            let rendered = try render(.file(line.input))
            return try write(rendered, stems)
        }
    }

    private func stems() throws(WorkerError) -> [FilePath] {
        guard isNamedByContent else { return line.stems }
        var stamp = line.stamp
        if let told = stamp {
            let stems = ContentName.stems(stamp: told, source: line.input, settings)
            if current(stems) != nil || SourceStamp.isValid(told, of: line.input, options: settings.options) {
                return stems
            }
        }
        stamp = SourceStamp.of(line.input, options: settings.options)
        // A file that has no stamp fails to be rendered too, and better says why.
        return stamp.map { ContentName.stems(stamp: $0, source: line.input, settings) } ?? line.stems
    }

    /// The answer where all outputs are there. Only names that tell the content prove anything.
    private func current(_ stems: [FilePath]) -> ResultLine? {
        guard isNamedByContent, !settings.isForced else { return nil }
        let formats = settings.encoding.format.map { [$0] } ?? [.jpeg, .png]
        var there: [ResultLine.Output] = []
        for (stem, output) in zip(stems, settings.outputs) {
            guard let found = place.existing(stem, formats, scale: output.scale) else { return nil }
            there.append(found)
        }
        var result = ResultLine(input: line.input, line: line.number, status: .current)
        result.outputs = there
        return result
    }

    private func render(_ source: ImageSource) throws(WorkerError) -> RenderCall.Rendered {
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
        default: .failed(.init(error, of: line.input))
        }
    }

    private func write(_ rendered: RenderCall.Rendered, _ stems: [FilePath]) throws(WorkerError) -> ResultLine {
        var written: [ResultLine.Output] = []
        for (index, (format, bytes)) in rendered.files.enumerated() {
            // What is not wanted any more is not half written either.
            if item.isExpired { throw .expired }
            let name = FilePath(bytes: stems[index].bytes + ".\(format.fileExtension)".utf8)
            let path = try place.store(bytes, as: name, of: line.input)
            written.append(
                ResultLine.Output(
                    path: path, size: rendered.result.images[index].pixels.size,
                    scale: settings.outputs[index].scale, bytes: bytes.count))
        }
        return ResultLine(
            input: line.input, line: line.number, rendered.header, rendered.result, settings.outputs, written)
    }
}
