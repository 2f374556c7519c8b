import Foundation

/// A figure of a measurement as tables and comparisons show it.
package struct Metric: Sendable {
    /// Its key in JSON.
    package let key: String
    /// The head of its column.
    package let title: String
    /// Its unit.
    package let unit: String
    /// The figure.
    package let value: @Sendable (Measurement) -> Double
    /// Differences under this are no differences.
    package let grain: Double

    /// What the tables show. Of each, less is better.
    package static let all: [Metric] = [
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

    /// What the page shows besides. Not all of these are better when they are less.
    package static let more: [Metric] = [
        Metric("cellsPerSecond", "cells", "1/s", grain: 1) { $0.cellsPerSecond },
        Metric("firstFrameFinal", "first frame: picture", "%", grain: 1) { $0.firstFrameFinal * 100 },
        Metric("firstFrameStandIn", "stand-in", "%", grain: 1) { $0.firstFrameStandIn * 100 },
        Metric("firstFrameBlank", "nothing", "%", grain: 1) { $0.firstFrameBlank * 100 },
        Metric("toFirst.p90", "first p90", "ms", grain: 9) { $0.toFirst.p90 },
        Metric("toFirst.max", "first max", "ms", grain: 17) { $0.toFirst.max },
        Metric("toFinal.p90", "final p90", "ms", grain: 9) { $0.toFinal.p90 },
        Metric("toFinal.max", "final max", "ms", grain: 17) { $0.toFinal.max },
        Metric("leftUnfinished", "left before final", "cells", grain: 5) { Double($0.leftUnfinished) },
        Metric("handler.p50", "handler p50", "ms", grain: 0.1) { $0.handler.p50 },
        Metric("wake.p99", "woken late p99", "ms", grain: 1) { $0.wake.p99 },
        Metric("cancelledBefore", "called off", "", grain: 10) { Double($0.engine.cancelledBefore) },
        Metric("cancelledDuring", "while decoding", "", grain: 5) { Double($0.engine.cancelledDuring) },
        Metric("cancelLatency.p50", "freed after p50", "ms", grain: 2) { $0.cancelLatency.p50 },
        Metric("cancelLatency.p99", "p99", "ms", grain: 5) { $0.cancelLatency.p99 },
        Metric("peakThreads", "threads", "", grain: 1) { Double($0.process.peakThreads) },
        Metric("bytesRead", "read", "MB", grain: 1) { Double($0.process.bytesRead) / 1e6 },
        Metric("diskRead", "from disk", "MB", grain: 1) { Double($0.process.diskRead) / 1e6 },
        Metric("bytesWritten", "written", "MB", grain: 1) { Double($0.process.bytesWritten) / 1e6 },
    ]

    /// Of the cells that came on screen, the share whose first frame showed a picture, by where that came from: memory, the
    /// store, the photo itself, the small picture inside it, another stand-in, or nothing.
    package static let firstFrame: [Metric] =
        [
            tier("memory", "memory", [.memory]), tier("disk", "disk", [.disk, .table]),
            tier("rendered", "rendered", [.rendered]), tier("preview", "embedded preview", [.preview]),
            tier("standIn", "other stand-in", [.blur, .otherSize]),
        ] + [Metric("firstFrame.blank", "nothing", "%", grain: 1) { $0.firstFrameBlank * 100 }]

    private static func tier(_ key: String, _ title: String, _ origins: [CellOrigin]) -> Metric {
        Metric("firstFrame.\(key)", title, "%", grain: 1) { measured in
            origins.reduce(0) { $0 + (measured.firstFrameTiers?[$1.rawValue] ?? 0) } * 100
        }
    }

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
    package static func text(_ value: Double) -> String {
        if value == 0 { return "0" }
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
        return String(format: "%.\(digits)f", value)
    }
}
