import CGlibc
import Glibc
import Synchronization

/// A source that is open in a worker process. The worker is given back when this is closed or
/// released.
final class IsolatedSource: OpenedSource {
    let name: String
    let header: ImageHeader
    let stamp: ContentStamp?
    let cost: Int
    private let options: RenderOptions
    private let search: FaceSearch?
    private let bytes: Int
    /// Of all that is asked together; renditions that take more memory than what it was opened for may have it.
    private let allowance: WorkerProcess.Allowance

    private struct Desk {
        let worker: WorkerProcess
        /// Seconds that its answers have taken.
        var spent: Double
    }

    /// One thread at a time asks.
    private let desk: Mutex<Desk>
    private let onFailure: @Sendable (RenderError) -> Void
    private let onEnd: @Sendable () -> Void
    private let isClosed = Atomic(false)

    /// - Parameters:
    ///   - bytes: How long the source is.
    ///   - allowance: What the worker may take. The time is that of all its answers about this source, the waits between
    ///     them not counted: a picture may be held open for long.
    ///   - spent: Seconds of it that opening took.
    ///   - onFailure: Called with what ended the worker.
    ///   - onEnd: Called when the worker is not needed any more.
    init(
        name: String, bytes: Int, header: ImageHeader, stamp: ContentStamp?, cost: Int, options: RenderOptions,
        faces: FaceSearch?, allowance: WorkerProcess.Allowance, spent: Double, worker: WorkerProcess,
        onFailure: @escaping @Sendable (RenderError) -> Void, onEnd: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.bytes = bytes
        self.header = header
        self.stamp = stamp
        self.cost = cost
        self.options = options
        search = faces
        self.allowance = allowance
        desk = Mutex(Desk(worker: worker, spent: spent))
        self.onFailure = onFailure
        self.onEnd = onEnd
    }

    deinit { close() }

    func close() {
        // Whoever asks is answered first.
        let isFirst = desk.withLock { _ in !isClosed.exchange(true, ordering: .acquiringAndReleasing) }
        if isFirst { onEnd() }
    }

    func cost(of renditions: [Rendition]) -> Int { header.cost(of: renditions, bytes: bytes) }

    func digest() throws(RenderError) -> String {
        guard case .digest(let digest) = try ask(.digest, nil), digest.utf8.count == 64 else { throw nonsense() }
        return digest
    }

    func faces() throws(RenderError) -> [DetectedFace]? {
        guard let search else { return nil }
        if let known = search.remembered(stamp) { return known }
        guard case .faces(let found) = try ask(.faces, nil) else { throw nonsense() }
        search.remember(found, of: stamp)
        return found
    }

    func standIns(for renditions: [Rendition], by standIn: StandIn) -> [RenderedImage]? {
        (try? images(.standIns(standIn), renditions, watch: nil))?.images
    }

    func render(_ renditions: [Rendition], watch: RenderWatch, hashes: Bool) throws(RenderError) -> RenderResult {
        if watch.isCancelled { throw .cancelled(source: name) }
        let searches = search != nil && renditions.contains(where: \.searchesFaces)
        let known = searches ? search?.remembered(stamp) : nil
        let request = WorkerRequest.render(hashes: hashes, searchesFaces: searches, knownFaces: known)
        guard let result = try images(request, renditions, watch: watch) else { throw nonsense() }
        if searches, known == nil, let found = result.faces { search?.remember(found, of: stamp) }
        return result
    }

    /// Asks for pictures; nil where there are none.
    private func images(
        _ request: WorkerRequest, _ renditions: [Rendition], watch: RenderWatch?
    ) throws(RenderError) -> RenderResult? {
        let room = WorkerReply.room(renditions.count)
        let memory = cglibc_sealed_memory(max(1, renditions.reduce(room) { $0 + $1.size.area * 4 }))
        guard memory >= 0 else { throw .environment(reason: "no memory for pixels: \(errorText(errno))") }
        defer { Glibc.close(memory) }
        var reply = try ask(request, renditions, file: memory, watch: watch)
        if case .elsewhere(let place, let count) = reply {
            guard count <= room, let bytes = SharedPixels.read(count, from: memory, at: place) else { throw nonsense() }
            var reader = ByteReader(bytes)
            guard let read = try? WorkerReply(from: &reader) else { throw nonsense() }
            reply = read
        }
        guard case .images(let images, let warnings, let hash, let faces) = reply else { return nil }
        guard images.count == renditions.count else { throw nonsense() }
        var place = 0
        var rendered: [RenderedImage] = []
        for (image, rendition) in zip(images, renditions) {
            guard let count = image.count, image.size.width <= rendition.size.width,
                image.size.height <= rendition.size.height, image.crop.lies(inside: header.uprightSize),
                let bytes = SharedPixels.read(count, from: memory, at: place)
            else { throw nonsense() }
            let pixels = PixelBuffer(size: image.size, channels: image.channels, bytes: bytes)
            rendered.append(RenderedImage(pixels: pixels, crop: image.crop, rendition: rendition, focus: image.focus))
            place += count
        }
        var result = RenderResult(images: rendered, warnings: warnings)
        result.thumbHash = ThumbHash(hash)
        result.faces = faces
        return result
    }

    private func ask(
        _ request: WorkerRequest, _ renditions: [Rendition]?, file: Int32 = -1, watch: RenderWatch? = nil
    ) throws(RenderError) -> WorkerReply {
        let settings = renditions.map { WorkerSettings(options: options, renditions: $0) }
        let memory = max(allowance.memory, renditions.map { WorkerPool.memory(for: cost(of: $0), bytes) } ?? 0)
        let reply: Result<WorkerReply, RenderError> = desk.withLock { desk in
            if isClosed.load(ordering: .acquiring) {
                return .success(.failed(.crashed(source: name, reason: "its worker has been given back")))
            }
            var left = WorkerProcess.Allowance(seconds: allowance.seconds, memory: memory)
            // Nought would be any time.
            if allowance.seconds > 0 { left.seconds = max(0.001, allowance.seconds - desk.spent) }
            let start = MonotonicClock.seconds()
            defer { desk.spent += MonotonicClock.seconds() - start }
            do throws(WorkerProcess.Failure) {
                return .success(try desk.worker.ask(request, settings, file: file, allowance: left, watch: watch))
            } catch {
                let told = error.error(name, options.limits)
                // What cannot be asked is not the picture's doing.
                if case .unsayable = error { return .success(.failed(told)) }
                return .failure(told)
            }
        }
        switch reply {
        case .success(.failed(let error)): throw error.said(ofWorkerFor: name, isCalledOff: watch?.isCancelled == true)
        case .success(let reply): return reply
        case .failure(let error):
            onFailure(error)
            throw error
        }
    }

    private func nonsense() -> RenderError {
        let error: RenderError = desk.withLock { desk in
            desk.worker.end(.crashed("its worker answered what makes no sense")).error(name, options.limits)
        }
        onFailure(error)
        return error
    }
}

extension RenderError {
    /// What is believed of an error that a worker tells. That the machine is at fault ends a whole run, and that a
    /// picture was called off loses its result; neither is a worker's to say.
    func said(ofWorkerFor source: String, isCalledOff: Bool) -> RenderError {
        switch self {
        case .environment(let reason): .crashed(source: source, reason: reason)
        case .cancelled where !isCalledOff: .crashed(source: source, reason: "its worker gave up")
        default: self
        }
    }
}
