extension PixelBuffer {
    /// The pixels of a stored thumbnail, which is 8-bit sRGB and upright.
    init(decoding thumbnail: StoredThumbnail) throws(RenderError) {
        let format: ImageFormat =
            switch thumbnail.format {
            case .jpeg: .jpeg
            case .png: .png
            case .webp: .webp
            }
        guard Vips.isStarted else { throw .environment(reason: "libvips did not start") }
        let name = "stored thumbnail"
        do {
            let bytes = try SourceBytes(.bytes(thumbnail.bytes, name: name), limit: 1 << 30) { _ in }
            self = try PixelBuffer(Raster.load(bytes, LoadRequest(format: format)))
        } catch let failure as VipsFailure {
            throw .corrupt(source: name, detail: failure.text)
        } catch {
            throw .corrupt(source: name, detail: "\(error)")
        }
    }
}
