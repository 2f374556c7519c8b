extension GridLayout {
    /// Whether there is no room for a cell.
    public var isCollapsed: Bool { side == 0 }

    /// The size to ask thumbnails of; nil while the grid is collapsed, when a thumbnail would be one of nothing.
    public var cellPixels: PixelSize? { isCollapsed ? nil : PixelSize(square: side) }

    /// Points from the top of the first to the bottom of the last section.
    public var contentHeight: Double { points(height) }

    /// Where the cell at `index` lies in the content, in points; nil for an index out of range. O(log sections).
    public func frame(of index: Int) -> LayoutRect? {
        guard (0..<count).contains(index), !isCollapsed else { return nil }
        let band = bands[band { $0.first <= index }]
        let (row, column) = (index - band.first).quotientAndRemainder(dividingBy: columns)
        return LayoutRect(
            x: points(left(of: column)), y: points(top(of: row, in: band)), width: points(side), height: points(side))
    }

    /// Where the header of a section lies in the content, in points; nil where there is none. O(1).
    public func headerFrame(of section: Int) -> LayoutRect? {
        guard header > 0, !isCollapsed, sections.indices.contains(section), sections[section] > 0 else { return nil }
        return LayoutRect(
            x: 0, y: points(bands[bandOfSection[section]].top), width: metrics.width, height: points(header))
    }

    /// Which cell lies at a point of the content; nil between cells. O(log sections).
    public func index(at point: LayoutPoint) -> Int? {
        guard !isCollapsed, point.isFinite else { return nil }
        let (x, y) = (point.x * metrics.scale, point.y * metrics.scale)
        guard abs(x) < 1e9, y >= 0, y < Double(height) else { return nil }
        let band = bands[band { Double($0.top) <= y }]
        let row = Int(((y - Double(band.top + header)) / Double(side + spacing)).rounded(.down))
        let column = Int(((x - Double(margin)) / Double(side + spacing)).rounded(.down))
        guard row >= 0, (0..<columns).contains(column) else { return nil }
        let index = row * columns + column
        let isInside =
            y < Double(top(of: row, in: band) + side) && x < Double(left(of: column) + side) && index < band.count
        return isInside ? band.first + index : nil
    }

    /// The section of the cell at `index`, and its place in it; nil for an index out of range. O(log sections).
    public func position(of index: Int) -> (section: Int, item: Int)? {
        guard (0..<count).contains(index) else { return nil }
        let band = bands[band { $0.first <= index }]
        return (band.section, index - band.first)
    }

    /// The index of a section's cell; nil where there is no such cell. O(1).
    public func index(section: Int, item: Int) -> Int? {
        guard sections.indices.contains(section), (0..<sections[section]).contains(item) else { return nil }
        return bands[bandOfSection[section]].first + item
    }

    func points(_ pixels: Int) -> Double { Double(pixels) / metrics.scale }

    func left(of column: Int) -> Int { margin + column * (side + spacing) }

    func top(of row: Int, in band: Band) -> Int { band.top + header + row * (side + spacing) }

    /// The last band that `isBefore` holds for, or the first if it holds for none; it must hold for a first part of
    /// them. There must be one. O(log sections).
    func band(_ isBefore: (Band) -> Bool) -> Int {
        var (low, high) = (0, bands.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if isBefore(bands[middle]) { low = middle } else { high = middle }
        }
        return low
    }
}
