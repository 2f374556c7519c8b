extension GridLayout {
    /// Which cells share an area with `rect`, in ascending order. O(log sections + visible cells and sections).
    public func indexes(in rect: LayoutRect) -> [Int] {
        guard let span = pixels(of: rect) else { return [] }
        let across = cells(between: span.left, span.right, origin: margin, count: columns)
        guard !across.isEmpty else { return [] }
        var indexes: [Int] = []
        for (band, rows) in rows(between: span.top, span.bottom) {
            for row in rows {
                let first = row * columns
                for column in across where first + column < band.count { indexes.append(band.first + first + column) }
            }
        }
        return indexes
    }

    /// The cells of all rows that share a height with the content from `top` to `bottom`, in points: what a
    /// prefetcher goes by. O(log sections + visible sections).
    public func range(from top: Double, to bottom: Double) -> Range<Int> {
        guard let span = pixels(of: LayoutRect(x: 0, y: top, width: metrics.width, height: bottom - top)) else {
            return 0..<0
        }
        var range: Range<Int>?
        for (band, rows) in rows(between: span.top, span.bottom) where !rows.isEmpty {
            let first = band.first + rows.lowerBound * columns
            let end = band.first + min(band.count, rows.upperBound * columns)
            range = (range?.lowerBound ?? first)..<end
        }
        return range ?? 0..<0
    }

    /// The sections whose headers share an area with `rect`, in ascending order. O(log sections + visible sections).
    public func headers(in rect: LayoutRect) -> [Int] {
        guard header > 0, let span = pixels(of: rect), rect.maxX > 0, rect.x < metrics.width else { return [] }
        return rows(between: span.top, span.bottom).compactMap { band, _ in
            Double(band.top + header) > span.top && Double(band.top) < span.bottom ? band.section : nil
        }
    }

    /// A rectangle in pixels; nil where it has no area, is no number, or there is nothing to see.
    private func pixels(of rect: LayoutRect) -> (left: Double, top: Double, right: Double, bottom: Double)? {
        guard !isCollapsed, count > 0, rect.width > 0, rect.height > 0, rect.maxX.isFinite, rect.maxY.isFinite else {
            return nil
        }
        let scale = metrics.scale
        return (rect.x * scale, rect.y * scale, rect.maxX * scale, rect.maxY * scale)
    }

    /// The sections between two heights, in pixels, with the rows of each that lie there.
    private func rows(between top: Double, _ bottom: Double) -> some Sequence<(Band, Range<Int>)> {
        let start = band { Double($0.top) <= top }
        return bands[start...].lazy.prefix { Double($0.top) < bottom }.map { band in
            let rows = (band.count - 1) / columns + 1
            return (band, cells(between: top, bottom, origin: band.top + header, count: rows))
        }
    }

    /// Which of `count` cells, one behind the other from `origin`, lie between two places.
    private func cells(between start: Double, _ end: Double, origin: Int, count: Int) -> Range<Int> {
        let pitch = Double(side + spacing)
        // The last whole cell before the start shares nothing if the start lies in the gap behind it.
        let first = ((start - Double(origin + side)) / pitch).rounded(.down) + 1
        let last = ((end - Double(origin)) / pitch).rounded(.up)
        let low = Int(min(max(first, 0), Double(count)))
        return low..<max(low, Int(min(max(last, 0), Double(count))))
    }
}
