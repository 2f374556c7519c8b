extension ImagePipeline {
    /// What makes the pipeline more than a queue in front of a decoder. All of it is on; benchmarks and tests switch
    /// off one at a time to see what it is worth.
    package struct Features: Hashable, Sendable {
        /// Whether requests for one source share its open and its decode.
        package var coalesces = true
        /// Whether work that nobody waits for any more is dropped.
        package var cancels = true
        /// Whether of what is on screen the newest is served first; otherwise what came first.
        package var servesNewestFirst = true

        /// All on.
        package init() {}
    }

    /// One decode, as whoever measures the pipeline hears of it.
    package struct DecodeReport: Sendable {
        /// Of which source.
        package let identity: RenditionKey.Identity
        /// When it began, in nanoseconds of the monotonic clock.
        package let start: UInt64
        /// When it ended.
        package let end: UInt64
        /// Whether it was called off before it was done.
        package let isCancelled: Bool
    }

    /// Under which key the work for a task is found: that of its source, so that tasks meet there.
    func workKey(of task: ImageTask) -> SourceWork.Key {
        SourceWork.Key(task.key, task: features.coalesces ? nil : task.id)
    }

    /// Takes one step of the work that waits in a suspended pipeline, on the calling thread: opens a source, or
    /// decodes one that is open. Steps are chosen as the workers choose them, so that a clock of the caller's own can
    /// drive the pipeline and the same calls give the same result each time.
    ///
    /// - Returns: False where nothing waits.
    package func runNextStep() -> Bool { queue.runNextStep() }

    /// Tells whoever measures of a decode that ends now.
    func report(_ key: SourceWork.Key, since start: UInt64, _ watch: RenderWatch) {
        onDecode?(
            DecodeReport(
                identity: key.identity, start: start, end: MonotonicClock.nanoseconds(), isCancelled: watch.isCancelled)
        )
    }
}
