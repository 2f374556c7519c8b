extension ImagePipeline {
    /// Adds a request of a batch behind the others, at the priority `batch`. Waits while the backlog is full, so it
    /// must not be called from a completion.
    ///
    /// Nothing is taken from the caches or put there: a batch touches every picture once, and would only push out what
    /// somebody looks at.
    public func submit(_ request: BatchRequest) {
        Statistics.count(counters.requests)
        if batch.withLock({ $0.isCalledOff }) { return }
        queue.submit { [self] in
            guard !batch.withLock({ $0.isCalledOff }), request.isNeeded() else { return nil }
            do throws(RenderError) {
                if let problem = request.renditions.lazy.compactMap(\.problem).first {
                    throw .invalidRendition(source: request.source.name, reason: problem)
                }
                let opened = try counters.opening.timing { () throws(RenderError) in
                    try sources.open(request.source, for: request.renditions)
                }
                return prepared(opened, for: request.renditions) { [self] in
                    let outcome = outcome(of: request, opened)
                    // Whoever completes it encodes and writes, which needs the source no more.
                    opened.close()
                    request.completion(outcome)
                }
            } catch {
                Statistics.count(counters.failed)
                request.completion(.failure(error))
                return nil
            }
        }
    }

    /// Calls the batch off for good: what waits is dropped without a completion, what is opened or being made ends in
    /// `cancelled` at its next tile. Harmless when there is none.
    public func callOffBatch() {
        let watches = batch.withLock { batch in
            batch.isCalledOff = true
            return batch.watches.values.map(\.self)
        }
        watches.forEach { $0.cancel() }
    }

    private func outcome(
        of request: BatchRequest, _ opened: any OpenedSource
    ) -> Result<BatchRequest.Outcome, RenderError> {
        let watch = RenderWatch()
        batch.withLock { batch in
            batch.watches[ObjectIdentifier(watch)] = watch
            if batch.isCalledOff { watch.cancel() }
        }
        defer { _ = batch.withLock { $0.watches.removeValue(forKey: ObjectIdentifier(watch)) } }
        do throws(RenderError) {
            Statistics.count(counters.decodes)
            onStage?(.willDecode)
            request.willRender?(watch)
            let result = try counters.rendering.timing { () throws(RenderError) in
                try opened.render(request.renditions, watch: watch, hashes: false)
            }
            Statistics.count(counters.rendered, result.images.count)
            let digest = opened.stamp?.isRacy == true ? try opened.digest() : nil
            return .success(
                BatchRequest.Outcome(header: opened.header, stamp: opened.stamp, digest: digest, result: result))
        } catch {
            if case .cancelled = error {
                Statistics.count(counters.cancelledDuring)
            } else {
                Statistics.count(counters.failed)
            }
            return .failure(error)
        }
    }
}
