extension Picker {
    /// The editing step of an asset: as it was left, in the viewport of now, or a new one.
    ///
    /// - Parameters:
    ///   - mask: The outline of a new step, and of an old one that has another.
    ///   - faces: The faces in the picture, as `Renderer.faces(in:)` finds them; a new step begins with them in the mask.
    /// - Throws: `PickingError.notOffered` if the library does not have the asset, `invalidGeometry` if the size of its
    ///   picture is unknown or the viewport or the mask is impossible.
    public func cropSession(
        for id: Asset.ID, viewport: LayoutSize, mask: CropSession.Mask = .square,
        faces: [DetectedFace] = []
    ) throws(PickingError) -> CropSession {
        guard let asset = library.asset(for: id) else { throw .notOffered(id) }
        guard let picture = asset.uprightSize else { throw .invalidGeometry(reason: "the size of \(id) is unknown") }
        if var session = state.withLock({ $0.crops[id] }), session.picture == picture {
            try session.setViewport(viewport)
            if session.mask != mask { try session.setMask(mask) }
            return session
        }
        var session = try CropSession(picture: picture, viewport: viewport, mask: mask)
        session.show(faces)
        return session
    }

    /// Remembers how an asset was edited, also while it is not picked; nil forgets it.
    public func setCrop(_ session: CropSession?, for id: Asset.ID) {
        state.withLock { $0.crops[id] = session }
    }
}
