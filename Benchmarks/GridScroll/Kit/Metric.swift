import Foundation

/// A figure of a measurement as tables and comparisons show it.
public struct Metric: Sendable {
    /// Its key in JSON.
    public let key: String
    /// The head of its column.
    public let title: String
    /// Its unit.
    public let unit: String
    /// The figure.
    public let value: @Sendable (Measurement) -> Double
    /// Differences under this are no differences.
    public let grain: Double

    /// What the tables show. Of each, less is better.
    public static let all: [Metric] = [
        Metric("blankPerSecond", "blank", "cell·ms/s", grain: 5) { $0.blankPerSecond },
        Metric("longestBlank", "longest", "ms", grain: 17) { $0.longestBlank },
        Metric("degradedPerSecond", "stand-in", "cell·ms/s", grain: 5) { $0.degradedPerSecond },
        Metric("toFirst.p50", "first p50", "ms", grain: 9) { $0.toFirst.p50 },
        Metric("toFirst.p99", "first p99", "ms", grain: 17) { $0.toFirst.p99 },
        Metric("toFinal.p50", "final p50", "ms", grain: 9) { $0.toFinal.p50 },
        Metric("toFinal.p99", "final p99", "ms", grain: 17) { $0.toFinal.p99 },
        Metric("latePerSecond", "late", "ms/s", grain: 2) { $0.latePerSecond },
        Metric("lateByHandlerPerSecond", "own late", "ms/s", grain: 2) { $0.lateByHandlerPerSecond },
        Metric("handler.p99", "handler p99", "ms", grain: 0.1) { $0.handler.p99 },
        Metric("decodes", "decodes", "", grain: 5) { Double($0.engine.decodes) },
        Metric("wastedShare", "wasted", "%", grain: 0.5) { $0.wastedShare * 100 },
        Metric("cpuSeconds", "CPU", "s", grain: 0.05) { $0.cpuSeconds },
        Metric("peakResident", "memory", "MB", grain: 10) { Double($0.process.peakResident) / 1e6 },
    ]

    private init(
        _ key: String, _ title: String, _ unit: String, grain: Double,
        value: @escaping @Sendable (Measurement) -> Double
    ) {
        self.key = key
        self.title = title
        self.unit = unit
        self.grain = grain
        self.value = value
    }

    /// A number with as many digits as it is worth.
    public static func text(_ value: Double) -> String {
        if value == 0 { return "0" }
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
        return String(format: "%.\(digits)f", value)
    }
}
