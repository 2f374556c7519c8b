import Cameo
import Foundation
import GridScrollKit

/// Replays the scrolling of a picker's grid: see Benchmarks/README.md.
@main
enum Main {
    static func main() {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.showsHelp { return print(Options.help) }
            if options.isVirtual { return try replayVirtually(options) }
            try run(options)
        } catch let error as BenchmarkError {
            FileHandle.standardError.write(Data("GridScroll: \(error)\n".utf8))
            if case .usage = error { exit(2) }
            exit(3)
        } catch {
            FileHandle.standardError.write(Data("GridScroll: \(error)\n".utf8))
            exit(3)
        }
    }

    private static func replayVirtually(_ options: Options) throws {
        for count in options.libraries {
            var replay = VirtualReplay(try VirtualReplay.assets(of: options.photos, count: count))
            // Cells of a sixteenth of the size: what is counted is the same, and the pixels cost nothing.
            replay.screen.cellLimit = 16
            var counted: [(String, GridScrollKit.Measurement)] = []
            for rate in options.rates {
                replay.rate = rate
                for trace in try options.chosenTraces() {
                    counted.append(("\(trace.name), \(rate) Hz, \(count) photos", try replay.run(trace)))
                }
            }
            print(TerminalReport.counts(counted))
        }
    }

    private static func run(_ options: Options) throws {
        let progress = ProgressLine()
        let traces = try options.chosenTraces()
        var results = Results(date: .now, machine: .current, photos: "", traces: traces)
        for count in options.libraries {
            let workshop = try Workshop(
                photos: options.photos, count: count, traces: traces, scratch: options.scratch,
                progress: progress.show)
            let photos = workshop.library.photos
            results.photos =
                "\(photos.count) photos, \(photos.reduce(0) { $0 + $1.bytes } / photos.count / 1000) kB each on average, "
                + "\(photos.count { $0.hasPreview }) of them with an embedded preview"
            let specs = options.specs(library: count, traces: traces)
            if specs.contains(where: { $0.state != .cold }) { workshop.fillStore(progress: progress.show) }
            if specs.contains(where: { $0.engine == .table }) {
                progress.show("Making tables of pixels", 0, 1)
                try workshop.makeTable()
                results.table = workshop.table?.making
            }
            let all = (0..<options.repeats).flatMap { _ in specs }
            for (number, spec) in all.enumerated() {
                progress.show(
                    "\(spec.trace) \(spec.rate) Hz \(spec.state.title) \(spec.engine.title)", number, all.count)
                if let measurement = try workshop.replay(spec) { results.add(spec, measurement) }
            }
            progress.clear()
        }
        try report(results, options)
    }

    private static func report(_ results: Results, _ options: Options) throws {
        let machine = results.machine
        print("\(machine.processor), \(machine.cores) cores, \(machine.system), load \(machine.load), \(results.date)")
        print(results.photos)
        print(TerminalReport.table(results))
        if let making = results.table {
            print(
                "\nMaking the table of pixels, not in the times above: \(making.pictures) pictures in "
                    + "\(Metric.text(making.seconds)) s, \(making.bytes / 1_000_000) MB for \(making.cells) cells")
        }
        let targets = Target.all(results)
        if !targets.isEmpty { print("\n" + TerminalReport.targets(targets)) }
        var comparison: Comparison?
        if let against = options.against {
            let before = try earlier(against)
            comparison = Comparison(results, against: before)
            print("\nAgainst \(against.path)\n\(comparison?.text ?? "")")
        }
        try FileManager.default.createDirectory(at: options.out, withIntermediateDirectories: true)
        let json = options.json ?? options.out.appending(path: "grid-scroll.json")
        let html = options.html ?? options.out.appending(path: "grid-scroll.html")
        try results.encoded().write(to: json)
        try Data(HTMLReport(results, comparison: comparison?.text).page.utf8).write(to: html)
        print("\n\(html.path)\n\(json.path)")
        if options.checks, targets.isEmpty {
            print("no target can be judged by these replays")
            exit(1)
        }
        if options.checks, targets.contains(where: { !$0.isMet }) { exit(1) }
    }

    private static func earlier(_ file: URL) throws -> Results {
        do {
            return try JSONDecoder().decode(Results.self, from: Data(contentsOf: file))
        } catch {
            throw BenchmarkError.file(file.path, "is no JSON report of this benchmark: \(error)")
        }
    }
}
