extension CropSession {
    /// Shows the faces of the picture as a profile picture would: the head, or the heads of a group, in the mask. Without
    /// faces, and on a session that was turned, nothing changes.
    ///
    /// - Parameter faces: The main one first, as `Renderer.faces(in:)` has them. Those that no picture has are left out.
    public mutating func show(_ faces: [DetectedFace]) {
        let faces = FaceSearch.believed(faces)
        guard !faces.isEmpty, quarterTurns == 0 else { return }
        let steps = 1_000_000.0
        let aspect =
            mask.aspect >= 1
            ? PixelSize(width: Int(steps), height: Int((steps / mask.aspect).rounded()))
            : PixelSize(width: Int((steps * mask.aspect).rounded()), height: Int(steps))
        let crop = FaceCrop(faces, in: picture, aspect: aspect, isCircle: mask == .circle).rect
        zoom(to: zoom * shownSize.width / Double(crop.width))
        centre = LayoutPoint(
            x: Double(crop.x) + Double(crop.width) / 2, y: Double(crop.y) + Double(crop.height) / 2)
        pan(x: 0, y: 0)
    }
}
