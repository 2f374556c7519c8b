import CGlibc
import Glibc

/// What a worker has before it: one source at most, and the host's next request.
struct WorkerDesk {
    private let channel: WorkerChannel
    private let watch: RenderWatch
    private let detector: (any FaceDetecting)?
    private var opened: OpenedImage?
    private var settings = WorkerSettings()

    init(channel: WorkerChannel, watch: RenderWatch, detector: (any FaceDetecting)?) {
        self.channel = channel
        self.watch = watch
        self.detector = detector
    }

    /// Answers one request; false where the host is gone.
    mutating func answerNext() -> Bool {
        guard let (request, file) = channel.receive(WorkerRequest.self, trusts: true) else { return false }
        defer { if file >= 0 { close(file) } }
        // A host that is gone cannot end a worker any more. The kernel could tell of its end, but it does so of the end of
        // the one thread that started the worker.
        cglibc_end_with_host(channel.socket)
        defer { alarm(0) }
        switch request {
        case .settings(let new):
            settings = new
            return true
        case .release:
            let name = opened?.name
            opened = nil
            if let name { Misbehaviour.act(afterReleaseOf: name) }
            return true
        default: break
        }
        let reply: WorkerReply
        do throws(RenderError) {
            reply = try answer(request, file)
        } catch {
            reply = .failed(error.shortened)
        }
        defer { if let opened { Misbehaviour.act(afterAnswering: request, on: opened.name, channel) } }
        return channel.send(opened.map { Misbehaviour.changed(reply, on: $0.name) } ?? reply)
    }

    private mutating func answer(_ request: WorkerRequest, _ file: Int32) throws(RenderError) -> WorkerReply {
        if let opened { try Misbehaviour.act(lateOn: opened.name) }
        switch request {
        case .open(let name, let hole):
            opened = nil
            try Misbehaviour.act(on: name)
            let renditions = settings.renditions
            let image = try OpenedImage(file, name: name, hole: hole, for: renditions, options: settings.options)
            opened = image
            return .opened(image.header, cost: renditions.isEmpty ? image.decodeCost : image.cost(of: renditions))
        case .digest:
            guard let opened else { return .nothing }
            return .digest(try opened.digest)
        case .faces:
            guard let opened, let detector else { return .nothing }
            let renderer = Renderer(options: settings.options, faces: FaceSearch(detector))
            return .faces(try renderer.faces(in: opened, watch: watch) ?? [])
        case .standIns(let standIn):
            guard let images = opened?.standIns(for: settings.renditions, by: standIn) else { return .nothing }
            return try put(RenderResult(images: images, warnings: []), into: file)
        case .render(let hashes, let searchesFaces, let known):
            guard let opened else { return .nothing }
            let search = detector.map { FaceSearch($0, memory: KnownFaces(faces: known)) }
            let renderer = Renderer(options: settings.options, faces: searchesFaces ? search : nil)
            return try put(renderer.render(opened, settings.renditions, watch: watch, hashes: hashes), into: file)
        case .begin, .settings, .release: return .nothing
        }
    }

    private func put(_ result: RenderResult, into file: Int32) throws(RenderError) -> WorkerReply {
        var place = 0
        for image in result.images {
            guard SharedPixels.write(image.pixels.bytes, to: file, at: place) else {
                throw .environment(reason: "no room for the pixels")
            }
            place += image.pixels.bytes.count
        }
        let images = result.images.map { image in
            WorkerReply.Image(
                size: image.pixels.size, channels: image.pixels.channels, crop: image.crop, focus: image.focus)
        }
        let reply = WorkerReply.images(
            images, warnings: result.warnings, hash: result.thumbHash?.bytes ?? [], faces: result.faces)
        guard WorkerReply.isLong(images.count) else { return reply }
        let bytes = reply.bytes
        guard SharedPixels.write(bytes, to: file, at: place) else {
            throw .environment(reason: "no room for what is to be said of \(images.count) pictures")
        }
        return .elsewhere(at: place, count: bytes.count)
    }
}

/// What the host remembers of the one picture that is open; it does the remembering.
private struct KnownFaces: FaceRemembering {
    let faces: [DetectedFace]?

    func faces(of stamp: ContentStamp, detector version: String) -> [DetectedFace]? { faces }
    func remember(_ faces: [DetectedFace], of stamp: ContentStamp, detector version: String) {}
}

extension RenderError {
    /// The same with what a decoder says cut to what fits into a message.
    fileprivate var shortened: RenderError {
        guard case .corrupt(let source, let detail) = self else { return self }
        return .corrupt(source: source, detail: String(detail.prefix(1000)))
    }
}
