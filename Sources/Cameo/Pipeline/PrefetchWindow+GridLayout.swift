extension PrefetchWindow {
    /// The cells to fetch of a grid that shows `height` points of its content from `offset`, the next ones first. It
    /// goes by what the grid would show there, so a header or a short last row fetches no more than it takes.
    ///
    /// - Complexity: O(log sections + cells fetched).
    public func indices(in layout: GridLayout, offset: Double, height: Double) -> [Int] {
        let visible = layout.range(from: offset, to: offset + height)
        if visible.isEmpty { return [] }
        let isForwards = direction == .forwards
        // A billion screens are more than there are, and can still be counted in points.
        func reach(_ screens: Double) -> Double { screens > 0 ? height * min(screens, 1e9) : 0 }
        let below = layout.range(
            from: offset + height, to: offset + height + reach(isForwards ? ahead : behind))
        let above = layout.range(from: offset - reach(isForwards ? behind : ahead), to: offset)
        // A row that is half on screen is visible, and not fetched once more.
        let after = Array(max(visible.upperBound, below.lowerBound)..<max(visible.upperBound, below.upperBound))
        let before = (min(visible.lowerBound, above.lowerBound)..<min(visible.lowerBound, above.upperBound)).reversed()
        return isForwards ? after + before : before + after
    }
}

extension Prefetcher {
    /// Fetches `rendition` of the assets round what a grid shows, whose cells `assets` fill in their order, and stops
    /// what has left the window.
    public func follow(
        _ window: PrefetchWindow, of assets: [Asset], in layout: GridLayout, offset: Double, height: Double,
        _ rendition: Rendition
    ) {
        let indices = window.indices(in: layout, offset: offset, height: height).filter(assets.indices.contains)
        follow(indices.map { assets[$0] }, rendition)
    }
}
