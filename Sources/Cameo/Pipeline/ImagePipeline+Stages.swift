extension ImagePipeline {
    /// The first step of work: memory, the store, and at last the file. Nil where nothing is left to decode.
    func open(_ key: SourceWork.Key, _ number: UInt64) -> RenderQueue.Prepared? {
        let work = state.withLock { state in
            guard state.works[key]?.number == number else { return SourceWork?.none }
            state.works[key]?.stage = .opening
            return state.works[key]
        }
        guard let work else { return nil }
        counters.waiting.note(MonotonicClock.nanoseconds() - work.start)
        guard lookUp(key, number) else { return nil }
        deliverHash(to: state.withLock { $0.works[key]?.everybody } ?? [])
        onStage?(.willOpen)
        do throws(RenderError) {
            let opened = try counters.opening.timing { () throws(RenderError) in
                try sources.open(work.source, for: [])
            }
            let ready = state.withLock { state in
                guard state.works[key]?.number == number else { return SourceWork?.none }
                state.works[key]?.opened = opened
                state.works[key]?.stage = .ready
                return state.works[key]
            }
            guard let ready else { return nil }
            let wanting = ready.everybody.filter { $0.request.delivery != .final }
            onStage?(.didOpen)
            deliverStandIns(of: opened, hasPreview: !work.hasNoPreview, to: wanting)
            return prepared(opened, for: Array(ready.tasks.keys)) { [self] in render(key, number) }
        } catch {
            failAll(key, number, error)
            return nil
        }
    }

    /// The second step of work on `opened`, which makes `renditions`.
    func prepared(
        _ opened: any OpenedSource, for renditions: [Rendition], _ run: @escaping @Sendable () -> Void
    ) -> RenderQueue.Prepared {
        let isSlow =
            opened.header.isProgressive && opened.header.storedSize.area > 2_000_000 || opened.cost > 128 << 20
        return RenderQueue.Prepared(cost: max(opened.cost, opened.cost(of: renditions)), isSlow: isSlow, run: run)
    }

    /// Serves what memory and the store have; false where nobody is left.
    func lookUp(_ key: SourceWork.Key, _ number: UInt64) -> Bool {
        while true {
            // Others may join all the while.
            let next: (lookup: SourceWork.Lookup, key: RenditionKey, keeps: Bool)? = state.withLock { state in
                guard let work = state.works[key], work.number == number, let lookup = work.nextLookup else {
                    return nil
                }
                state.works[key]?.lookedUp.insert(lookup)
                let asking = work.tasks[lookup.rendition, default: []].filter { SourceWork.Lookup($0) == lookup }
                guard let first = asking.first else { return nil }
                return (lookup, first.key, asking.contains { $0.request.caching.contains(.writesMemory) })
            }
            guard let next else { break }
            guard let image = found(next.key, next.lookup.reads, keeps: next.keeps) else { continue }
            let served = take(next.lookup.rendition, key, number) { SourceWork.Lookup($0) == next.lookup }
            for task in served { task.deliver(.finished(image)) }
        }
        return state.withLock { state in
            guard state.works[key]?.number == number else { return false }
            if state.works[key]?.tasks.isEmpty == true { state.works[key] = nil }
            return state.works[key] != nil
        }
    }

    private func found(
        _ key: RenditionKey, _ reads: ImageRequest.CacheOptions, keeps: Bool
    ) -> PipelineImage? {
        // Work that ended just before this began may have brought it.
        if reads.contains(.readsMemory), let image = memory.value(for: key) { return image.from(.memory) }
        guard reads.contains(.readsDisk), let store else { return nil }
        let image: PipelineImage? = counters.lookup.timing {
            guard let stored = store.thumbnail(for: key), let pixels = try? PixelBuffer(decoding: stored) else {
                return nil
            }
            let storage = PipelineImage.Storage(
                pixels: pixels, crop: stored.crop, rendition: key.rendition, encoded: (stored.format, stored.bytes))
            return PipelineImage(storage: storage, origin: .disk, isDegraded: false)
        }
        guard let image else { return nil }
        Statistics.count(counters.diskHits)
        if keeps { keep(image, key) }
        return image
    }

    /// The second step: decodes once for all who wait by now.
    private func render(_ key: SourceWork.Key, _ number: UInt64) {
        let watch = RenderWatch()
        let work = state.withLock { state in
            guard let work = state.works[key], work.number == number, !work.tasks.isEmpty else {
                return SourceWork?.none
            }
            state.works[key]?.stage = .decoding(watch)
            return work
        }
        guard let work, let opened = work.opened else { return }
        let renditions = possible(work, opened, key, number)
        do throws(RenderError) {
            if !renditions.isEmpty {
                Statistics.count(counters.decodes)
                onStage?(.willDecode)
                let start = MonotonicClock.nanoseconds()
                defer { report(key, since: start, watch) }
                let result = try counters.rendering.timing { () throws(RenderError) in
                    try opened.render(renditions, watch: watch, hashes: wantsHash(key, opened))
                }
                onStage?(.didDecode)
                if let hash = result.thumbHash { keep(hash, key, opened) }
                finish(result, work, opened, key)
                onStage?(.didKeep)
            }
        } catch {
            // Called off, but somebody has come since: once more for them.
            guard case .cancelled = error, watch.isCancelled else { return failAll(key, number, error) }
        }
        goOn(opened, key, number)
    }

    /// The renditions that can be made; those that cannot fail alone.
    private func possible(
        _ work: SourceWork, _ opened: any OpenedSource, _ key: SourceWork.Key, _ number: UInt64
    ) -> [Rendition] {
        work.tasks.keys.filter { rendition in
            do throws(RenderError) {
                _ = try CropPlan(rendition, upright: opened.header.uprightSize, source: opened.name)
                return true
            } catch {
                for task in take(rendition, key, number) { fail(task, error) }
                return false
            }
        }
    }

    private func finish(_ result: RenderResult, _ work: SourceWork, _ opened: any OpenedSource, _ key: SourceWork.Key) {
        // A file that changed since it was asked for is kept as what it is now. One that changed a moment ago may
        // change again under the same stamp, and is not kept.
        let isSettled = opened.stamp.map { !$0.isRacy } ?? true
        let isWhole = !result.warnings.contains(.truncated) && !result.warnings.contains(.damaged)
        let lacksFaces = result.warnings.contains(.facesNotSearched)
        var stored: [(PipelineImage, RenditionKey)] = []
        for image in result.images {
            let storage = PipelineImage.Storage(
                pixels: image.pixels, crop: image.crop, rendition: image.rendition, warnings: result.warnings)
            let made = PipelineImage(storage: storage, origin: .rendered, isDegraded: false)
            let own = self.key(key.identity, opened.stamp, image.rendition)
            Statistics.count(counters.rendered)
            Statistics.count(counters.renderedBytes, image.pixels.bytes.count)
            // What those want who asked when the decode began, and those who have joined them since.
            let here = state.withLock { state in
                state.works[key].flatMap { $0.number == work.number ? $0.tasks[image.rendition] : nil } ?? []
            }
            var caching = (work.tasks[image.rendition, default: []] + here).caching
            // Before it leaves the table: whoever asks now finds it in the one or in the other.
            if isSettled, caching.contains(.writesMemory) { keep(made, own) }
            let waiting = take(image.rendition, key, work.number)
            let joined = waiting.caching.subtracting(caching)
            if isSettled, joined.contains(.writesMemory) { keep(made, own) }
            caching.formUnion(joined)
            let heard = waiting.filter { $0.deliver(.finished(made)) }
            if heard.isEmpty { Statistics.count(counters.wasted) }
            let isRight = isWhole && !(lacksFaces && image.rendition.searchesFaces)
            if isSettled, isRight, caching.contains(.writesDisk) { stored.append((made, own)) }
        }
        guard let store else { return }
        for (image, key) in stored {
            guard let (format, bytes) = try? counters.encoding.timing({ try image.encoded() }) else { continue }
            store.insert(StoredThumbnail(format: format, bytes: bytes, crop: image.crop), for: key)
        }
    }

    /// Whether the blur of a source is to be kept and is not.
    private func wantsHash(_ key: SourceWork.Key, _ opened: any OpenedSource) -> Bool {
        guard let hashes, case .asset(let id) = key.identity, let stamp = opened.stamp else { return false }
        return hashes.thumbHash(of: id, stamp) == nil
    }

    private func keep(_ hash: ThumbHash, _ key: SourceWork.Key, _ opened: any OpenedSource) {
        guard let hashes, case .asset(let id) = key.identity, let stamp = opened.stamp else { return }
        hashes.keep(hash, of: id, stamp)
    }

    private func keep(_ image: PipelineImage, _ key: RenditionKey) {
        // The bytes of its file come later, if somebody asks for them or the store does.
        image.storage.whenGrown { [weak memory, weak storage = image.storage] in
            if let storage { memory?.setCost(storage.cost, of: key) { $0.storage === storage } }
        }
        let cost = image.storage.cost
        guard memory.insert(image, for: key, cost: cost) else { return }
        if image.storage.cost != cost { memory.setCost(image.storage.cost, of: key) { $0.storage === image.storage } }
        let source = SourceWork.Key(key)
        var renditions = known.value(for: source) ?? []
        if renditions.contains(key.rendition) { return }
        renditions.append(key.rendition)
        known.insert(renditions.suffix(8), for: source, cost: 512)
    }

    /// Ends the work, or queues it again for those who came during the decode and want something else.
    private func goOn(_ opened: any OpenedSource, _ key: SourceWork.Key, _ number: UInt64) {
        // They may have come just after they looked into memory and just before this work filled it.
        state.withLock { state in
            if state.works[key]?.number == number { state.works[key]?.lookedUp = [] }
        }
        guard lookUp(key, number) else { return opened.close() }
        let more = state.withLock { state in
            guard let work = state.works[key], work.number == number else { return SourceWork?.none }
            state.works[key]?.stage = .ready
            state.works[key]?.ticket = nil
            return work
        }
        guard let more else { return opened.close() }
        let again = prepared(opened, for: Array(more.tasks.keys)) { [self] in render(key, number) }
        note(queue.add(again, urgency: more.urgency), key, number)
    }
}

extension [ImageTask] {
    /// What any of them does with the caches.
    fileprivate var caching: ImageRequest.CacheOptions { reduce(into: []) { $0.formUnion($1.request.caching) } }
}
