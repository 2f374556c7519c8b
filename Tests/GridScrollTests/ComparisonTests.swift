import Foundation
import Testing

@testable import GridScrollKit

struct ComparisonTests {
    private static let spec = RunSpec(trace: "flick", library: 1000, rate: 120, state: .cold, engine: .cameo)

    private static func results(blank: [Double]) -> Results {
        var results = Results(date: Date(timeIntervalSince1970: 0), machine: .current, photos: "", traces: [])
        for value in blank {
            var measured = Measurement(CellTracker(), EngineFigures()) { _ in false }
            measured.blankPerSecond = value
            results.add(spec, measured)
        }
        return results
    }

    @Test("Ranges that overlap are no difference; ranges apart are one, and say which way")
    func spread() {
        let before = Self.results(blank: [100, 120, 140])
        #expect(Comparison(Self.results(blank: [135, 150, 180]), against: before).rows.filter(\.isApart).isEmpty)
        let worse = Comparison(Self.results(blank: [300, 310, 320]), against: before)
        #expect(worse.rows.filter(\.isApart).map(\.metric) == ["blankPerSecond"])
        #expect(worse.text.contains("WORSE"))
        #expect(Comparison(Self.results(blank: [10, 20, 30]), against: before).text.contains("better"))
    }

    @Test("A report that is written is read again with the same figures")
    func coding() throws {
        let results = Self.results(blank: [1, 2, 3])
        let again = try JSONDecoder().decode(Results.self, from: results.encoded())
        #expect(again.entry(Self.spec)?.spread(\.blankPerSecond).median == 2)
        #expect(Comparison(again, against: results).rows.filter(\.isApart).isEmpty)
    }

    /// The targets of a scrubber jump of which `final`, `stayed` and `batch` were measured, once for each.
    private static func targets(_ jumps: [(final: Double?, stayed: Double?)]) -> [Target] {
        var results = Results(date: .now, machine: .current, photos: "", traces: [])
        for times in jumps {
            var measured = Measurement(CellTracker(), EngineFigures()) { _ in false }
            var jump = Measurement.Jump(at: 1, cells: 35)
            (jump.allFinal, jump.stayed, jump.batch) = (times.final, times.stayed, 200)
            measured.jumps = [jump]
            var spec = spec
            spec.trace = "scrubber"
            results.add(spec, measured)
        }
        return Target.all(results)
    }

    @Test("A jump whose cells never all show their picture misses its bar; one that is left before has none")
    func jumps() throws {
        // The bar is 280 ms.
        #expect(Self.targets([(250, 1500)]).map(\.isMet) == [true])
        #expect(Self.targets([(300, 1500)]).map(\.isMet) == [false])
        let never = Self.targets([(nil, 1500)])
        #expect(never.map(\.isMet) == [false] && never[0].measured.hasPrefix("never"))
        #expect(Self.targets([(nil, nil)]).map(\.isMet) == [false])
        #expect(Self.targets([(nil, 100)]).isEmpty)
        #expect(Self.targets([(250, 1500), (nil, 1500), (260, 1500)]).map(\.isMet) == [true])
        #expect(Self.targets([(250, 1500), (nil, 1500), (nil, 1500)]).map(\.isMet) == [false])
    }

    @Test("What jumps to a screen and never shows it all is told with the time that it stayed")
    func stayed() throws {
        let trace = try #require(try Trace.recorded().first { $0.name == "scrubber" })
        let photos = try PhotoFolder.shared.get()
        var replay = VirtualReplay(photos.assets(3000))
        replay.screen.cellLimit = 16
        // A decode that takes for ever.
        replay.costs.decode = 1000
        let plan = try ScrollPlan(trace, count: 3000, screen: replay.screen)
        let tracker = try replay.tracker(trace).tracker
        let jumps = tracker.jumps(of: plan, [], since: 0)
        #expect(jumps.count == plan.jumps.count && jumps.allSatisfy { $0.allFinal == nil })
        #expect(jumps.contains { $0.stayed ?? 0 > 1000 } && jumps.contains { $0.stayed ?? 1000 < 200 })
    }

    /// What replays in virtual time measure, against Cameo and Cameo without cancellation, of libraries of two sizes.
    private static func replayed() throws -> Results {
        let photos = try PhotoFolder.shared.get()
        let trace = try #require(try Trace.recorded().first { $0.name == "flick" })
        var results = Results(date: Date(timeIntervalSince1970: 0), machine: .current, photos: "", traces: [trace])
        for library in [1000, 3000] {
            for engine in [EngineKind.cameo, .noCancellation] {
                var replay = VirtualReplay(photos.assets(library))
                replay.screen.cellLimit = 16
                replay.features = try #require(engine.features)
                var spec = spec
                (spec.library, spec.engine) = (library, engine)
                results.add(spec, try replay.run(trace))
            }
        }
        return results
    }

    @Test("The page has a time line, latencies and what a feature is worth, for each size of library, as figures say")
    func charts() throws {
        let results = try Self.replayed()
        let page = HTMLReport(results).page
        let drawings = page.components(separatedBy: "<svg ").dropFirst().map { $0.components(separatedBy: "</svg>")[0] }
        func labelled(_ label: String) -> [String] { drawings.filter { $0.contains("aria-label=\"\(label)") } }
        // Of each library: Cameo's time line, two latencies, four figures of both engines.
        #expect(drawings.count == 2 * (1 + 2 + 4))
        #expect(labelled("Cameo").count == 2 && labelled("Cells that show").count == 4)
        for library in [1000, 3000] {
            let bars = labelled("\(results.traces[0].title), cold, \(library) photos: decodes")
            #expect(bars.count == 1)
            // Those of the other library are in a drawing of their own.
            #expect(bars.first?.components(separatedBy: "<rect").count == 1 + 2)
            for engine in [EngineKind.cameo, .noCancellation] {
                var spec = Self.spec
                (spec.library, spec.engine) = (library, engine)
                let decodes = try #require(results.entry(spec)).median { Double($0.engine.decodes) }
                #expect(bars.first?.contains(Metric.text(decodes)) == true && decodes > 0)
            }
        }
        let timeline = try #require(labelled("Cameo").first)
        #expect(timeline.contains("class=\"blank\"") && timeline.contains("class=\"offset\""))
        #expect(try #require(labelled("Cells that show").first).contains("class=\"curve e-cameo\""))
        for drawing in drawings { #expect(!drawing.contains("nan") && !drawing.contains("inf")) }
    }

    @Test("Targets of libraries of two sizes are told apart")
    func libraries() throws {
        var results = Self.results(blank: [10])
        for library in [1000, 3000] {
            for (engine, blank) in [(EngineKind.cameo, library == 1000 ? 10.0 : 90), (.queue, 100)] {
                for trace in ["flick", "pinch"] {
                    var measured = Measurement(CellTracker(), EngineFigures()) { _ in false }
                    (measured.blankPerSecond, measured.activeSeconds) = (blank, 1)
                    var spec = Self.spec
                    (spec.library, spec.engine, spec.trace) = (library, engine, trace)
                    results.add(spec, measured)
                }
            }
        }
        let together = Target.all(results).filter { $0.what.contains("together") }
        #expect(together.map(\.isMet) == [true, false])
        #expect(together[0].what.contains("1000 photos") && together[1].what.contains("3000 photos"))
    }

    @Test("The page escapes what comes from outside, and fetches nothing")
    func page() {
        var results = Self.results(blank: [1])
        results.photos = "<script>photos</script>"
        let page = HTMLReport(results).page
        #expect(!page.contains("<script"))
        #expect(!page.contains("http:") && !page.contains("https:"))
    }
}
