import CVips

/// Lets a caller call off a rendering that goes on in another thread, or in another process.
///
/// `@unchecked Sendable`: the fields behind the pointer are read and written atomically, but for the deadline, which
/// the one rendering thread writes before it decodes and reads after.
public final class RenderWatch: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<cvips_watch>
    private let isOwner: Bool

    /// A watch that is not called off.
    public init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: cvips_watch())
        isOwner = true
    }

    /// A watch in memory that somebody else keeps, for as long as this lives.
    init(in memory: UnsafeMutableRawPointer) {
        pointer = memory.bindMemory(to: cvips_watch.self, capacity: 1)
        pointer.initialize(to: cvips_watch())
        isOwner = false
    }

    deinit { if isOwner { pointer.deallocate() } }

    /// Asks the rendering to stop at the next tile.
    public func cancel() { cvips_watch_cancel(pointer) }

    /// Makes it as if `cancel` had not been called.
    func reset() { cvips_watch_reset(pointer) }

    /// Whether `cancel` was called.
    public var isCancelled: Bool { cvips_watch_is_cancelled(pointer) != 0 }

    var isExpired: Bool { cvips_watch_is_expired(pointer) != 0 }

    /// Sets the time that is left, 0 for any. What is longer than a century is one.
    func start(seconds: Double) {
        let century = 3_155_760_000.0
        cvips_watch_start(pointer, seconds > 0 ? Int(min(seconds, century) * 1_000_000) : 0)
    }

    /// Whether the work was called off or its time has run out.
    var isOver: Bool { cvips_watch_check(pointer) != 0 }

    /// Throws if the work was called off or its time has run out.
    func check(_ source: String, _ limits: Limits) throws(RenderError) {
        guard isOver else { return }
        if isCancelled { throw .cancelled(source: source) }
        throw .timedOut(source: source, seconds: limits.seconds)
    }
}
