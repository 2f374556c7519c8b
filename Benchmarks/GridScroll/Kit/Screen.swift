import Cameo

/// The screen that the grid is on: 1288 × 1600 pixels, two to a point, so that five columns are cells of 256 pixels.
package struct Screen: Hashable, Sendable {
    /// Points across.
    package var width = 644.0
    /// Points down.
    package var height = 800.0
    /// Pixels a point.
    package var scale = 2.0
    /// Points between cells.
    package var spacing = 1.0
    /// The sizes of cell that the grid asks for are these squares; nil for what the columns give.
    package var cellLimit: Int?

    /// The screen above.
    package init() {}

    /// The grid of `count` cells in so many columns.
    package func layout(columns: Int, count: Int) throws -> GridLayout {
        try GridLayout(
            GridLayout.Metrics(width: width, columns: .count(columns), spacing: spacing, scale: scale), count: count)
    }

    /// What a cell of `layout` asks for: a square that the photo fills.
    package func rendition(_ layout: GridLayout) -> Rendition {
        var size = layout.cellPixels ?? PixelSize(square: 1)
        if let cellLimit { size = PixelSize(square: max(1, size.width * cellLimit / 256)) }
        return Rendition(size: size, mode: .fill)
    }
}
