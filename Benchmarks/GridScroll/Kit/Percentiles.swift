/// Where a sorted set of numbers lies.
package struct Percentiles: Codable, Hashable, Sendable {
    /// How many numbers.
    package var count = 0
    /// Half are no larger.
    package var p50 = 0.0
    /// 90 % are no larger.
    package var p90 = 0.0
    /// 99 % are no larger.
    package var p99 = 0.0
    /// The largest.
    package var max = 0.0

    /// The percentiles of `values`; all 0 where there are none. O(n log n).
    package init(_ values: [Double]) {
        let sorted = values.sorted()
        count = sorted.count
        (p50, p90) = (Self.quantile(sorted, 0.5), Self.quantile(sorted, 0.9))
        (p99, max) = (Self.quantile(sorted, 0.99), sorted.last ?? 0)
    }

    /// The smallest of `sorted` that `share` of all are no larger than.
    static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        if sorted.isEmpty { return 0 }
        let rank = Int((Double(sorted.count) * share).rounded(.up))
        return sorted[min(sorted.count, Swift.max(1, rank)) - 1]
    }

    /// The quantiles at 0, 2, 4 … 100 %, for a curve.
    static func curve(_ values: [Double]) -> [Double] {
        let sorted = values.sorted()
        return sorted.isEmpty ? [] : (0...50).map { quantile(sorted, Double($0) / 50) }
    }
}
