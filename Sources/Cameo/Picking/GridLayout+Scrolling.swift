extension GridLayout {
    /// Which way the assets run.
    public enum Order: Hashable, Sendable {
        /// The oldest on top, so that the newest are at the end.
        case ascending
        /// The newest on top.
        case descending
    }

    /// What stays in place while the layout changes, as on rotation.
    public enum Anchor: Hashable, Sendable {
        /// The beginning of the content.
        case top
        /// Its end.
        case end
        /// A cell, whose middle stays at that share of the viewport's height: 0 for its upper edge, 1 for its lower.
        case cell(Int, at: Double)
    }

    /// The furthest that a viewport of this height scrolls.
    public func maximumOffset(viewportHeight: Double) -> Double { max(0, contentHeight - viewportHeight) }

    /// Where a grid that was never scrolled begins: where the newest are.
    public func initialOffset(_ order: Order, viewportHeight: Double) -> Double {
        order == .ascending ? maximumOffset(viewportHeight: viewportHeight) : 0
    }

    /// The offset at which the cell at `index` is seen: `offset` itself where all of it is, else the one that has it
    /// in the middle as far as the content goes. An index out of range changes nothing. O(log sections).
    public func offset(revealing index: Int, from offset: Double, viewportHeight: Double) -> Double {
        guard let cell = frame(of: index) else { return offset }
        // What rounding to points and back costs is no reason to scroll.
        let slack = 1e-6
        if cell.y >= offset - slack, cell.maxY <= offset + viewportHeight + slack { return offset }
        return clamped(cell.centre.y - viewportHeight / 2, viewportHeight)
    }

    /// What a viewport at `offset` should go on showing when the layout changes: an end that it is at, or else the
    /// cell nearest to its middle. O(log sections + visible sections).
    public func anchor(at offset: Double, viewportHeight: Double) -> Anchor {
        if isCollapsed || count == 0 || offset <= 0 { return .top }
        if offset >= maximumOffset(viewportHeight: viewportHeight) { return .end }
        let middle = offset + viewportHeight / 2
        let visible = range(from: offset, to: offset + viewportHeight)
        // A viewport that sees nothing but a header or a gap keeps its section.
        guard let index = visible.isEmpty ? firstIndex(ofSectionAt: middle) : nearest(to: middle, in: visible),
            let cell = frame(of: index), viewportHeight > 0
        else { return .top }
        return .cell(index, at: (cell.centre.y - offset) / viewportHeight)
    }

    /// The offset that keeps in place what `anchor` tells. O(log sections).
    public func offset(keeping anchor: Anchor, viewportHeight: Double) -> Double {
        switch anchor {
        case .top: return 0
        case .end: return maximumOffset(viewportHeight: viewportHeight)
        case .cell(let index, let share):
            guard let cell = frame(of: index) else { return 0 }
            return clamped(cell.centre.y - share * viewportHeight, viewportHeight)
        }
    }

    private func clamped(_ offset: Double, _ viewportHeight: Double) -> Double {
        min(max(0, offset), maximumOffset(viewportHeight: viewportHeight))
    }

    private func firstIndex(ofSectionAt y: Double) -> Int? { bands[band { points($0.top) <= y }].first }

    /// The cell in the middle column of the row that is nearest to `y`, of a visible range.
    private func nearest(to y: Double, in visible: Range<Int>) -> Int? {
        func distance(_ index: Int) -> Double { frame(of: index).map { abs($0.centre.y - y) } ?? .infinity }
        // The middles of the rows grow with the index, so the nearest is where they pass `y`.
        var (low, high) = (visible.lowerBound, visible.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if let cell = frame(of: middle), cell.centre.y < y { low = middle + 1 } else { high = middle }
        }
        let candidates = [low, low - 1].filter(visible.contains)
        guard let best = candidates.min(by: { distance($0) < distance($1) }), let place = position(of: best) else {
            return nil
        }
        let inRow = place.item % columns
        return best - inRow + min(columns / 2, sections[place.section] - 1 - (place.item - inRow))
    }
}
