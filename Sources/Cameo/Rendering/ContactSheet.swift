/// Many pictures on one: a grid of cells, each with a picture in its middle and perhaps a label below.
public struct ContactSheet: Sendable {
    /// How a sheet is laid out, in pixels.
    public struct Layout: Hashable, Sendable {
        /// Cells across.
        public let columns: Int
        /// The box that a picture fits into.
        public let cell: PixelSize
        /// Between cells and around them.
        public let spacing: Int
        /// The height of a label; 0 for none.
        public let labelHeight: Int

        /// A layout; spacing and labels follow from the cell.
        public init(columns: Int, cell: PixelSize, hasLabels: Bool) {
            self.columns = max(1, columns)
            self.cell = cell
            spacing = max(4, min(cell.width, cell.height) / 12)
            labelHeight = hasLabels ? max(12, min(22, cell.height / 10)) : 0
        }

        /// The most cells that a sheet of this layout can hold inside `Rendition.sideLimit`, at least one row.
        public var capacity: Int {
            max(1, (Rendition.sideLimit - spacing) / (cell.height + labelHeight + spacing)) * columns
        }

        /// The size of a sheet of `count` cells.
        public func size(_ count: Int) -> PixelSize {
            let rows = max(1, (count + columns - 1) / columns)
            let across = min(columns, max(1, count))
            return PixelSize(
                width: spacing + across * (cell.width + spacing),
                height: spacing + rows * (cell.height + labelHeight + spacing))
        }

        /// Where cell `index` begins.
        public func origin(_ index: Int) -> (x: Int, y: Int) {
            (
                spacing + index % columns * (cell.width + spacing),
                spacing + index / columns * (cell.height + labelHeight + spacing)
            )
        }
    }

    /// The layout.
    public let layout: Layout
    /// What is drawn so far.
    public private(set) var pixels: PixelBuffer

    private let ink: RGBColor

    /// An empty sheet for `count` pictures.
    public init(layout: Layout, count: Int, background: RGBColor = .white) {
        self.layout = layout
        pixels = PixelBuffer(size: layout.size(count), filledWith: background)
        let brightness = Int(background.red) * 3 + Int(background.green) * 6 + Int(background.blue)
        ink = brightness > 1275 ? RGBColor(70, 70, 70) : RGBColor(200, 200, 200)
    }

    /// Draws `picture` into the middle of cell `index`.
    public mutating func draw(_ picture: PixelBuffer, at index: Int) {
        let (x, y) = layout.origin(index)
        pixels.draw(
            picture, x: x + (layout.cell.width - picture.size.width) / 2,
            y: y + (layout.cell.height - picture.size.height) / 2)
    }

    /// Writes `label` below cell `index`, cut off at the cell's width.
    public mutating func label(_ label: String, at index: Int) {
        guard layout.labelHeight > 0 else { return }
        let top = layout.origin(index).y + layout.cell.height
        write(label, at: index, centredAt: top + layout.labelHeight / 2 + 2)
    }

    /// Fills cell `index` with a quiet tile that says why there is no picture.
    public mutating func drawFailure(_ reason: String, at index: Int) {
        let (x, y) = layout.origin(index)
        pixels.draw(PixelBuffer(size: layout.cell, filledWith: RGBColor(236, 232, 230)), x: x, y: y)
        write(reason, at: index, centredAt: y + layout.cell.height / 2)
    }

    private mutating func write(_ text: String, at index: Int, centredAt middle: Int) {
        let visible = text.filter { !$0.isNewline }
        guard !visible.isEmpty else { return }
        let font = "sans \(Double(layout.labelHeight > 0 ? layout.labelHeight : 16) * 0.72)"
        var mask: TextMask
        do throws(VipsFailure) {
            mask = try TextMask(visible, font: font)
            if mask.size.width > layout.cell.width {
                let share = Double(layout.cell.width) / Double(mask.size.width)
                let kept = max(1, Int(Double(visible.count) * share) - 2)
                mask = try TextMask(visible.prefix(kept) + "…", font: font, maximumWidth: layout.cell.width)
            }
        } catch {
            // A name of spaces has no ink, and one label is not worth a sheet.
            return
        }
        let left = layout.origin(index).x + (layout.cell.width - mask.size.width) / 2
        let top = middle - mask.size.height / 2
        for y in max(0, top)..<max(0, min(pixels.size.height, top + mask.size.height)) {
            pixels.tint(ink, row: y, columns: left..<left + mask.size.width) { mask.coverage($0 - left, y - top) }
        }
    }
}
