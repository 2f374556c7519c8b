import Foundation

/// The report as one page that needs nothing else.
package struct HTMLReport {
    private let results: Results
    private let comparison: String?

    /// The page of `results`; `comparison` is a table against earlier ones.
    package init(_ results: Results, comparison: String? = nil) {
        self.results = results
        self.comparison = comparison
    }

    /// The page.
    package var page: String {
        let traces = results.traces.map(section).joined(separator: "\n")
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Grid scroll: what a finger sees</title><style>\(HTMLStyle.sheet)</style></head><body><main>
            <h1>Grid scroll: what a finger sees</h1>
            \(introduction)
            \(targets)
            \(ablations)
            \(traces)
            \(comparison.map { "<h2>Against the earlier run</h2><pre>\(Chart.escaped($0))</pre>" } ?? "")
            \(notes)
            </main></body></html>
            """
    }

    private var introduction: String {
        let machine = results.machine
        return """
            <p class="lead">Recorded scrolling is replayed, frame by frame and in real time, against a picker’s grid of \
            \(Chart.escaped(libraries)) photos. Each frame notes which cells show their picture, which a stand-in, which \
            nothing at all, and whether the frame was ready when the screen wanted it.</p>
            <p class="meta">\(Chart.escaped(results.date)) · \(Chart.escaped(machine.processor)), \(machine.cores) cores, \
            \(machine.memory >> 30) GB, \(Chart.escaped(machine.system)) · load when it began: \(Metric.text(machine.load)) · \
            \(Chart.escaped(results.photos)) · each replay made \(repeats) time\(repeats == 1 ? "" : "s")</p>
            <p class="legend"><i class="key blank"></i> blank cells <i class="key degraded"></i> cells with a stand-in \
            <i class="key offset"></i> where the grid stands <i class="key late"></i> late frames, longer for later</p>
            """
    }

    private var libraries: String {
        results.libraries.map {
            "\($0.formatted(.number.locale(Locale(identifier: "en"))))"
        }
        .joined(separator: " and ")
    }

    private var repeats: Int { results.entries.map(\.measurements.count).max() ?? 0 }

    private var targets: String {
        let targets = Target.all(results)
        if targets.isEmpty { return "" }
        let rows = targets.map { target in
            "<tr><td class=\"\(target.isMet ? "met" : "missed")\">\(target.isMet ? "met" : "missed")</td>"
                + "<td class=\"word\">\(Chart.escaped(target.what))</td><td>\(Chart.escaped(target.measured))</td></tr>"
        }
        let met = targets.count(where: \.isMet)
        return """
            <h2>Targets: \(met) of \(targets.count) met</h2>
            <details\(met == targets.count ? "" : " open")><summary>Which</summary>
            <table class="targets">\(rows.joined())</table></details>
            """
    }

    private var ablations: String {
        let libraries = results.libraries
        let groups = results.traces.flatMap { trace in libraries.map { (trace, $0) } }
        let charts = groups.flatMap { trace, library -> [String] in
            let entries = results.entries.filter {
                $0.spec.trace == trace.name && $0.spec.state == .cold && $0.spec.library == library
                    && $0.spec.rate == results.entries.map(\.spec.rate).max()
                    && ($0.spec.engine == .cameo || EngineKind.ablations.contains($0.spec.engine))
            }
            if entries.count < 2 { return [] }
            func chart(_ title: String, _ unit: String, _ figure: (Measurement) -> Double) -> String {
                let bars = entries.map { ($0.spec.engine.title, style($0.spec.engine), $0.spread(figure)) }
                let photos = libraries.count > 1 ? ", \(library) photos" : ""
                return BarChart(title: "\(trace.title), cold\(photos): \(title)", unit: unit, bars: bars).svg
            }
            return [
                chart("blank cells", "cell·ms a second") { $0.blankPerSecond },
                chart("to the picture, p50", "ms") { $0.toFinal.p50 },
                chart("decodes", "photos") { Double($0.engine.decodes) },
                chart("processor time", "s") { $0.cpuSeconds },
            ]
        }
        if charts.isEmpty { return "" }
        return """
            <h2>What each feature is worth</h2>
            <p>Cameo as it is, and with one feature switched off at a time. Shorter is better.</p>
            <div class="charts">\(charts.joined())</div>
            """
    }

    private func style(_ engine: EngineKind) -> String { "e-\(engine.rawValue)" }

    private func section(_ trace: Trace) -> String {
        let entries = results.entries.filter { $0.spec.trace == trace.name }
        if entries.isEmpty { return "" }
        var groups: [RunSpec] = []
        for entry in entries
        where entry.spec.engine == entries.first(where: { sameGroup($0.spec, entry.spec) })?.spec.engine {
            groups.append(entry.spec)
        }
        let parts = groups.map { spec in group(entries.filter { sameGroup($0.spec, spec) }, spec) }
        return "<h2>\(Chart.escaped(trace.title))</h2><p>\(Chart.escaped(trace.about))</p>" + parts.joined()
    }

    private func sameGroup(_ a: RunSpec, _ b: RunSpec) -> Bool {
        a.rate == b.rate && a.state == b.state && a.library == b.library
    }

    private func group(_ entries: [Results.Entry], _ spec: RunSpec) -> String {
        let timelines = entries.filter { !EngineKind.ablations.contains($0.spec.engine) }.compactMap { entry in
            entry.measurements.first.map { TimelineChart(measurement: $0, title: entry.spec.engine.title).svg }
        }
        let main = entries.filter { !EngineKind.ablations.contains($0.spec.engine) }
        func curves(_ values: (Measurement) -> [Double]) -> [(name: String, style: String, values: [Double])] {
            main.compactMap { entry in
                entry.measurements.first.map { (entry.spec.engine.title, style(entry.spec.engine), values($0)) }
            }
        }
        let latencies = [
            LatencyChart(title: "Cells that show something, by time since they came", curves: curves(\.firstCurve)).svg,
            LatencyChart(title: "Cells that show their picture", curves: curves(\.finalCurve)).svg,
        ]
        let keys = main.map { "<i class=\"key \(style($0.spec.engine))\"></i> \(Chart.escaped($0.spec.engine.title))" }
        return """
            <h3>\(Chart.escaped(spec.state.title)), \(spec.rate) Hz, \(spec.library) photos</h3>
            <div class="charts">\(timelines.joined())</div>
            <p class="legend">\(keys.joined(separator: " "))</p>
            <div class="charts">\(latencies.joined())</div>
            \(table(entries, Metric.all))
            <p class="legend">What the first frame of a cell showed, by where it came from</p>
            \(table(entries, Metric.firstFrame))
            <details><summary>More figures</summary>\(table(entries, Metric.more))</details>
            """
    }

    private func table(_ entries: [Results.Entry], _ metrics: [Metric]) -> String {
        let heads = metrics.map { "<th>\(Chart.escaped($0.title))<small>\(Chart.escaped($0.unit))</small></th>" }
        let rows = entries.map { entry in
            let cells = metrics.map { metric in
                let spread = entry.spread(metric.value)
                let range =
                    spread.high > spread.low
                    ? "<small>\(Metric.text(spread.low))–\(Metric.text(spread.high))</small>" : ""
                return "<td>\(Metric.text(spread.median))\(range)</td>"
            }
            return "<tr><td class=\"word\">\(Chart.escaped(entry.spec.engine.title))</td>\(cells.joined())</tr>"
        }
        return "<div class=\"wide\"><table><tr><th></th>\(heads.joined())</tr>\(rows.joined())</table></div>"
    }

    private var notes: String {
        let table = results.table.map { making in
            "The table of pixels was made beforehand and is not in these times: \(making.pictures) pictures in "
                + "\(Metric.text(making.seconds)) s on one thread, \(making.bytes / 1_000_000) MB for the \(making.cells) "
                + "cells that the traces show."
        }
        return """
            <h2>How to read this</h2>
            <ul>
            <li><b>blank</b>: milliseconds that cells on screen showed nothing, summed over the cells, for each second in \
            which the grid moved or had moved less than half a second ago. Forty blank cells for a tenth of a second are 4,000.</li>
            <li><b>longest</b>: the longest that any one cell was blank. <b>stand-in</b>: as blank, of cells that showed a \
            camera’s small preview or the photo at another size.</li>
            <li><b>first</b>, <b>final</b>: from coming on screen to showing anything, and to the picture itself. A cell that \
            left before counts with the time that it was there, so a fling that outruns an engine looks better here than it \
            is: see blank.</li>
            <li><b>late</b>: milliseconds of frames that were not ready in time, a second. Apple’s scale: up to 5 is the aim, up \
            to 10 good, 25 a warning, 50 critical. Other programs on the machine make frames late too.</li>
            <li><b>own late</b>: of these, what would have been late had the system woken the display’s thread in time. \
            Decoding in the cell leaves nothing blank, but the screen stands still instead: look at its late frames.</li>
            <li><b>wasted</b>: decodes that nobody wanted any more, as a share of all.</li>
            <li><b>cold</b>: nothing cached, the photos dropped from the system’s memory. <b>warm disk</b>: thumbnails in \
            Cameo’s store, nothing in memory; the baselines have no such store. <b>warm memory</b>: all in memory.</li>
            </ul>
            <p>\(Chart.escaped(table ?? ""))</p>
            """
    }
}
