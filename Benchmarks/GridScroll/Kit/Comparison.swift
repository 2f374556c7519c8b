import Foundation

/// Two runs next to each other.
package struct Comparison {
    /// One figure of one replay, before and now.
    package struct Row: Hashable, Sendable {
        /// The replay.
        package let spec: RunSpec
        /// The figure's key.
        package let metric: String
        /// Median, smallest and largest before.
        package let before: [Double]
        /// Median, smallest and largest now.
        package let now: [Double]
        /// Whether the two ranges lie apart, and by more than the figure's grain and a tenth.
        package let isApart: Bool
    }

    /// All figures of replays that both runs made.
    package let rows: [Row]

    /// Compares `now` with `before`.
    package init(_ now: Results, against before: Results) {
        rows = now.entries.flatMap { entry -> [Row] in
            guard let old = before.entry(entry.spec) else { return [] }
            return Metric.all.map { metric in
                let (was, `is`) = (old.spread(metric.value), entry.spread(metric.value))
                let gap = max(`is`.low - was.high, was.low - `is`.high)
                let isApart = gap > max(metric.grain, 0.1 * was.median)
                return Row(
                    spec: entry.spec, metric: metric.key, before: [was.median, was.low, was.high],
                    now: [`is`.median, `is`.low, `is`.high], isApart: isApart)
            }
        }
    }

    /// The figures that lie apart, as a table for a terminal.
    package var text: String {
        let apart = rows.filter(\.isApart)
        if rows.isEmpty { return "The two runs have no replay in common." }
        if apart.isEmpty { return "\(rows.count) figures compared: none lies apart by more than its spread." }
        let lines = apart.map { row in
            let name = "\(row.spec.trace) \(row.spec.rate) Hz \(row.spec.state.rawValue) \(row.spec.engine.rawValue)"
            return [
                name, row.metric, Self.range(row.before), "→", Self.range(row.now),
                row.now[0] < row.before[0] ? "better" : "WORSE",
            ]
        }
        let head = "\(apart.count) of \(rows.count) figures lie apart by more than their spread:"
        return ([head] + TerminalReport.aligned(lines, leading: 2)).joined(separator: "\n")
    }

    private static func range(_ values: [Double]) -> String {
        values[1] == values[2]
            ? Metric.text(values[0]) : "\(Metric.text(values[0])) (\(Metric.text(values[1]))–\(Metric.text(values[2])))"
    }
}
