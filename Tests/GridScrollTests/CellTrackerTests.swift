import Glibc
import Testing

@testable import GridScrollKit

struct CellTrackerTests {
    //   time    0      0.1     0.2     0.3     0.4
    //   cell 1  blank  preview ─────── final ── stays
    //   cell 2  blank  ─────── leaves
    //   cell 3  final
    @Test("Blank and stand-in times are what can be counted by hand")
    func byHand() {
        var tracker = CellTracker()
        func frame(_ time: Double) {
            tracker.end(FrameNote(time: time, seconds: 0.1, late: 0, offset: time, hasMoved: true, cost: FrameCost()))
        }
        (1...3).forEach { tracker.enter($0, columns: 5, at: 0) }
        tracker.note(.final(.memory), 3, at: 0)
        frame(0)
        tracker.note(.degraded(.preview), 1, at: 0.1)
        frame(0.1)
        tracker.leave(2, at: 0.2)
        frame(0.2)
        tracker.note(.final(.rendered), 1, at: 0.3)
        frame(0.3)
        tracker.close(at: 0.4)
        let measured = Measurement(tracker, EngineFigures()) { $0 == 1 }
        // Two blank cells in the first frame, one in the second, over 0.4 s.
        #expect(abs(measured.blankPerSecond - 300 / 0.4) < 1e-6)
        #expect(measured.blankFrames == 3)
        #expect(abs(measured.degradedPerSecond - 200 / 0.4) < 1e-6)
        #expect(abs(measured.longestBlank - 200) < 1e-6 && measured.leftBlank == 1)
        #expect(abs(measured.toFirstWithPreview.max - 100) < 1e-6 && measured.toFirstWithPreview.count == 1)
        #expect(abs(measured.toFinal.max - 300) < 1e-6)
        #expect(measured.firstFrameFinal == 1.0 / 3 && measured.origins == ["memory": 1, "rendered": 1])
        #expect(measured.firstFrameTiers == ["memory": 1.0 / 3])
        #expect(Metric.firstFrame.map { ($0.value(measured) * 3).rounded() } == [100, 0, 0, 0, 0, 200])
    }

    @Test("A frame that takes three periods is late by two, and its content stays as long")
    func late() throws {
        let display = RealDisplay(rate: 100)
        let cost = display.frame(0) {
            // Of this thread's own time: on a busy machine the clock on the wall goes on without it.
            var time = timespec()
            func used() -> Int {
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                return time.tv_sec * 1_000_000_000 + time.tv_nsec
            }
            let start = used()
            while used() - start < 25_000_000 {}
        }
        // Another program may make it later still.
        #expect(cost.missed >= 2)
        #expect(cost.cpu >= 0.025)
    }

    @Test("Percentiles are those of the sorted numbers")
    func percentiles() {
        let percentiles = Percentiles((1...200).map(Double.init).shuffled())
        #expect(percentiles.p50 == 100 && percentiles.p90 == 180 && percentiles.p99 == 198 && percentiles.max == 200)
        #expect(Percentiles([]).p99 == 0)
    }
}
