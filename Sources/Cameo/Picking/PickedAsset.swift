/// One asset of a picker's result. What it is asked for is made then, from the original and nothing else.
public struct PickedAsset: Identifiable, Sendable {
    /// What was picked.
    public let asset: Asset
    /// What the editing step did; nil where there was none.
    public let edit: Edit?

    /// Pixels of the upright picture that the edit was made on.
    private let editedSize: PixelSize?
    private let renderer: Renderer

    /// A pick as it is, or as an editing step left it.
    ///
    /// - Parameter faces: How a rendition that asks for faces finds them.
    public init(
        _ asset: Asset, crop: CropSession? = nil, options: RenderOptions = RenderOptions(), faces: FaceSearch? = nil
    ) {
        self.asset = asset
        edit = crop?.edit
        editedSize = crop?.picture
        renderer = Renderer(options: options, faces: faces)
    }

    /// The identifier of the asset.
    public var id: Asset.ID { asset.id }

    /// Whether the edited picture differs from the original.
    public var isEdited: Bool {
        guard let edit, let editedSize else { return false }
        return !edit.keeps(editedSize)
    }

    /// The part of the upright original that the edited picture shows, in pixels of the original; the whole of it
    /// without an edit; nil where neither an edit nor the asset's header tells.
    public var crop: PixelRect? { edit?.crop ?? asset.uprightSize.map { PixelRect($0) } }

    /// The bytes of the original file as they are. O(bytes).
    ///
    /// Cancelling the task ends it at once with `RenderError.cancelled`.
    ///
    /// - Throws: `PickingError.render` with `unreadable`, `empty`, `tooLarge` or `cancelled`.
    public func originalBytes() async throws(PickingError) -> [UInt8] {
        let (source, options) = (asset.source, renderer.options)
        return try await BlockingWork.shared.run(cancelled: cancelled) { _ throws(PickingError) in
            do throws(RenderError) {
                let bytes = try SourceBytes(source, limit: options.limits.bytes) { _ in }
                // The buffer is borrowed: without this the bytes may be freed before they are copied.
                return withExtendedLifetime(bytes) { Array($0.buffer) }
            } catch {
                throw .render(error)
            }
        }
    }

    /// The upright original at `rendition`, whatever the editing step did.
    ///
    /// Cancelling the task ends it at once with `RenderError.cancelled`, and the work soon after.
    ///
    /// - Throws: `PickingError.render`.
    public func image(_ rendition: Rendition) async throws(PickingError) -> PickedPicture {
        try await picture(rendition, of: nil)
    }

    /// The edited picture at `rendition`, rendered from the original; the same as `image` without an edit.
    ///
    /// Its crop is the edit's: exactly so for `fit` and for a `fill` of the edit's aspect.
    ///
    /// - Throws: `PickingError.render`, or `changed` if the file now holds a picture of another size than the one
    ///   that was cropped.
    public func editedImage(_ rendition: Rendition) async throws(PickingError) -> PickedPicture {
        try await picture(edit?.applied(to: rendition) ?? rendition, of: edit == nil ? nil : editedSize)
    }

    private var cancelled: PickingError { .render(.cancelled(source: asset.source.name)) }

    private func picture(_ rendition: Rendition, of size: PixelSize?) async throws(PickingError) -> PickedPicture {
        let (source, id, renderer) = (asset.source, asset.id, renderer)
        return try await BlockingWork.shared.run(cancelled: cancelled) { watch throws(PickingError) in
            let result: RenderResult
            do {
                let opened = try OpenedImage(source, options: renderer.options)
                if let size, opened.header.uprightSize != size { throw PickingError.changed(id) }
                result = try renderer.render(opened, [rendition], watch: watch)
            } catch let error as RenderError {
                throw .render(error)
            } catch let error as PickingError {
                throw error
            } catch {
                throw .render(.environment(reason: "\(error)"))
            }
            guard let image = result.images.first else {
                throw .render(.environment(reason: "no picture of \(source.name) came back"))
            }
            return PickedPicture(image: image, warnings: result.warnings)
        }
    }
}

extension Sequence<PickedAsset> {
    /// The edited pictures of all, made side by side, in pick order whichever is done first. One that fails does not
    /// stop the others.
    public func editedImages(_ rendition: Rendition) async -> [Result<PickedPicture, PickingError>] {
        let assets = Array(self)
        return await withTaskGroup(of: (Int, Result<PickedPicture, PickingError>).self) { group in
            for (place, asset) in assets.enumerated() {
                group.addTask {
                    do throws(PickingError) {
                        return (place, .success(try await asset.editedImage(rendition)))
                    } catch {
                        return (place, .failure(error))
                    }
                }
            }
            var done: [Int: Result<PickedPicture, PickingError>] = [:]
            for await (place, result) in group { done[place] = result }
            return assets.indices.compactMap { done[$0] }
        }
    }
}
