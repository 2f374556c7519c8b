import Foundation
import GridScrollKit

/// The command line.
struct Options {
    static let help = """
        Replays the scrolling of a picker's grid in real time, and reports what a finger would see.

        Usage: swift run -c release GridScroll --photos DIR [options]

          --photos DIR        photos that the library is made of
          --library N,…       assets: 1k, 10k, 100k or any number (10k)
          --traces NAME,…     which traces (all)
          --trace-folder DIR  traces of your own instead
          --rates HZ,…        60, 120 (120)
          --states S,…        cold, warm-disk, warm-memory (all)
          --engines E,…       cameo, queue, naive, table, no-coalescing, no-cancellation, no-prefetch, oldest-first,
                              no-stand-ins. The default is cameo everywhere, and the others where they tell most;
                              those named are run everywhere
          --repeats N         each replay so often, in turns (1)
          --virtual           in virtual time instead, Cameo alone and nothing cached: prints what is counted, which is the
                              same each time; 3,000 assets unless said otherwise
          --full              both rates, every engine in every state, three times
          --out DIR           where the reports go (./out/grid-scroll)
          --json FILE         the JSON report elsewhere; --html FILE the page
          --against FILE      compares with an earlier JSON report
          --scratch DIR       where copies of the photos go (~/.cache/cameo-benchmarks)
          --check             exit 1 if a target is missed
        """

    var photos = URL(filePath: ".")
    var libraries: [Int] { chosenLibraries ?? [isVirtual ? 3000 : 10_000] }
    var isVirtual = false
    var rates = [120]
    var states = CacheState.allCases
    var engines: [EngineKind]?
    var repeats = 1
    var isFull = false
    var out = URL(filePath: "out/grid-scroll")
    var json: URL?
    var html: URL?
    var against: URL?
    var scratch = URL.homeDirectory.appending(path: ".cache/cameo-benchmarks")
    var checks = false
    var showsHelp = false
    private var chosenLibraries: [Int]?
    private var traceNames: [String]?
    private var traceFolder: URL?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var hasPhotos = false
        while let name = rest.popFirst() {
            func value() throws -> String {
                guard let value = rest.popFirst() else { throw BenchmarkError.usage("\(name) needs a value") }
                return value
            }
            func list() throws -> [String] { try value().split(separator: ",").map(String.init) }
            switch name {
            case "--help", "-h": showsHelp = true
            case "--photos":
                photos = URL(filePath: try value())
                hasPhotos = true
            case "--library": chosenLibraries = try list().map(Self.count)
            case "--virtual": isVirtual = true
            case "--traces": traceNames = try list()
            case "--trace-folder": traceFolder = URL(filePath: try value())
            case "--rates": rates = try list().map { try Self.number($0, 1...1000) }
            case "--states": states = try list().map(Self.named)
            case "--engines": engines = try list().map(Self.named)
            case "--repeats": repeats = try Self.number(value(), 1...1000)
            case "--full": isFull = true
            case "--out": out = URL(filePath: try value())
            case "--json": json = URL(filePath: try value())
            case "--html": html = URL(filePath: try value())
            case "--against": against = URL(filePath: try value())
            case "--scratch": scratch = URL(filePath: try value())
            case "--check": checks = true
            default: throw BenchmarkError.usage("unknown option \(name); try --help")
            }
        }
        if isFull {
            (rates, engines, repeats) = ([60, 120], engines ?? EngineKind.allCases, max(repeats, 3))
        }
        if !hasPhotos, !showsHelp { throw BenchmarkError.usage("--photos DIR is needed; try --help") }
    }

    /// The traces that were asked for.
    func chosenTraces() throws -> [Trace] {
        let all = try traceFolder.map(Trace.all) ?? Trace.recorded()
        guard let traceNames else { return all }
        return try traceNames.map { name in
            guard let trace = all.first(where: { $0.name == name }) else {
                throw BenchmarkError.usage("no trace \(name); there are \(all.map(\.name).joined(separator: ", "))")
            }
            return trace
        }
    }

    /// What is replayed, engines of one combination next to each other.
    func specs(library: Int, traces: [Trace]) -> [RunSpec] {
        traces.flatMap { trace in
            rates.flatMap { rate in
                states.flatMap { state in
                    (engines ?? usualEngines(state, trace)).map {
                        RunSpec(trace: trace.name, library: library, rate: rate, state: state, engine: $0)
                    }
                }
            }
        }
    }

    /// The baselines where nothing is cached; single features where they matter most.
    private func usualEngines(_ state: CacheState, _ trace: Trace) -> [EngineKind] {
        guard state == .cold else { return [.cameo] }
        let ablations = trace.name == "reverse" || trace.name == "scrubber" ? EngineKind.ablations : []
        return [.cameo, .queue, .naive, .table] + ablations
    }

    private static func count(_ text: String) throws -> Int {
        if text.hasSuffix("k"), let thousands = Int(text.dropLast()) {
            return try number("\(thousands * 1000)", 1...1_000_000)
        }
        return try number(text, 1...1_000_000)
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw BenchmarkError.usage("\(text) is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func named<Kind: RawRepresentable<String> & CaseIterable>(_ text: String) throws -> Kind {
        guard let kind = Kind(rawValue: text) else {
            throw BenchmarkError.usage(
                "\(text) is none of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return kind
    }
}
