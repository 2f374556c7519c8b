extension CropSession {
    /// Shows the same part in another viewport.
    ///
    /// - Throws: `PickingError.invalidGeometry` for one without an area.
    public mutating func setViewport(_ viewport: LayoutSize) throws(PickingError) {
        try Self.check(viewport)
        self.viewport = viewport
    }

    /// Changes the outline. The centre stays where it is as far as the picture's edges allow.
    ///
    /// - Throws: `PickingError.invalidGeometry` for an aspect that is not in 0.001 to 1000.
    public mutating func setMask(_ mask: Mask) throws(PickingError) {
        try Self.check(mask)
        self.mask = mask
        clamp()
    }

    /// Moves the picture by a way on the screen, as far as it goes on covering the mask.
    public mutating func pan(x: Double, y: Double) {
        guard x.isFinite, y.isFinite else { return }
        let way = onPicture(LayoutPoint(x: x, y: y))
        centre = LayoutPoint(x: centre.x - way.x, y: centre.y - way.y)
        clamp()
    }

    /// Zooms so that what is at `anchor`, a point of the viewport, stays there as far as the picture's edges allow.
    /// A zoom out of range counts as the nearest in it.
    public mutating func zoom(to zoom: Double, at anchor: LayoutPoint? = nil) {
        guard zoom.isFinite, anchor?.isFinite ?? true else { return }
        let anchor = anchor ?? maskFrame.centre
        let arm = LayoutPoint(x: anchor.x - viewport.width / 2, y: anchor.y - viewport.height / 2)
        let before = onPicture(arm)
        self.zoom = min(max(zoom, Self.zoomRange.lowerBound), Self.zoomRange.upperBound)
        let after = onPicture(arm)
        centre = LayoutPoint(x: centre.x + before.x - after.x, y: centre.y + before.y - after.y)
        clamp()
    }

    /// Turns what is seen by 90°, clockwise for positive numbers, around the middle of the mask.
    public mutating func turn(_ quarters: Int = 1) {
        // A mirrored picture turns the other way under the mirror.
        quarterTurns = (quarterTurns &+ (isMirrored ? 0 &- quarters : quarters)) & 3
        clamp()
    }

    /// Mirrors what is seen left to right, around the middle of the mask.
    public mutating func mirror() { isMirrored.toggle() }

    /// Back to the untouched picture; viewport and mask stay.
    public mutating func reset() {
        zoom = 1
        quarterTurns = 0
        isMirrored = false
        centre = LayoutPoint(x: Double(picture.width) / 2, y: Double(picture.height) / 2)
    }

    /// Brings the centre back to where the picture covers the mask.
    mutating func clamp() {
        let shown = shownSize
        func clamped(_ place: Double, _ shown: Double, _ limit: Int) -> Double {
            let margin = min(shown / 2, Double(limit) / 2)
            return min(max(place, margin), Double(limit) - margin)
        }
        centre = LayoutPoint(
            x: clamped(centre.x, shown.width, picture.width), y: clamped(centre.y, shown.height, picture.height))
    }
}
