import Testing

@testable import Cameo

/// The grid against a naive one.
@Suite struct GridLayoutTests {
    /// Compares everything that both can tell, with `rects` to look through, in pixels.
    private func compare(
        width: Int, columns: Int, spacing: Int, header: Int, sections: [Int], scale: Double = 1,
        rects: [(Double, Double, Double, Double)]
    ) throws {
        let naive = NaiveGrid(width: width, columns: columns, spacing: spacing, header: header, sections: sections)
        let metrics = GridLayout.Metrics(
            width: Double(width) / scale, columns: .count(columns), spacing: Double(spacing) / scale,
            headerHeight: Double(header) / scale, scale: scale)
        let layout = try GridLayout(metrics, sections: sections)
        layout.checkInvariants()
        func pixels(_ rect: LayoutRect?) -> NaiveGrid.Box? {
            rect.map {
                let edges = [$0.x, $0.y, $0.width, $0.height].map { Int(($0 * scale).rounded()) }
                return NaiveGrid.Box(x: edges[0], y: edges[1], width: edges[2], height: edges[3])
            }
        }
        var isSame = Int((layout.contentHeight * scale).rounded()) == naive.height
        for (index, cell) in naive.cells.enumerated() {
            isSame = isSame && pixels(layout.frame(of: index)) == cell
            let position = layout.position(of: index)
            isSame = isSame && position?.section == naive.positions[index].section
            isSame = isSame && position?.item == naive.positions[index].item
            isSame = isSame && position.flatMap { layout.index(section: $0.section, item: $0.item) } == index
            let middle = LayoutPoint(
                x: (Double(cell.x) + 0.5) / scale, y: (Double(cell.y + cell.height) - 0.5) / scale)
            isSame = isSame && layout.index(at: middle) == index
        }
        for section in sections.indices where header > 0 {
            isSame = isSame && pixels(layout.headerFrame(of: section)) == naive.headers[section]
        }
        #expect(isSame, "\(metrics) \(sections)")
        for (left, top, right, bottom) in rects {
            let rect = LayoutRect(
                x: left / scale, y: top / scale, width: (right - left) / scale, height: (bottom - top) / scale)
            let cells = naive.cells.indices.filter { naive.cells[$0].overlaps(left, top, right, bottom) }
            let rows = naive.cells.indices.filter { naive.cells[$0].overlaps(-.infinity, top, .infinity, bottom) }
            let headers =
                header > 0
                ? naive.headers.filter { $0.value.overlaps(left, top, right, bottom) }.keys.sorted() : []
            let range = layout.range(from: rect.y, to: rect.maxY)
            let isSeen =
                layout.indexes(in: rect) == cells && Array(range) == rows && layout.headers(in: rect) == headers
            #expect(isSeen, "\(metrics) \(sections) \(rect)")
        }
        #expect(layout.frame(of: naive.cells.count) == nil && layout.frame(of: -1) == nil)
    }

    @Test("A grid is what a naive one is, for all small sizes and all rectangles")
    func exhaustive() throws {
        var lists: [[Int]] = [[]]
        for a in 0...4 {
            lists.append([a])
            for b in 0...3 {
                lists.append([a, b])
                for c in 0...2 { lists.append([a, b, c]) }
            }
        }
        for sections in lists {
            for (width, columns) in [(0, 1), (1, 1), (2, 1), (3, 2), (5, 2), (5, 3), (2, 3), (8, 3)] {
                for (spacing, header) in [(0, 0), (1, 0), (0, 2), (2, 1)] {
                    var rects: [(Double, Double, Double, Double)] = []
                    for top in stride(from: -2.0, to: 16, by: 1.5) {
                        for height in [0.5, 1, 3, 40] {
                            rects.append((0, top, Double(width), top + height))
                            rects.append((1, top, 2.5, top + height))
                        }
                    }
                    try compare(
                        width: width, columns: columns, spacing: spacing, header: header, sections: sections,
                        rects: rects)
                }
            }
        }
    }

    @Test("A grid is what a naive one is, for random sizes, sections and scales")
    func random() throws {
        for _ in 0..<300 {
            let width = Int.random(in: 0...900)
            let sections = (0..<Int.random(in: 0...12)).map { _ in Int.random(in: 0...4) * Int.random(in: 0...9) }
            let rects = (0..<20).map { _ in
                let (left, top) = (Double.random(in: -50...900), Double.random(in: -300...6000))
                return (left, top, left + Double.random(in: 1...900), top + Double.random(in: 1...900))
            }
            try compare(
                width: width, columns: Int.random(in: 1...9), spacing: Int.random(in: 0...9),
                header: Int.random(in: 0...1) * Int.random(in: 0...60), sections: sections,
                scale: [1, 2, 3].randomElement()!, rects: rects)
        }
    }

    @Test("Columns by a smallest cell: as many as fit, never a smaller cell, always one")
    func minimumCell() throws {
        for width in stride(from: 1.0, through: 700, by: 1) {
            let layout = try GridLayout(.init(width: width, columns: .minimumCell(80), spacing: 2), count: 10)
            let side = layout.frame(of: 0)!.width
            #expect(side >= 80 || layout.columns == 1)
            #expect(Double(layout.columns + 1) * 80 + Double(layout.columns) * 2 > width)
        }
    }

    @Test("A cell's size is what is asked for, times scale; before a layout there is no size to ask for")
    func cellPixels() throws {
        let metrics = GridLayout.Metrics(width: 375, columns: .count(4), spacing: 1, scale: 3)
        let layout = try GridLayout(metrics, count: 7)
        #expect(layout.cellPixels == PixelSize(square: 279))
        #expect(layout.frame(of: 3)!.width * 3 == 279)
        let collapsed = try GridLayout(.init(width: 0, columns: .count(4), scale: 3), count: 7)
        #expect(collapsed.isCollapsed && collapsed.cellPixels == nil && collapsed.contentHeight == 0)
        #expect(collapsed.indexes(in: LayoutRect(x: 0, y: 0, width: 100, height: 100)) == [])
        #expect(collapsed.anchor(at: 20, viewportHeight: 10) == .top)
    }

    @Test("Lengths that are none are a typed error")
    func invalid() {
        for metrics: GridLayout.Metrics in [
            .init(width: -1), .init(width: .nan), .init(width: .infinity), .init(width: 10, columns: .count(0)),
            .init(width: 10, columns: .minimumCell(0)), .init(width: 10, columns: .minimumCell(.nan)),
            .init(width: 10, spacing: -1), .init(width: 10, headerHeight: .infinity), .init(width: 10, scale: 0),
            .init(width: 1e9),
        ] {
            #expect(throws: PickingError.self) { try GridLayout(metrics, count: 3) }
        }
        #expect(throws: PickingError.self) { try GridLayout(.init(width: 10), count: -1) }
        #expect(throws: PickingError.self) { try GridLayout(.init(width: 10), count: .max) }
    }

    @Test("What is visible of a hundred million cells in a hundred thousand sections is told at once")
    func large() throws {
        let layout = try GridLayout(
            .init(width: 400, headerHeight: 30), sections: Array(repeating: 1000, count: 100_000))
        let start = ContinuousClock.now
        var seen = 0
        for step in 0..<1000 {
            let top = layout.contentHeight * Double(step) / 1000
            seen += layout.indexes(in: LayoutRect(x: 0, y: top, width: 400, height: 800)).count
        }
        #expect(seen > 30_000)
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
