import Cameo
import Foundation
import Testing

@testable import GridScrollKit

/// The benchmark in virtual time, gated on counts: what a change to the pipeline does to scrolling shows here, on any
/// machine.
@Suite(.serialized)
struct VirtualReplayTests {
    @Test("Every trace keeps inside its counts: decodes a cell, wasted decodes, blank frames")
    func gates() throws {
        let photos = try PhotoFolder()
        for trace in try Trace.recorded() {
            let measured = try replay(photos).run(trace)
            let shown = try ScrollPlan(trace, count: 3000).shown.values.reduce(0) { $0 + $1.count }
            print("GATE", trace.name, measured.engine.decodes, measured.engine.wasted, measured.engine.cancelledBefore, shown, measured.blankFrames, measured.cellsEntered)
            guard !Self.bars.isEmpty else { continue }
            let bars = try #require(Self.bars[trace.name], "a new trace needs bars")
            #expect(Double(measured.engine.decodes) / Double(shown) <= bars.decodes, "\(trace.name)")
            #expect(measured.engine.wasted == 0, "\(trace.name)")
            #expect(measured.blankFrames <= bars.blank, "\(trace.name)")
            #expect(measured.engine.failed == 0, "\(trace.name)")
        }
    }

    /// Decodes for each cell that the trace shows, those fetched ahead included; cells × frames without a picture.
    private static let bars: [String: (decodes: Double, blank: Int)] = [:]

    @Test("Two replays are the same to the last count")
    func same() throws {
        let photos = try PhotoFolder()
        let trace = try #require(try Trace.recorded().first { $0.name == "reverse" })
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let both = try (0..<2).map { _ in try encoder.encode(replay(photos).run(trace)) }
        #expect(both[0] == both[1])
    }

    private func replay(_ photos: borrowing PhotoFolder) -> VirtualReplay {
        var replay = VirtualReplay(photos.assets(3000))
        // Cells of an eighth of the size: what is counted is the same, and the pixels cost nothing.
        replay.screen.cellLimit = 32
        return replay
    }
}
