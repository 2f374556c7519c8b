/// What was measured in one replay. Times in milliseconds unless said otherwise.
package struct Measurement: Codable, Hashable, Sendable {
    /// A scrubber jump to a screen.
    package struct Jump: Codable, Hashable, Sendable {
        /// When, in seconds of the replay.
        package var at: Double
        /// Cells on the new screen.
        package var cells: Int
        /// Milliseconds until all were final; nil where they never were.
        package var allFinal: Double?
        /// Milliseconds for which all of them were on screen, or until the replay ended; nil where they never were.
        package var stayed: Double?
        /// Share of the workers' time until then that went into cells that were left behind.
        package var leftBehindShare: Double?
        /// Milliseconds that a batch run took for the same cells, right after; nil where none was made.
        package var batch: Double?
    }

    /// How the replay looked, in at most 300 steps: the worst of each step.
    package struct Timeline: Codable, Hashable, Sendable {
        /// Seconds a step.
        package var step = 0.0
        /// Points from the top.
        package var offset: [Double] = []
        /// Cells on screen.
        package var cells: [Int] = []
        /// Blank ones.
        package var blank: [Int] = []
        /// Ones with a stand-in.
        package var degraded: [Int] = []
        /// Milliseconds of late frames.
        package var late: [Double] = []
    }

    /// Seconds during which the content moved, or had moved less than half a second ago.
    package var activeSeconds = 0.0
    /// Frames made.
    package var frames = 0
    /// Cells that came on screen.
    package var cellsEntered = 0
    /// Cells that came on screen a second of activity.
    package var cellsPerSecond = 0.0
    /// Milliseconds of blank cells, summed over cells, a second of activity.
    package var blankPerSecond = 0.0
    /// The same in all, without the replay's first 50 ms.
    package var blankAfterStart = 0.0
    /// Cells × frames without a picture.
    package var blankFrames = 0
    /// The longest that one cell was blank.
    package var longestBlank = 0.0
    /// Milliseconds of cells with a stand-in, a second of activity.
    package var degradedPerSecond = 0.0
    /// Shares of the cells whose first frame showed: the picture, a stand-in, nothing.
    package var firstFrameFinal = 0.0
    /// See `firstFrameFinal`.
    package var firstFrameStandIn = 0.0
    /// See `firstFrameFinal`.
    package var firstFrameBlank = 0.0
    /// The same shares by where that picture came from: the tiers of `CellOrigin`, and `failed`.
    package var firstFrameTiers: [String: Double]?
    /// How many cells got their picture from where.
    package var origins: [String: Int] = [:]
    /// From coming on screen to showing anything; cells that left before count with their time on screen.
    package var toFirst = Percentiles([])
    /// The same for cells whose photo has an embedded preview.
    package var toFirstWithPreview = Percentiles([])
    /// From coming on screen to the picture; cells that left before count with their time on screen.
    package var toFinal = Percentiles([])
    /// Cells that left before they showed anything, and before they showed their picture.
    package var leftBlank = 0
    /// See `leftBlank`.
    package var leftUnfinished = 0
    /// Milliseconds of late frames a second of activity.
    package var latePerSecond = 0.0
    /// The same of frames that would have been late had the system woken the display's thread in time.
    package var lateByHandlerPerSecond = 0.0
    /// Processor time of the frame handler.
    package var handler = Percentiles([])
    /// How late the system woke the display's thread.
    package var wake = Percentiles([])
    /// Seconds of processor time of the whole process.
    package var cpuSeconds = 0.0
    /// What the engine did.
    package var engine = EngineFigures()
    /// Wasted decodes as a share of all.
    package var wastedShare = 0.0
    /// From calling off a request whose decode runs to the worker being free.
    package var cancelLatency = Percentiles([])
    /// Scrubber jumps.
    package var jumps: [Jump] = []
    /// Resident bytes, threads, bytes read from and written to disk.
    package var process = ProcessFigures()
    /// The quantiles of `toFirst` and `toFinal` in steps of 2 %.
    package var firstCurve: [Double] = []
    /// See `firstCurve`.
    package var finalCurve: [Double] = []
    /// How it looked.
    package var timeline = Timeline()
}

