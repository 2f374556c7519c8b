import Foundation
import Testing

@testable import GridScrollKit

struct TraceTests {
    @Test("Every recorded trace can be read, written again the same, and stays inside the content")
    func recorded() throws {
        let traces = try Trace.recorded()
        #expect(
            Set(traces.map(\.name)).isSuperset(of: [
                "slow-drag", "flick", "fling-to-end", "reverse", "scrubber", "pinch",
            ]))
        for trace in traces {
            #expect(try JSONDecoder().decode(Trace.self, from: JSONEncoder().encode(trace)) == trace)
            for count in [1000, 100_000] {
                let plan = try ScrollPlan(trace, count: count)
                for frame in 0...Int(plan.duration * 60) {
                    let position = plan.position(at: Double(frame) / 60)
                    let end = plan.layouts[position.columns]?.maximumOffset(viewportHeight: plan.screen.height) ?? 0
                    #expect(position.offset >= 0 && position.offset <= end)
                }
            }
        }
    }

    @Test("The fling ends with the last photo on screen, the reverse near where it began")
    func ends() throws {
        func plan(_ name: String) throws -> ScrollPlan {
            try ScrollPlan(try #require(try Trace.recorded().first { $0.name == name }), count: 10_000)
        }
        let fling = try plan("fling-to-end")
        #expect(fling.visible(at: fling.position(at: fling.duration)).upperBound == 10_000)
        let reverse = try plan("reverse")
        let (start, end) = (reverse.position(at: 0).offset, reverse.position(at: reverse.duration).offset)
        let furthest =
            stride(from: 0, to: reverse.duration, by: 0.01).map { reverse.position(at: $0).offset }.max() ?? 0
        #expect(furthest - start > 2000 && abs(end - start) < furthest - start)
    }

    @Test("A pinch keeps the photo in the middle of the screen")
    func pinch() throws {
        let trace = Trace(
            name: "pinch", title: "", about: "", columns: 5, start: .share(0.5),
            steps: [.rest(1), .columns(10), .rest(1)])
        let plan = try ScrollPlan(trace, count: 10_000)
        let (before, after) = (plan.visible(at: plan.position(at: 0.5)), plan.visible(at: plan.position(at: 1.5)))
        #expect(after.contains((before.lowerBound + before.upperBound) / 2))
    }

    @Test("A recorded finger is followed sample by sample")
    func samples() throws {
        let trace = Trace(
            name: "own", title: "", about: "", columns: 5, start: .share(0.5),
            steps: [.samples([[0, 0], [0.5, 100], [1, -50]]), .rest(1)])
        let plan = try ScrollPlan(trace, count: 10_000)
        let start = plan.position(at: 0).offset
        let moved = [0.25, 0.5, 0.75, 1, 1.5].map { (plan.position(at: $0).offset - start).rounded() }
        #expect(moved == [50, 100, 25, -50, -50])
    }

    @Test(
        "A step that is none, or two at once, is refused",
        arguments: [#"{"fly": 3}"#, #"{"rest": 1, "jump": 0.5}"#, "{}"])
    func broken(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TraceStep.self, from: Data(json.utf8)) }
    }
}
