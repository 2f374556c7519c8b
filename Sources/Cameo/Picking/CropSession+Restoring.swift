extension CropSession {
    /// What of the upright original lies in the middle of the mask, in pixels.
    package var shownCentre: LayoutPoint { centre }

    /// Shows what a front end shows that kept the gestures to itself, as far as the picture covers the mask there.
    package mutating func show(centre: LayoutPoint, zoom: Double, quarterTurns: Int, isMirrored: Bool) {
        guard centre.isFinite, zoom.isFinite else { return }
        self.zoom = min(max(zoom, Self.zoomRange.lowerBound), Self.zoomRange.upperBound)
        self.quarterTurns = quarterTurns & 3
        self.isMirrored = isMirrored
        self.centre = centre
        clamp()
    }
}

extension Picker {
    /// Whether an editing step of `id` is remembered.
    package func isCropped(_ id: Asset.ID) -> Bool { state.withLock { $0.crops[id] != nil } }
}
