/// Which cells beside the visible ones are worth fetching: more of them where the scrolling goes.
public struct PrefetchWindow: Hashable, Sendable {
    /// Which way the grid is scrolled.
    public enum Direction: Sendable {
        case forwards, backwards
    }

    /// Which way.
    public var direction: Direction
    /// Screens that are fetched ahead.
    public var ahead: Double
    /// Screens that are kept behind.
    public var behind: Double

    /// Two screens ahead and half a screen behind unless said otherwise.
    public init(_ direction: Direction, ahead: Double = 2, behind: Double = 0.5) {
        self.direction = direction
        self.ahead = ahead
        self.behind = behind
    }

    /// The indices to fetch of `count` cells while those in `visible` are on screen, the next ones first.
    public func indices(around visible: Range<Int>, count: Int) -> [Int] {
        let all = 0..<max(0, count)
        let shown = visible.clamped(to: all)
        if shown.isEmpty { return [] }
        func cells(_ screens: Double) -> Int {
            let cells = (Double(visible.count) * screens).rounded(.up)
            // What is no number is none.
            return cells > 0 ? Int(min(cells, Double(all.count))) : 0
        }
        let after =
            shown.upperBound..<max(shown.upperBound, min(count, shown.upperBound + cells(forwards(ahead, behind))))
        let before = max(0, shown.lowerBound - cells(forwards(behind, ahead)))..<shown.lowerBound
        return direction == .forwards
            ? Array(after) + before.reversed() : before.reversed() + Array(after)
    }

    private func forwards(_ there: Double, _ back: Double) -> Double { direction == .forwards ? there : back }
}
