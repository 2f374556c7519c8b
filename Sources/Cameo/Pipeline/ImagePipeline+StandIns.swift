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

    /// Gives those who would take a stand-in, and have none yet but a blur, what the camera put into the file.
    func deliverPreviews(of opened: OpenedImage, to tasks: [ImageTask]) {
        let wanting = tasks.filter { task in
            switch task.lastEvent {
            case nil: true
            case .degraded(let image)?: image.origin == .thumbHash
            default: false
            }
        }
        if wanting.isEmpty { return }
        guard let preview = opened.embeddedPreview() else { return }
        deliver(preview, .embeddedPreview, name: opened.name, to: wanting)
    }

    /// Gives those who can see something better come after it the blur of their asset.
    func deliverHash(to tasks: [ImageTask]) {
        let wanting = tasks.filter { $0.request.delivery == .opportunistic && $0.lastEvent == nil }
        guard let hashes, let first = wanting.first?.request, case .asset(let id) = first.identity,
            let stamp = first.stamp, let upright = first.uprightSize, let hash = hashes.thumbHash(of: id, stamp),
            let base = try? DecodedBase(hash, upright: upright)
        else { return }
        deliver(base, .thumbHash, name: first.source.name, to: wanting)
    }

    private func deliver(
        _ base: DecodedBase, _ origin: PipelineImage.Origin, name: String, to tasks: [ImageTask]
    ) {
        var base = base
        var made: [Rendition: PipelineImage] = [:]
        for task in tasks {
            let rendition = task.request.rendition
            if made[rendition] == nil, let image = try? base.standIn(for: rendition, source: name) {
                let storage = PipelineImage.Storage(pixels: image.pixels, crop: image.crop, rendition: rendition)
                made[rendition] = PipelineImage(storage: storage, origin: origin, isDegraded: true)
            }
            guard let image = made[rendition] else { continue }
            deliverStandIn(image, to: task)
            if task.isDone { leave(task) }
        }
    }
}

extension Rendition {
    /// Whether this rendition has the aspect, the part and the look of `other`, so that it may stand in for it.
    fileprivate func shows(asMuchAs other: Rendition) -> Bool {
        guard mode == other.mode, shape == other.shape, focus == other.focus, background == other.background,
            (ring == nil) == (other.ring == nil)
        else { return false }
        return mode == .fit || size.width * other.size.height == size.height * other.size.width
    }
}

extension RenditionKey {
    /// The key of another rendition of the same content.
    init(_ other: RenditionKey, rendition: Rendition) {
        identity = other.identity
        content = other.content
        self.rendition = rendition
    }
}
