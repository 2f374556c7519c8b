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

    @Test("The page escapes what comes from outside, and fetches nothing")
    func page() {
        var results = Self.results(blank: [1])
        results.photos = "<script>photos</script>"
        let page = HTMLReport(results).page
        #expect(!page.contains("<script"))
        #expect(!page.contains("http:") && !page.contains("https:"))
    }
}
