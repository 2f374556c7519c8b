import CHotPath
import Glibc

/// How long something took, many times over, and how often it allocated.
struct Sample {
    private var nanoseconds: [UInt64] = []
    private var allocations: UInt64 = 0

    /// Runs `body` once and notes it.
    mutating func measure<Result>(_ body: () -> Result) -> Result {
        let before = hotpath_allocations()
        let start = Self.now()
        let result = body()
        let end = Self.now()
        allocations += hotpath_allocations() - before
        nanoseconds.append(end - start)
        return result
    }

    /// Takes over what another sample noted.
    mutating func add(_ other: Sample) {
        nanoseconds += other.nanoseconds
        allocations += other.allocations
    }

    /// In microseconds.
    func quantile(_ share: Double) -> Double {
        let sorted = nanoseconds.sorted()
        if sorted.isEmpty { return 0 }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1000
    }

    var median: Double { quantile(0.5) }

    /// How often one call allocated, on average.
    var allocationsPerCall: Double { Double(allocations) / Double(max(1, nanoseconds.count)) }

    /// A line of a table.
    func row(_ name: String) -> String {
        "| \(name) | \(Self.text(median)) | \(Self.text(quantile(0.99))) | "
            + "\(Self.text(allocationsPerCall)) | \(max(1, nanoseconds.count)) |"
    }

    static func text(_ value: Double) -> String {
        let scaled = Int((value * 100).rounded())
        let fraction = scaled % 100
        return "\(scaled / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }

    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
