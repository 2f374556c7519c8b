import Synchronization

/// What a pipeline has done so far. Counting and reading cost a few nanoseconds each.
public final class Statistics: Sendable {
    /// The numbers at one moment, each true by itself.
    public struct Snapshot: Hashable, Codable, Sendable {
        /// Requests that were made, those for `cachedImage` included.
        public var requests = 0
        /// Requests served from memory at once.
        public var memoryHits = 0
        /// Renditions served by the thumbnail store.
        public var diskHits = 0
        /// Requests that joined work that was under way.
        public var coalesced = 0
        /// Sources that were decoded.
        public var decodes = 0
        /// Renditions that were rendered.
        public var rendered = 0
        /// Stand-ins that were delivered.
        public var degraded = 0
        /// Requests that failed.
        public var failed = 0
        /// Requests called off before a decode had begun for them.
        public var cancelledBefore = 0
        /// Requests called off while a decode went on for them.
        public var cancelledDuring = 0
        /// Renditions that nobody wanted any more when they were done.
        public var wasted = 0
        /// Bytes of pixels that were rendered.
        public var renderedBytes = 0
        /// Pieces of work that wait.
        public var queueLength = 0
    }

    let requests = Atomic<Int>(0)
    let memoryHits = Atomic<Int>(0)
    let diskHits = Atomic<Int>(0)
    let coalesced = Atomic<Int>(0)
    let decodes = Atomic<Int>(0)
    let rendered = Atomic<Int>(0)
    let degraded = Atomic<Int>(0)
    let failed = Atomic<Int>(0)
    let cancelledBefore = Atomic<Int>(0)
    let cancelledDuring = Atomic<Int>(0)
    let wasted = Atomic<Int>(0)
    let renderedBytes = Atomic<Int>(0)

    /// From a request to the first step of its work.
    public let waiting = LatencyHistogram()
    /// Looking into the thumbnail store, a hit's decode included.
    public let lookup = LatencyHistogram()
    /// Looking for a preview in the beginning of a source, decoding it, and giving it away.
    public let peeking = LatencyHistogram()
    /// Making a JPEG's 1/8 picture as a stand-in before anything is decoded, reading included.
    public let skimming = LatencyHistogram()
    /// Reading a source and its header.
    public let opening = LatencyHistogram()
    /// Decoding and rendering.
    public let rendering = LatencyHistogram()
    /// Encoding for the store.
    public let encoding = LatencyHistogram()

    func snapshot(queueLength: Int) -> Snapshot {
        func read(_ counter: borrowing Atomic<Int>) -> Int { counter.load(ordering: .relaxed) }
        return Snapshot(
            requests: read(requests), memoryHits: read(memoryHits), diskHits: read(diskHits),
            coalesced: read(coalesced), decodes: read(decodes), rendered: read(rendered), degraded: read(degraded),
            failed: read(failed), cancelledBefore: read(cancelledBefore), cancelledDuring: read(cancelledDuring),
            wasted: read(wasted), renderedBytes: read(renderedBytes), queueLength: queueLength)
    }

    static func count(_ counter: borrowing Atomic<Int>, _ by: Int = 1) { counter.add(by, ordering: .relaxed) }
}
