extension ImagePipeline {
    /// The best picture in memory that shows what `key` shows, at another size.
    func cachedStandIn(for key: RenditionKey) -> PipelineImage? {
        let wanted = key.rendition
        guard let renditions = known.value(for: SourceWork.Key(key)) else { return nil }
        let candidates = renditions.filter { $0.shows(asMuchAs: wanted) }.compactMap { rendition in
            memory.value(for: RenditionKey(key, rendition: rendition))
        }
        return candidates.max { $0.pixels.size.area < $1.pixels.size.area }?.from(.memory, isDegraded: true)
    }

    /// Gives a task a stand-in: for fast delivery that is all it gets.
    func deliverStandIn(_ image: PipelineImage, to task: ImageTask) {
        let event: ImageEvent = task.request.delivery == .fast ? .finished(image) : .degraded(image)
        if task.deliver(event) { Statistics.count(counters.degraded) }
    }

    /// Gives those who would take a stand-in, and have none yet but a blur, what the camera put into the file. The 1/8
    /// picture takes time that others wait for, so it is made only where it saves much: of a progressive JPEG, and for
    /// those who then want nothing more.
    func deliverStandIns(of opened: any OpenedSource, hasPreview: Bool, to tasks: [ImageTask]) {
        let wanting = tasks.filter { !$0.isDone && !$0.hasStandIn }
        if wanting.isEmpty { return }
        let renditions = Array(Set(wanting.map(\.request.rendition)))
        if hasPreview, let images = opened.standIns(for: renditions, by: .embeddedPreview) {
            return deliver(images, .embeddedPreview, to: wanting)
        }
        let savesMuch = opened.header.isProgressive || wanting.contains { $0.request.delivery == .fast }
        if opened.header.format == .jpeg, savesMuch, let images = opened.standIns(for: renditions, by: .eighth) {
            deliver(images, .eighth, to: wanting)
        }
    }

    /// Gives those who can see something better come after it the blur of their asset.
    func deliverHash(to tasks: [ImageTask]) {
        let wanting = tasks.filter { $0.request.delivery == .opportunistic && $0.lastEvent == nil }
        guard let hashes, let first = wanting.first?.request, case .asset(let id) = first.identity,
            let stamp = first.stamp, let upright = first.uprightSize, let hash = hashes.thumbHash(of: id, stamp),
            var base = try? DecodedBase(hash, upright: upright)
        else { return }
        let renditions = Array(Set(wanting.map(\.request.rendition)))
        let images = renditions.compactMap { try? base.standIn(for: $0, source: first.source.name) }
        deliver(images, .thumbHash, to: wanting)
    }

    private func deliver(_ images: [RenderedImage], _ origin: PipelineImage.Origin, to tasks: [ImageTask]) {
        var made: [Rendition: PipelineImage] = [:]
        for image in images {
            let storage = PipelineImage.Storage(pixels: image.pixels, crop: image.crop, rendition: image.rendition)
            made[image.rendition] = PipelineImage(storage: storage, origin: origin, isDegraded: true)
        }
        for task in tasks {
            guard let image = made[task.request.rendition] else { continue }
            deliverStandIn(image, to: task)
            if task.isDone { leave(task) }
        }
    }
}

extension ImagePipeline {
    /// The step before the first, for those who look at an empty cell: memory and the store, and then what the camera
    /// put into the beginning of the file. It takes a fraction of what opening and decoding take.
    func peek(_ key: SourceWork.Key, _ number: UInt64, _ ticket: RenderQueue.Ticket) {
        guard let work = work(key, number), lookUp(key, number) else { return }
        deliverHash(to: self.work(key, number)?.everybody ?? [])
        var isSkimmed = false
        if case .file(let path) = work.source {
            isSkimmed = counters.peeking.timing { showPreview(at: path, key, number) }
        }
        guard let work = self.work(key, number) else { return }
        if isSkimmed {
            let next = queue.add(.skim, urgency: work.urgency, after: ticket) { [self] in skim(key, number, $0) }
            note(next, key, number)
        } else {
            queueOpening(key, number, work.urgency, after: ticket)
        }
    }

    /// The most bytes of a file that is gone through before others are decoded: some 50 ms of a core.
    private static var mostSkimmed: Int { 16 << 20 }

    /// Whether going through the file would show something that decoding does not show as soon.
    private func showPreview(at path: FilePath, _ key: SourceWork.Key, _ number: UInt64) -> Bool {
        let peek = sources.peek(path)
        let wanting = wanting(key, number)
        switch peek {
        case .found(var base):
            let renditions = Set(wanting.map(\.request.rendition))
            let images = renditions.compactMap { try? base.standIn(for: $0, source: path.description) }
            deliver(images, .embeddedPreview, to: wanting)
            return false
        case .none(let upright, let bytes):
            state.withLock { if $0.works[key]?.number == number { $0.works[key]?.hasNoPreview = true } }
            return !wanting.isEmpty && bytes <= Self.mostSkimmed
                && !OpenedImage.isServedByEighth(wanting.map(\.request.rendition), upright: upright)
        case .unknown: return false
        }
    }

    /// The step behind a peek that showed nothing: the 1/8 picture of a JPEG, which takes about a tenth of what decoding
    /// takes.
    private func skim(_ key: SourceWork.Key, _ number: UInt64, _ ticket: RenderQueue.Ticket) {
        guard let work = work(key, number) else { return }
        counters.skimming.timing {
            let wanting = wanting(key, number)
            let renditions = Array(Set(wanting.map(\.request.rendition)))
            // What is wrong with a source is told by opening it in its turn.
            guard !wanting.isEmpty, let opened = try? sources.open(work.source, for: []) else { return }
            defer { opened.close() }
            if let images = opened.standIns(for: renditions, by: .eighth) { deliver(images, .eighth, to: wanting) }
        }
        if let urgency = self.work(key, number)?.urgency { queueOpening(key, number, urgency, after: ticket) }
    }

    /// Who takes a stand-in and has none.
    private func wanting(_ key: SourceWork.Key, _ number: UInt64) -> [ImageTask] {
        work(key, number)?.everybody.filter { $0.request.delivery != .final && !$0.hasStandIn } ?? []
    }

    private func work(_ key: SourceWork.Key, _ number: UInt64) -> SourceWork? {
        state.withLock { state in state.works[key].flatMap { $0.number == number ? $0 : nil } }
    }
}

extension ImageTask {
    /// Whether it shows something that is better than a blur.
    var hasStandIn: Bool {
        guard case .degraded(let image)? = lastEvent else { return false }
        return image.origin != .thumbHash
    }

    /// Whether somebody looks at it who sees nothing.
    var wantsStandIn: Bool { request.delivery != .final && priority >= .normal && !hasStandIn }
}

extension Rendition {
    /// Whether this rendition has the aspect, the part and the look of `other`, so that it may stand in for it. All but
    /// the size, the quality of the encoding and the width of a ring has to be the same, whatever a rendition comes to
    /// say one day.
    func shows(asMuchAs other: Rendition) -> Bool {
        var same = other
        same.size = size
        same.encoding.quality = encoding.quality
        if let ring { same.ring?.width = ring.width }
        guard same == self else { return false }
        return mode == .fit || size.width * other.size.height == size.height * other.size.width
    }
}
