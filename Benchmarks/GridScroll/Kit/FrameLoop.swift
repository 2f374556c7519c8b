import Cameo

/// Replays a plan on a display: each frame asks the layout what is on screen, tells the engine what came and went and
/// which way it goes, and notes what can be shown.
package struct FrameLoop {
    private let plan: ScrollPlan
    private let engine: any GridEngine
    private var tracker: CellTracker
    private var visible = 0..<0
    private var columns = 0
    private var offset = 0.0
    private var direction = PrefetchWindow.Direction.forwards

    /// A loop that has shown nothing yet.
    package init(_ plan: ScrollPlan, _ engine: any GridEngine) {
        self.plan = plan
        self.engine = engine
        tracker = CellTracker()
    }

    /// Replays the whole plan.
    package mutating func run(on display: any Display) -> CellTracker {
        var number = 0
        let period = 1 / Double(display.rate)
        while Double(number) * period <= plan.duration {
            let time = Double(number) * period
            var moved = false
            let cost = display.frame(number) { moved = show(plan.position(at: time), at: time) }
            tracker.end(
                FrameNote(
                    time: time, seconds: Double(1 + cost.missed) * period, late: Double(cost.missed) * period,
                    offset: offset, hasMoved: moved, cost: cost))
            number += 1 + cost.missed
        }
        tracker.close(at: Double(number) * period)
        return tracker
    }

    /// Makes one frame; whether anything moved.
    private mutating func show(_ position: ScrollPlan.Position, at time: Double) -> Bool {
        let wanted = plan.visible(at: position)
        let isNewLayout = position.columns != columns
        let hasMoved = isNewLayout || position.offset != offset
        let goes: PrefetchWindow.Direction = position.offset < offset ? .backwards : .forwards
        if isNewLayout, let layout = plan.layouts[position.columns] {
            leave(visible, at: time)
            visible = 0..<0
            columns = position.columns
            engine.setLayout(layout, plan.screen.rendition(layout))
        }
        if wanted != visible {
            leave(visible.filter { !wanted.contains($0) }, at: time)
            for cell in wanted where !visible.contains(cell) {
                engine.enter(cell)
                tracker.enter(cell, columns: columns, at: time)
            }
        }
        if isNewLayout || wanted != visible || (hasMoved && goes != direction) {
            if hasMoved { direction = goes }
            engine.scrolled(PrefetchWindow(direction), visible: wanted)
        }
        visible = wanted
        offset = position.offset
        for cell in wanted where tracker.awaits(cell) { tracker.note(engine.picture(of: cell), cell, at: time) }
        return hasMoved
    }

    private mutating func leave(_ cells: some Sequence<Int>, at time: Double) {
        for cell in cells {
            engine.leave(cell)
            tracker.leave(cell, at: time)
        }
    }
}
