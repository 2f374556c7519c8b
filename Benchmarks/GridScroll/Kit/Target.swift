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
        results.libraries.flatMap { together(results, library: $0) }
            + results.entries.filter { $0.spec.engine == .cameo }.flatMap { entry -> [Target] in
                switch (entry.spec.trace, entry.spec.state) {
                case ("fling-to-end", .warmDisk): fling(entry, results)
                case ("slow-drag", .cold): [preview(entry, results)] + queue(entry, results)
                case ("scrubber", .cold): jumps(entry, results) + queue(entry, results)
                case (_, .cold): queue(entry, results)
                default: []
                }
            }
    }

    /// All that was replayed cold of one library against both engines, as one.
    private static func together(_ results: Results, library: Int) -> [Target] {
        var (mine, theirs, traces) = (0.0, 0.0, 0)
        for entry in results.entries
        where entry.spec.engine == .cameo && entry.spec.state == .cold && entry.spec.library == library {
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
                what:
                    "cold\(photos(library, results)), all \(traces) replays together: a fifth of the operation queue's blank time",
                measured: mine > 0 ? "\(Metric.text(theirs / mine)) × less" : "none blank", isMet: mine * 5 <= theirs)
        ]
    }

    private static func fling(_ entry: Results.Entry, _ results: Results) -> [Target] {
        let (blank, late) = (entry.median { $0.blankAfterStart }, entry.median { $0.latePerSecond })
        let handler = entry.median { $0.handler.p99 }
        return [
            Target(
                what: "\(head(entry, results)): nothing blank after the first 50 ms",
                measured: "\(Metric.text(blank)) cell·ms",
                isMet: blank == 0),
            Target(
                what: "\(head(entry, results)): late frames at most 5 ms/s", measured: "\(Metric.text(late)) ms/s",
                isMet: late <= 5),
            Target(
                what: "\(head(entry, results)): frame handler p99 at most 1 ms", measured: "\(Metric.text(handler)) ms",
                isMet: handler <= 1),
        ]
    }

    private static func preview(_ entry: Results.Entry, _ results: Results) -> Target {
        let first = entry.median { $0.toFirstWithPreview.p99 }
        return Target(
            what: "\(head(entry, results)): cells with an embedded preview show something within 50 ms, p99",
            measured: "\(Metric.text(first)) ms", isMet: first <= 50)
    }

    private static func jumps(_ entry: Results.Entry, _ results: Results) -> [Target] {
        let times = (entry.measurements.first?.jumps ?? []).indices.flatMap { index -> [Target] in
            let jumps = entry.measurements.compactMap { $0.jumps.indices.contains(index) ? $0.jumps[index] : nil }
            let batch = jumps.compactMap(\.batch).sorted()
            guard let cells = jumps.first?.cells, !batch.isEmpty else { return [] }
            let bar = 1.15 * batch[batch.count / 2] + 50
            // What never was final counts, but where the screen was left before anybody could ask for that.
            let took = jumps.compactMap { jump in
                jump.allFinal ?? (jump.stayed.map { $0 <= bar } == true ? nil : Double.infinity)
            }.sorted()
            if took.isEmpty { return [] }
            let mine = took[took.count / 2]
            let name = "\(head(entry, results)), jump \(index + 1)"
            let final = Target(
                what: "\(name): \(cells) cells final within 1.15 × batch time + 50 ms",
                measured: "\(mine.isFinite ? "\(Metric.text(mine)) ms" : "never"), bar \(Metric.text(bar)) ms",
                isMet: mine <= bar)
            let behind = jumps.compactMap(\.leftBehindShare).sorted()
            if behind.isEmpty { return [final] }
            let share = behind[behind.count / 2]
            return [
                final,
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
                what: "\(head(entry, results)): a fifth of the operation queue's blank time",
                measured: mine > 0 ? "\(Metric.text(theirs / mine)) × less" : "none blank", isMet: mine * 5 <= theirs),
            Target(
                what: "\(head(entry, results)): at most 10 % of decodes wasted", measured: "\(Metric.text(wasted)) %",
                isMet: wasted <= 10),
        ]
    }

    private static func head(_ entry: Results.Entry, _ results: Results) -> String {
        "\(entry.spec.trace), \(entry.spec.state.title), \(entry.spec.rate) Hz\(photos(entry.spec.library, results))"
    }

    /// Which library, where there are several.
    private static func photos(_ library: Int, _ results: Results) -> String {
        results.libraries.count > 1 ? ", \(library) photos" : ""
    }
}
