/// The two ends of a picture's way between its cell and the detail view, in points of the viewport.
public struct ZoomTransition: Hashable, Sendable {
    /// The cell, which shows the middle of the picture. It may lie outside the viewport.
    public let cell: LayoutRect
    /// The whole picture as the cell has it: filling the cell and reaching over it on two sides.
    public let pictureInCell: LayoutRect
    /// The whole picture as the detail view has it: as large as fits, in the middle.
    public let pictureInDetail: LayoutRect
}

extension GridLayout {
    /// The way of the cell at `index` to the detail view of a picture of `picture` pixels, in a grid scrolled to
    /// `offset`; nil for an index out of range or a picture without an area. O(log sections).
    public func zoomTransition(
        of index: Int, picture: PixelSize, offset: Double, viewport: LayoutSize
    ) -> ZoomTransition? {
        guard var cell = frame(of: index), picture.width > 0, picture.height > 0 else { return nil }
        cell.y -= offset
        let aspect = Double(picture.width) / Double(picture.height)
        let middle = LayoutPoint(x: viewport.width / 2, y: viewport.height / 2)
        return ZoomTransition(
            cell: cell,
            pictureInCell: LayoutRect(centre: cell.centre, size: cell.size.covering(aspect: aspect)),
            pictureInDetail: LayoutRect(centre: middle, size: viewport.inscribed(aspect: aspect)))
    }
}
