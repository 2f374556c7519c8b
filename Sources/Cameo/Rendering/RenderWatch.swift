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
        cvips_watch_start(pointer, Int(Self.whole(seconds) * 1_000_000))
    }

    /// A limit of seconds as a number that can be counted with and told to others: no more than a century, and 0, which
    /// is any time, for what is no time.
    static func whole(_ seconds: Double) -> Double { seconds > 0 ? min(seconds, 3_155_760_000) : 0 }

    /// Whether the work was called off or its time has run out.
    var isOver: Bool { cvips_watch_check(pointer) != 0 }

    /// Throws if the work was called off or its time has run out.
    func check(_ source: String, _ limits: Limits) throws(RenderError) {
        guard isOver else { return }
        if isCancelled { throw .cancelled(source: source) }
        throw .timedOut(source: source, seconds: limits.seconds)
    }
}