extension Measurement {
    /// What `tracker` saw of a replay; `hasPreview` tells of a cell whether its photo has an embedded preview.
    init(_ tracker: CellTracker, _ figures: EngineFigures, hasPreview: (Int) -> Bool) {
        let lives = tracker.lives
        let end = tracker.end
        engine = figures
        frames = tracker.frames.count
        cellsEntered = lives.count
        activeSeconds = tracker.activeSeconds
        let perSecond = activeSeconds > 0 ? 1 / activeSeconds : 0
        cellsPerSecond = Double(lives.count) * perSecond
        var (blank, degraded, late, lateByHandler) = (0.0, 0.0, 0.0, 0.0)
        for frame in tracker.frames {
            blank += Double(frame.blank) * frame.seconds
            degraded += Double(frame.degraded) * frame.seconds
            late += frame.late
            if frame.cost.missed > 0 {
                lateByHandler += frame.late * Double(frame.cost.missedByHandler) / Double(frame.cost.missed)
            }
            blankFrames += frame.blank
            if frame.time >= 0.05 { blankAfterStart += Double(frame.blank) * frame.seconds * 1000 }
        }
        blankPerSecond = blank * 1000 * perSecond
        degradedPerSecond = degraded * 1000 * perSecond
        latePerSecond = late * 1000 * perSecond
        lateByHandlerPerSecond = lateByHandler * 1000 * perSecond
        let blanks = lives.map { $0.blankSeconds(end: end) * 1000 }
        longestBlank = blanks.max() ?? 0
        let finals = lives.filter { !$0.hasFailed }.map { (($0.final ?? $0.left ?? end) - $0.entered) * 1000 }
        toFirst = Percentiles(blanks)
        toFirstWithPreview = Percentiles(zip(lives, blanks).filter { hasPreview($0.0.cell) }.map(\.1))
        toFinal = Percentiles(finals)
        (firstCurve, finalCurve) = (Percentiles.curve(blanks), Percentiles.curve(finals))
        leftBlank = lives.count { $0.first == nil }
        leftUnfinished = lives.count { $0.final == nil && !$0.hasFailed }
        for life in lives { if let origin = life.origin { origins[origin.rawValue, default: 0] += 1 } }
        let all = Double(max(1, lives.count))
        let atOnce = lives.filter { $0.first == $0.entered }
        firstFrameFinal = Double(atOnce.count { $0.final == $0.entered }) / all
        firstFrameStandIn = Double(atOnce.count { $0.final != $0.entered && !$0.hasFailed }) / all
        firstFrameBlank = Double(lives.count - atOnce.count) / all
        firstFrameTiers = Dictionary(atOnce.map { ($0.firstPicture.tier, 1 / all) }, uniquingKeysWith: +)
        handler = Percentiles(tracker.frames.map { $0.cost.cpu * 1000 })
        wake = Percentiles(tracker.frames.map { $0.cost.wakeDelay * 1000 })
        wastedShare = figures.decodes == 0 ? 0 : Double(figures.wasted) / Double(figures.decodes)
        cancelLatency = Percentiles(figures.cancelSeconds.map { $0 * 1000 })
        timeline = Timeline(tracker)
    }
}

extension Measurement.Timeline {
    init(_ tracker: CellTracker) {
        let frames = tracker.frames
        step = max(tracker.end / 300, 1.0 / 120)
        var index = 0
        while index < frames.count {
            let bin = (frames[index].time / step).rounded(.down)
            var (last, worst) = (frames[index], (blank: 0, degraded: 0, late: 0.0))
            while index < frames.count, (frames[index].time / step).rounded(.down) == bin {
                last = frames[index]
                worst = (
                    max(worst.blank, last.blank), max(worst.degraded, last.degraded), worst.late + last.late * 1000
                )
                index += 1
            }
            // Steps in which no frame was made look like the one before.
            while offset.count < Int(bin) {
                offset.append(offset.last ?? last.offset)
                cells.append(cells.last ?? last.cells)
                blank.append(blank.last ?? worst.blank)
                degraded.append(degraded.last ?? worst.degraded)
                late.append(0)
            }
            offset.append((last.offset * 10).rounded() / 10)
            cells.append(last.cells)
            blank.append(worst.blank)
            degraded.append(worst.degraded)
            late.append((worst.late * 10).rounded() / 10)
        }
    }
}

extension CellTracker {
    /// Seconds during which the content moved, or had moved less than half a second ago. The first screen counts as a
    /// movement.
    var activeSeconds: Double {
        var (active, moved) = (0.0, 0.0)
        for frame in frames {
            if frame.hasMoved { moved = frame.time }
            if frame.time - moved < 0.5 { active += frame.seconds }
        }
        return active
    }
}
