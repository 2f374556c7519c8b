import CJPEG

extension PixelBuffer {
    /// The pixels of a stored thumbnail, which is 8-bit sRGB and upright.
    ///
    /// - Throws: `RenderError.corrupt` where the bytes do not decode.
    public init(decoding thumbnail: StoredThumbnail) throws(RenderError) {
        let format: ImageFormat =
            switch thumbnail.format {
            case .jpeg: .jpeg
            case .png: .png
            case .webp: .webp
            }
        if format == .jpeg, let pixels = Self(jpeg: thumbnail.bytes) {
            self = pixels
            return
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

    /// The pixels of a JPEG that Cameo wrote: no profile, no turning, three components. libvips takes as long again for
    /// its pipeline as libjpeg-turbo does for decoding something so small. Nil where anything is out of the ordinary.
    private init?(jpeg bytes: [UInt8]) {
        var (width, height) = (Int32(0), Int32(0))
        guard cjpeg_size(bytes, bytes.count, &width, &height) == 0 else { return nil }
        let size = PixelSize(width: Int(width), height: Int(height))
        guard size.width <= Rendition.sideLimit, size.height <= Rendition.sideLimit else { return nil }
        var status: Int32 = -1
        let pixels = [UInt8](unsafeUninitializedCapacity: size.area * 3) { buffer, count in
            status = cjpeg_decode(bytes, bytes.count, buffer.baseAddress, width, height)
            count = status == 0 ? size.area * 3 : 0
        }
        guard status == 0 else { return nil }
        self.init(size: size, channels: 3, bytes: pixels)
    }
}
