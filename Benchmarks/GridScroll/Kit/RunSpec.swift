/// What is in which cache when a replay begins.
package enum CacheState: String, Codable, CaseIterable, Sendable {
    /// Nothing anywhere; the photos come from disk.
    case cold
    /// Encoded thumbnails on disk, nothing in memory.
    case warmDisk = "warm-disk"
    /// All that the trace shows in memory.
    case warmMemory = "warm-memory"

    /// What a reader calls it.
    package var title: String {
        switch self {
        case .cold: "cold"
        case .warmDisk: "warm disk"
        case .warmMemory: "warm memory"
        }
    }
}

/// What is replayed against.
package enum EngineKind: String, Codable, CaseIterable, Sendable {
    case cameo, queue, naive, table
    case noCoalescing = "no-coalescing"
    case noCancellation = "no-cancellation"
    case noPrefetch = "no-prefetch"
    case oldestFirst = "oldest-first"
    case noStandIns = "no-stand-ins"

    /// Cameo with one feature off.
    package static let ablations: [EngineKind] = [
        .noCoalescing, .noCancellation, .noPrefetch, .oldestFirst, .noStandIns,
    ]

    /// What a reader calls it.
    package var title: String {
        switch self {
        case .cameo: "Cameo"
        case .queue: "operation queue"
        case .naive: "decode in the cell"
        case .table: "table of pixels"
        case .noCoalescing: "without coalescing"
        case .noCancellation: "without cancellation"
        case .noPrefetch: "without prefetch"
        case .oldestFirst: "oldest first"
        case .noStandIns: "without stand-ins"
        }
    }

    /// Which features a Cameo engine of this kind has; nil for what is no Cameo engine.
    package var features: CameoEngine.Features? {
        var features = CameoEngine.Features()
        switch self {
        case .cameo: break
        case .queue, .naive, .table: return nil
        case .noCoalescing: features.pipeline.coalesces = false
        case .noCancellation: features.pipeline.cancels = false
        case .noPrefetch: features.prefetches = false
        case .oldestFirst: features.pipeline.servesNewestFirst = false
        case .noStandIns: features.showsStandIns = false
        }
        return features
    }
}

/// One replay to be made.
package struct RunSpec: Codable, Hashable, Sendable {
    /// The trace's name.
    package var trace: String
    /// Assets in the library.
    package var library: Int
    /// Frames a second.
    package var rate: Int
    /// What is cached.
    package var state: CacheState
    /// Against what.
    package var engine: EngineKind

    /// A replay.
    package init(trace: String, library: Int, rate: Int, state: CacheState, engine: EngineKind) {
        self.trace = trace
        self.library = library
        self.rate = rate
        self.state = state
        self.engine = engine
    }
}
