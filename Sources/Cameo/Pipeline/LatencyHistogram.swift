import Glibc
import Synchronization

/// How long something took, each time, to within a factor of √2. Noting a time costs one atomic addition.
public final class LatencyHistogram: Sendable {
    private let buckets = InlineArray<96, Atomic<Int>> { _ in Atomic(0) }

    init() {}

    /// Notes a duration in nanoseconds. O(1).
    func note(_ nanoseconds: UInt64) {
        buckets[Self.bucket(nanoseconds)].add(1, ordering: .relaxed)
    }

    /// Notes what `body` took.
    func timing<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let start = MonotonicClock.nanoseconds()
        defer { note(MonotonicClock.nanoseconds() - start) }
        return try body()
    }

    /// How many durations were noted.
    public var count: Int { buckets.indices.reduce(0) { $0 + buckets[$1].load(ordering: .relaxed) } }

    /// The duration in seconds that `share` of all, between 0 and 1, were no longer than, rounded up; 0 where nothing was
    /// noted.
    public func quantile(_ share: Double) -> Double {
        let counts = buckets.indices.map { buckets[$0].load(ordering: .relaxed) }
        let total = counts.reduce(0, +)
        if total == 0 { return 0 }
        // In this order, what is no number counts as 0.
        var left = max(1, Int((Double(total) * min(1, max(0, share))).rounded(.up)))
        for (index, count) in counts.enumerated() {
            left -= count
            if left <= 0 { return pow(2, Double(index + 1) / 2) / 1e9 }
        }
        return pow(2, Double(counts.count) / 2) / 1e9
    }

    /// Two buckets for each doubling.
    private static func bucket(_ nanoseconds: UInt64) -> Int {
        if nanoseconds < 2 { return 0 }
        let exponent = 63 - nanoseconds.leadingZeroBitCount
        let isUpper = Double(nanoseconds) >= pow(2, Double(exponent) + 0.5)
        return min(95, exponent * 2 + (isUpper ? 1 : 0))
    }
}
