import Foundation

/// Tables for a terminal.
package enum TerminalReport {
    /// One table for each trace, rate and state: a line an engine.
    package static func table(_ results: Results) -> String {
        var lines: [String] = []
        var heads: Set<String> = []
        for entry in results.entries {
            let spec = entry.spec
            let title = results.traces.first { $0.name == spec.trace }?.title ?? spec.trace
            let head = "\(title), \(spec.rate) Hz, \(spec.state.title), \(spec.library) photos"
            guard heads.insert(head).inserted else { continue }
            let group = results.entries.filter {
                $0.spec.trace == spec.trace && $0.spec.rate == spec.rate && $0.spec.state == spec.state
                    && $0.spec.library == spec.library
            }
            lines += ["", head] + rows(group)
        }
        return lines.joined(separator: "\n")
    }

    /// What replays in virtual time counted: a line a trace, the same each time.
    package static func counts(_ replays: [(name: String, measured: Measurement)]) -> String {
        let figures: [(String, (Measurement) -> Int)] = [
            ("cells", \.cellsEntered), ("blank frames", \.blankFrames), ("left unfinished", \.leftUnfinished),
            ("decodes", \.engine.decodes), ("wasted", \.engine.wasted), ("called off", \.engine.cancelledBefore),
            ("while decoding", \.engine.cancelledDuring), ("joined", \.engine.coalesced),
            ("stand-ins", \.engine.standIns), ("failed", \.engine.failed),
        ]
        let rows = replays.map { replay in [replay.name] + figures.map { "\($0.1(replay.measured))" } }
        return aligned([["in virtual time"] + figures.map(\.0)] + rows).joined(separator: "\n")
    }

    /// Which bars are cleared.
    package static func targets(_ targets: [Target]) -> String {
        let rows = targets.map { [$0.isMet ? "met" : "MISSED", $0.what, $0.measured] }
        return (["Targets"] + aligned(rows, leading: 2)).joined(separator: "\n")
    }

    private static func rows(_ entries: [Results.Entry]) -> [String] {
        let metrics = Metric.all
        var cells = [[""] + metrics.map(\.title), [""] + metrics.map(\.unit)]
        for entry in entries {
            cells.append([entry.spec.engine.title] + metrics.map { Metric.text(entry.median($0.value)) })
        }
        let tiers = Metric.firstFrame
        var shares = [["first frame, %"] + tiers.map(\.title)]
        for entry in entries {
            shares.append([entry.spec.engine.title] + tiers.map { Metric.text(entry.median($0.value)) })
        }
        return aligned(cells) + [""] + aligned(shares)
    }

    /// Rows with columns of one width: the first `leading` ones to the left, the others to the right.
    package static func aligned(_ rows: [[String]], leading: Int = 1) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column < leading ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }
    }
}

/// A line on the terminal that tells how far things are; nothing where nobody looks.
package final class ProgressLine {
    private let isShown = isatty(2) == 1
    private var last = ContinuousClock.now
    private let start = ContinuousClock.now

    /// A line that shows nothing yet.
    package init() {}

    /// Shows how far `what` is.
    package func show(_ what: String, _ done: Int, _ all: Int) {
        guard isShown, done == 0 || last.duration(to: .now) > .milliseconds(80) else { return }
        last = .now
        let filled = all > 0 ? 24 * done / all : 0
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
        write("\r\u{1B}[K\(bar) \(done)/\(all) \(what), \(start.duration(to: .now).components.seconds) s")
    }

    /// Takes the line away.
    package func clear() { if isShown { write("\r\u{1B}[K") } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
