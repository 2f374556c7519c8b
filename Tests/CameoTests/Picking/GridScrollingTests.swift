import Testing

@testable import Cameo

/// Where a grid is scrolled to.
@Suite struct GridScrollingTests {
    /// 100 cells of 99 points, 4 a row, a point apart.
    let layout: GridLayout

    init() throws { layout = try GridLayout(.init(width: 399, columns: .count(4), spacing: 1), count: 100) }

    @Test("Back from the detail, the grid shows the cell that was on show")
    func reveal() throws {
        let ids = (0..<100).map { Asset.ID("\($0)") }
        for start in stride(from: 0.0, through: layout.maximumOffset(viewportHeight: 500), by: 73) {
            for shown in [0, 3, 41, 57, 98, 99] {
                var detail = try #require(DetailPosition(showing: "50", in: ids))
                detail.advance(by: shown - 50)
                let index = try #require(detail.index)
                let offset = layout.offset(revealing: index, from: start, viewportHeight: 500)
                let cell = try #require(layout.frame(of: index))
                #expect(cell.y >= offset && cell.maxY <= offset + 500)
                #expect(offset >= 0 && offset <= layout.maximumOffset(viewportHeight: 500))
                if cell.y >= start, cell.maxY <= start + 500 { #expect(offset == start) }
            }
        }
    }

    @Test("A cell that is not fully visible comes to the middle, as far as the content goes")
    func centred() {
        #expect(layout.offset(revealing: 48, from: 0, viewportHeight: 500) == 1200 + 49.5 - 250)
        #expect(layout.offset(revealing: 0, from: 50, viewportHeight: 500) == 0)
        #expect(layout.offset(revealing: 99, from: 0, viewportHeight: 500) == 2499 - 500)
        #expect(layout.offset(revealing: 100, from: 7, viewportHeight: 500) == 7)
    }

    @Test("A grid begins at its end when it ascends, on top when it descends")
    func initial() throws {
        #expect(layout.initialOffset(.ascending, viewportHeight: 500) == 1999)
        #expect(layout.initialOffset(.descending, viewportHeight: 500) == 0)
        #expect(layout.initialOffset(.ascending, viewportHeight: 5000) == 0)
    }

    @Test("After rotation the cell in the middle is still there, and an end is still an end")
    func rotation() throws {
        let wide = try GridLayout(.init(width: 799, columns: .minimumCell(90), spacing: 1), count: 100)
        for offset in stride(from: 0.0, through: 1999, by: 61) {
            let anchor = layout.anchor(at: offset, viewportHeight: 500)
            let turned = wide.offset(keeping: anchor, viewportHeight: 300)
            #expect(turned >= 0 && turned <= wide.maximumOffset(viewportHeight: 300))
            guard case .cell(let index, _) = anchor else {
                #expect(offset == 0 && turned == 0)
                continue
            }
            let before = try #require(layout.frame(of: index))
            #expect(abs(before.centre.y - offset - 250) <= 50)
            let after = try #require(wide.frame(of: index))
            #expect(after.centre.y >= turned && after.centre.y <= turned + 300)
            // Nothing changed: nothing moves.
            #expect(abs(layout.offset(keeping: anchor, viewportHeight: 500) - offset) < 1e-6)
        }
        #expect(layout.anchor(at: 1999, viewportHeight: 500) == .end)
        #expect(wide.offset(keeping: .end, viewportHeight: 300) == wide.contentHeight - 300)
    }

    @Test("A viewport on nothing but a header keeps its section")
    func onHeader() throws {
        let layout = try GridLayout(.init(width: 100, columns: .count(1), headerHeight: 300), sections: [2, 2])
        let header = try #require(layout.headerFrame(of: 1))
        let anchor = layout.anchor(at: header.y + 50, viewportHeight: 100)
        #expect(layout.offset(keeping: anchor, viewportHeight: 100) == header.y + 50)
    }

    @Test("A cell zooms from where it is on the screen to the whole picture as large as fits")
    func zoom() throws {
        let way = try #require(
            layout.zoomTransition(
                of: 5, picture: PixelSize(width: 300, height: 200), offset: 60,
                viewport: LayoutSize(width: 399, height: 500)))
        #expect(way.cell == LayoutRect(x: 100, y: 40, width: 99, height: 99))
        #expect(way.pictureInCell == LayoutRect(x: 149.5 - 74.25, y: 40, width: 148.5, height: 99))
        #expect(way.pictureInDetail == LayoutRect(x: 0, y: 117, width: 399, height: 266))
        #expect(
            layout.zoomTransition(
                of: 500, picture: PixelSize(square: 1), offset: 0, viewport: LayoutSize(width: 1, height: 1)) == nil)
    }
}
