import Foundation

/// A bar that a run clears or misses, with what was measured.
package struct Target: Codable, Hashable, Sendable {
    /// What is asked, in words.
    package var what: String
    /// What was measured, in words.
    package var measured: String
    /// Whether the bar is cleared.
    package var isMet: Bool

    /// The bars that `results` can tell about. Over repeats the median counts.
    package static func all(_ results: Results) -> [Target] {
        together(results)
            + results.entries.filter { $0.spec.engine == .cameo }.flatMap { entry -> [Target] in
                switch (entry.spec.trace, entry.spec.state) {
                case ("fling-to-end", .warmDisk): fling(entry)
                case ("slow-drag", .cold): [preview(entry)] + queue(entry, results)
                case ("scrubber", .cold): jumps(entry) + queue(entry, results)
                case (_, .cold): queue(entry, results)
                default: []
                }
            }
    }

    /// All that was replayed cold against both engines, as one.
    private static func together(_ results: Results) -> [Target] {
        var (mine, theirs, traces) = (0.0, 0.0, 0)
        for entry in results.entries where entry.spec.engine == .cameo && entry.spec.state == .cold {
            var spec = entry.spec
            spec.engine = .queue
            guard let queue = results.entry(spec) else { continue }
            mine += entry.median { $0.blankPerSecond * $0.activeSeconds }
            theirs += queue.median { $0.blankPerSecond * $0.activeSeconds }
            traces += 1
        }
        guard traces > 1 else { return [] }
        return [
            Target(
                what: "cold, all \(traces) replays together: a fifth of the operation queue's blank time",
                measured: mine > 0 ? "\(Metric.text(theirs / mine)) × less" : "none blank", isMet: mine * 5 <= theirs)
        ]
    }

    private static func fling(_ entry: Results.Entry) -> [Target] {
        let (blank, late) = (entry.median { $0.blankAfterStart }, entry.median { $0.latePerSecond })
        let handler = entry.median { $0.handler.p99 }
        return [
            Target(
                what: "\(head(entry)): nothing blank after the first 50 ms", measured: "\(Metric.text(blank)) cell·ms",
                isMet: blank == 0),
            Target(
                what: "\(head(entry)): late frames at most 5 ms/s", measured: "\(Metric.text(late)) ms/s",
                isMet: late <= 5),
            Target(
                what: "\(head(entry)): frame handler p99 at most 1 ms", measured: "\(Metric.text(handler)) ms",
                isMet: handler <= 1),
        ]
    }

    private static func preview(_ entry: Results.Entry) -> Target {
        let first = entry.median { $0.toFirstWithPreview.p99 }
        return Target(
            what: "\(head(entry)): cells with an embedded preview show something within 50 ms, p99",
            measured: "\(Metric.text(first)) ms", isMet: first <= 50)
    }

    private static func jumps(_ entry: Results.Entry) -> [Target] {
        let times = (entry.measurements.first?.jumps ?? []).indices.flatMap { index -> [Target] in
            let jumps = entry.measurements.compactMap { $0.jumps.indices.contains(index) ? $0.jumps[index] : nil }
            let took = jumps.compactMap(\.allFinal).sorted()
            let batch = jumps.compactMap(\.batch).sorted()
            let behind = jumps.compactMap(\.leftBehindShare).sorted()
            guard let cells = jumps.first?.cells, !took.isEmpty, !batch.isEmpty, !behind.isEmpty else { return [] }
            let (mine, theirs) = (took[took.count / 2], batch[batch.count / 2])
            let share = behind[behind.count / 2]
            let name = "\(head(entry)), jump \(index + 1)"
            return [
                Target(
                    what: "\(name): \(cells) cells final within 1.15 × batch time + 50 ms",
                    measured: "\(Metric.text(mine)) ms, bar \(Metric.text(1.15 * theirs + 50)) ms",
                    isMet: mine <= 1.15 * theirs + 50),
                Target(
                    what: "\(name): cells left behind take under 5 % of that time",
                    measured: "\(Metric.text(share * 100)) %", isMet: share < 0.05),
            ]
        }
        return times
    }

    private static func queue(_ entry: Results.Entry, _ results: Results) -> [Target] {
        var spec = entry.spec
        spec.engine = .queue
        guard let queue = results.entry(spec) else { return [] }
        let (mine, theirs) = (entry.median { $0.blankPerSecond }, queue.median { $0.blankPerSecond })
        let wasted = entry.median { $0.wastedShare * 100 }
        return [
            Target(
                what: "\(head(entry)): a fifth of the operation queue's blank time",
                measured: mine > 0 ? "\(Metric.text(theirs / mine)) × less" : "none blank", isMet: mine * 5 <= theirs),
            Target(
                what: "\(head(entry)): at most 10 % of decodes wasted", measured: "\(Metric.text(wasted)) %",
                isMet: wasted <= 10),
        ]
    }

    private static func head(_ entry: Results.Entry) -> String {
        "\(entry.spec.trace), \(entry.spec.state.title), \(entry.spec.rate) Hz"
    }
}
