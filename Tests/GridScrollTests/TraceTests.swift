import Testing

@testable import GridScrollKit

struct TraceTests {
    @Test("Every recorded trace can be read, and stays inside the content")
    func recorded() throws {
        let traces = try Trace.recorded()
        #expect(traces.count >= 6)
        for trace in traces {
            let plan = try ScrollPlan(trace, count: 10_000)
            for frame in 0...Int(plan.duration * 60) {
                let position = plan.position(at: Double(frame) / 60)
                let end = plan.layouts[position.columns]?.maximumOffset(viewportHeight: plan.screen.height) ?? 0
                #expect(position.offset >= 0 && position.offset <= end)
            }
        }
    }
}
