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
    func deliverPreviews(of opened: any OpenedSource, to tasks: [ImageTask]) {
        let wanting = tasks.filter { task in
            switch task.lastEvent {
            case nil: true
            case .degraded(let image)?: image.origin == .thumbHash
            default: false
            }
        }
        if wanting.isEmpty { return }
        let renditions = Array(Set(wanting.map(\.request.rendition)))
        guard let images = opened.previews(for: renditions) else { return }
        deliver(images, .embeddedPreview, to: wanting)
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
