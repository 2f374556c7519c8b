import Cameo

/// A trace worked out for a library and a screen: where the grid stands at any moment.
package struct ScrollPlan: Sendable {
    enum Motion: Sendable {
        case rest
        case line(velocity: Double)
        case decay(velocity: Double)
        case samples([[Double]])
    }

    struct Segment: Sendable {
        let start: Double
        let duration: Double
        let columns: Int
        let offset: Double
        let motion: Motion
    }

    /// Where the grid stands.
    package struct Position: Hashable, Sendable {
        /// Points from the top.
        package let offset: Double
        /// Columns.
        package let columns: Int
    }

    /// What was worked out.
    package let trace: Trace
    /// On which screen.
    package let screen: Screen
    /// How many cells there are.
    package let count: Int
    /// Seconds.
    package private(set) var duration = 0.0
    /// When the scrubber jumps, in seconds.
    package private(set) var jumps: [Double] = []
    /// The grid for each number of columns.
    package private(set) var layouts: [Int: GridLayout] = [:]
    private var segments: [Segment] = []

    /// Works out `trace` for a library of `count` photos.
    package init(_ trace: Trace, count: Int, screen: Screen = Screen()) throws {
        self.trace = trace
        self.screen = screen
        self.count = count
        for step in [.columns(trace.columns)] + trace.steps {
            if case .columns(let columns) = step {
                layouts[columns] = try screen.layout(columns: columns, count: count)
            }
        }
        var columns = trace.columns
        var offset: Double =
            switch trace.start {
            case .share(let share): end(columns) * share
            case .beforeEnd(let points): end(columns) - points
            }
        offset = clamped(offset, columns)
        for step in trace.steps {
            switch step {
            case .rest(let seconds): append(seconds, columns, offset, .rest)
            case .drag(let drag): append(drag.seconds, columns, offset, .line(velocity: drag.points / drag.seconds))
            case .flick(let flick):
                append(
                    flick.seconds ?? secondsToEnd(flick, columns, offset), columns, offset,
                    .decay(velocity: flick.velocity))
            case .samples(let samples): append(samples.last?.first ?? 0, columns, offset, .samples(samples))
            case .jump(let share):
                jumps.append(duration)
                offset = clamped(end(columns) * share, columns)
                continue
            case .columns(let wanted):
                let anchor = layouts[columns]?.anchor(at: offset, viewportHeight: screen.height) ?? .top
                columns = wanted
                offset = layouts[columns]?.offset(keeping: anchor, viewportHeight: screen.height) ?? 0
                continue
            }
            if let last = segments.last { offset = position(in: last, at: duration).offset }
        }
    }

    /// Where the grid stands at `seconds`. O(steps).
    package func position(at seconds: Double) -> Position {
        guard let first = segments.first else { return Position(offset: 0, columns: trace.columns) }
        return position(in: segments.last { $0.start <= seconds + 1e-9 } ?? first, at: seconds)
    }

    private func position(in segment: Segment, at seconds: Double) -> Position {
        let passed = min(max(0, seconds - segment.start), segment.duration)
        let moved: Double =
            switch segment.motion {
            case .rest: 0
            case .line(let velocity): velocity * passed
            case .decay(let velocity): ScrollPhysics.distance(velocity: velocity, seconds: passed)
            case .samples(let samples): Self.interpolated(samples, at: passed)
            }
        return Position(offset: clamped(segment.offset + moved, segment.columns), columns: segment.columns)
    }

    private static func interpolated(_ samples: [[Double]], at seconds: Double) -> Double {
        var before = [0.0, 0.0]
        for sample in samples where sample.count == 2 {
            if sample[0] >= seconds, sample[0] > before[0] {
                return before[1] + (sample[1] - before[1]) * (seconds - before[0]) / (sample[0] - before[0])
            }
            before = sample
        }
        return before[1]
    }

    private mutating func append(_ seconds: Double, _ columns: Int, _ offset: Double, _ motion: Motion) {
        segments.append(
            Segment(start: duration, duration: seconds, columns: columns, offset: offset, motion: motion))
        duration += seconds
    }

    /// Seconds until a flick stands still, or meets the top or the end.
    private func secondsToEnd(_ flick: TraceStep.Flick, _ columns: Int, _ offset: Double) -> Double {
        let whole = ScrollPhysics.secondsToRest(velocity: flick.velocity)
        let room = flick.velocity > 0 ? end(columns) - offset : offset
        guard abs(ScrollPhysics.distance(velocity: flick.velocity, seconds: whole)) > room else { return whole }
        var (low, high) = (0.0, whole)
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if abs(ScrollPhysics.distance(velocity: flick.velocity, seconds: middle)) < room {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }

    private func end(_ columns: Int) -> Double {
        layouts[columns]?.maximumOffset(viewportHeight: screen.height) ?? 0
    }

    private func clamped(_ offset: Double, _ columns: Int) -> Double { min(max(0, offset), end(columns)) }
}

extension ScrollPlan {
    /// The cells on screen at `position`.
    package func visible(at position: Position) -> Range<Int> {
        layouts[position.columns]?.range(from: position.offset, to: position.offset + screen.height) ?? 0..<0
    }

    /// What is shown, by columns: each cell that is on screen at any frame of 120 a second.
    package var shown: [Int: Set<Int>] { cells { _, visible in visible } }

    /// What is shown or may be fetched ahead, up to two screens either way.
    package var touched: Set<Int> { touchedByColumns.values.reduce(into: Set<Int>()) { $0.formUnion($1) } }

    /// The same, by columns.
    package var touchedByColumns: [Int: Set<Int>] {
        cells { plan, visible in
            let margin = 2 * visible.count + 1
            return max(0, visible.lowerBound - margin)..<min(plan.count, visible.upperBound + margin)
        }
    }

    private func cells(_ range: (ScrollPlan, Range<Int>) -> Range<Int>) -> [Int: Set<Int>] {
        var cells: [Int: Set<Int>] = [:]
        for frame in 0...Int(duration * 120) {
            let position = position(at: Double(frame) / 120)
            cells[position.columns, default: []].formUnion(range(self, visible(at: position)))
        }
        return cells
    }
}
