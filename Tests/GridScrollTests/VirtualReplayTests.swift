import Cameo
import Foundation
import Testing

@testable import GridScrollKit

/// The benchmark in virtual time, gated on counts: what a change to the pipeline does to scrolling shows here, on any
/// machine.
@Suite(.serialized)
struct VirtualReplayTests {
    /// Decodes for each cell that the trace shows, those fetched ahead included; cells × frames without a picture; and
    /// the least number of requests that are called off before they cost anything. A pipeline that does better lowers
    /// its bars.
    struct Bars {
        let decodes: Double
        let blankFrames: Int
        let calledOff: Int
    }

    private static let bars: [String: Bars] = [
        "slow-drag": Bars(decodes: 1.4, blankFrames: 190, calledOff: 370),
        "flick": Bars(decodes: 1.6, blankFrames: 250, calledOff: 210),
        "fling-to-end": Bars(decodes: 0.3, blankFrames: 1550, calledOff: 1900),
        "reverse": Bars(decodes: 1.3, blankFrames: 390, calledOff: 500),
        "scrubber": Bars(decodes: 1.7, blankFrames: 1550, calledOff: 400),
        "pinch": Bars(decodes: 1.45, blankFrames: 1100, calledOff: 900),
    ]

    @Test(
        "Every trace keeps inside its counts: decodes a cell, wasted decodes, blank frames, cancels honoured; in 20 s")
    func gates() throws {
        let photos = try PhotoFolder.shared.get()
        // No thread but this one is involved, so what others do on the machine is no part of it.
        let start = threadTime()
        defer {
            let isSanitized = ProcessInfo.processInfo.environment["CAMEO_SANITIZER"] != nil
            #expect(Double(threadTime() - start) / 1e9 < (isSanitized ? 200 : 20))
        }
        for trace in try Trace.recorded() {
            let measured = try replay(photos).run(trace)
            let shown = try ScrollPlan(trace, count: 3000).shown.values.reduce(0) { $0 + $1.count }
            let bars = try #require(Self.bars[trace.name], "a new trace needs bars")
            #expect(Double(measured.engine.decodes) / Double(shown) <= bars.decodes, "\(trace.name)")
            #expect(measured.engine.wasted == 0, "\(trace.name)")
            #expect(measured.blankFrames <= bars.blankFrames, "\(trace.name)")
            #expect(measured.engine.cancelledBefore >= bars.calledOff, "\(trace.name)")
            #expect(measured.engine.failed == 0, "\(trace.name)")
            // Each cell that came got its picture, or left without.
            #expect(measured.origins.values.reduce(0, +) + measured.leftUnfinished == measured.cellsEntered)
            #expect(abs(measured.firstFrameFinal + measured.firstFrameStandIn + measured.firstFrameBlank - 1) < 1e-9)
            #expect(abs(Metric.firstFrame.reduce(0) { $0 + $1.value(measured) } - 100) < 1e-6)
        }
    }

    @Test("Without cancels workers go on with what was left; without prefetch every row comes blank")
    func features() throws {
        let photos = try PhotoFolder.shared.get()
        func measure(_ name: String, _ change: (inout CameoEngine.Features) -> Void = { _ in }) throws
            -> GridScrollKit.Measurement
        {
            var replay = replay(photos)
            replay.rate = 60
            change(&replay.features)
            return try replay.run(try #require(try Trace.recorded().first { $0.name == name }))
        }
        let (drag, fling) = (try measure("slow-drag"), try measure("fling-to-end"))
        let uncancelled = try measure("fling-to-end") { $0.pipeline.cancels = false }
        #expect(uncancelled.engine.cancelledBefore == 0)
        #expect(uncancelled.leftUnfinished > fling.leftUnfinished && uncancelled.engine.wasted > 0)
        let unfetched = try measure("slow-drag") { $0.prefetches = false }
        #expect(unfetched.blankFrames > drag.blankFrames && unfetched.engine.decodes < drag.engine.decodes)
    }

    @Test("From warm disk nothing is decoded, and nothing is blank but the first frames")
    func warmDisk() throws {
        let photos = try PhotoFolder.shared.get()
        let store = ThumbnailStore(folder: FilePath(photos.folder.appending(path: "store-\(UUID())").path))
        let trace = try #require(try Trace.recorded().first { $0.name == "flick" })
        var replay = replay(photos)
        replay.store = store
        _ = try replay.run(trace)
        // What was too far away in time to be decoded is decoded now, and the next time there is nothing left to do.
        replay.costs.decode = 0
        _ = try replay.run(trace)
        store.flush()
        let warm = try replay.run(trace)
        #expect(warm.engine.decodes == 0 && warm.engine.diskHits > 0)
        #expect(warm.blankAfterStart == 0)
    }

    @Test("Two replays are the same to the last count")
    func same() throws {
        let photos = try PhotoFolder.shared.get()
        let trace = try #require(try Trace.recorded().first { $0.name == "reverse" })
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let both = try (0..<2).map { _ in try encoder.encode(replay(photos).run(trace)) }
        #expect(both[0] == both[1])
    }

    @Test("Two processes print the same counts to the last byte")
    func processes() throws {
        let photos = try PhotoFolder.shared.get()
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let beside = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        let printed = try (0..<2).map { _ in
            let process = Process()
            process.executableURL = beside.appendingPathComponent("GridScroll")
            process.arguments = [
                "--virtual", "--photos", photos.folder.path, "--traces", "reverse,pinch", "--rates", "60",
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return text
        }
        #expect(printed[0] == printed[1] && printed[0].split(separator: "\n").count == 3)
        // What this process counts: photos that show nothing of themselves in their names.
        var replay = VirtualReplay(try VirtualReplay.assets(of: photos.folder, count: 3000))
        replay.screen.cellLimit = 16
        replay.rate = 60
        let counted = try ["reverse", "pinch"].map { name in
            let trace = try #require(try Trace.recorded().first { $0.name == name })
            return (name: "\(name), 60 Hz, 3000 photos", measured: try replay.run(trace))
        }
        #expect(printed[0] == TerminalReport.counts(counted) + "\n")
    }

    private func replay(_ photos: PhotoFolder) -> VirtualReplay {
        var replay = VirtualReplay(photos.assets(3000))
        // Cells of a sixteenth of the size: what is counted is the same, and the pixels cost nothing.
        replay.screen.cellLimit = 16
        return replay
    }
}
