import CVips

extension OpenedImage {
    /// What can stand in for `renditions`, in its own pixels where it has fewer; nil where there is nothing of that kind,
    /// or where they will come of the 1/8 picture themselves.
    func standIns(for renditions: [Rendition], by standIn: StandIn) -> [RenderedImage]? {
        let found: DecodedBase? =
            switch standIn {
            case .embeddedPreview: embeddedPreview()
            case .eighth: isServedByEighth(renditions) ? nil : roughBase()
            }
        guard var base = found else { return nil }
        let images = renditions.compactMap { try? base.standIn(for: $0, source: name) }
        return images.count == renditions.count ? images : nil
    }

    /// The embedded preview, decoded; nil where there is none that shows this picture.
    func embeddedPreview() -> DecodedBase? {
        if header.format == .heif || header.format == .avif { return thumbnailItem() }
        guard header.previewSize != nil,
            let raster = try? Raster.load(bytes, LoadRequest(format: header.format, page: page, tolerance: .all))
        else { return nil }
        func read(_ data: Span<UInt8>) -> [UInt8]? {
            ExifReader(data).preview.map { range in range.map { data[$0] } }
        }
        let jpeg =
            header.format == .tiff ? bytes.buffer.withSpan(read) : raster.withBlob(VIPS_META_EXIF_NAME, read)
        return jpeg.flatMap {
            EmbeddedPreview.base($0, orientation: header.orientation, upright: header.uprightSize)
        }
    }

    /// The thumbnail that a HEIF or AVIF keeps of its primary picture. The loader gives the picture itself where there
    /// is none, which is no quick stand-in, so what is not smaller does not count.
    private func thumbnailItem() -> DecodedBase? {
        guard transfer == nil, isComplete,
            let raster = try? Raster(
                cvips_load_heif_thumbnail(bytes.buffer.baseAddress, bytes.buffer.count, Int32(page)), keeping: bytes),
            raster.size.width < header.storedSize.width, raster.size.height < header.storedSize.height
        else { return nil }
        return EmbeddedPreview.base(raster, orientation: .up, upright: header.uprightSize)
    }
}
