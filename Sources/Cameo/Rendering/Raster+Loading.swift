import CVips

/// How a source is to be opened.
struct LoadRequest {
    /// What libvips treats as a failure.
    enum Tolerance: CaseIterable {
        /// Any warning of the decoder.
        case none
        /// Damage, but not an early end.
        case damage
        /// Anything that leaves some pixels.
        case all
    }

    var format: ImageFormat
    /// 1, 2, 4 or 8: the block size that a JPEG decoder is to average.
    var shrink = 1
    /// The factor for formats that scale freely while they decode (WebP, SVG).
    var scale = 1.0
    /// The picture of a HEIF collection.
    var page = 0
    var tolerance = Tolerance.none
}

extension Raster {
    /// Opens `bytes`; only the header is decoded until pixels are asked for.
    static func load(_ bytes: SourceBytes, _ request: LoadRequest) throws(VipsFailure) -> Raster {
        let (start, count) = (bytes.buffer.baseAddress, bytes.buffer.count)
        let failOn =
            switch request.tolerance {
            case .none: VIPS_FAIL_ON_WARNING
            case .damage: VIPS_FAIL_ON_TRUNCATED
            case .all: VIPS_FAIL_ON_NONE
            }
        let level = Int32(failOn.rawValue)
        Vips.require(request.format)
        let image: UnsafeMutablePointer<VipsImage>? =
            switch request.format {
            case .jpeg:
                // Scans are limited before a file is loaded; a damaged one may warn at every block and still be seen.
                cvips_load_jpeg(start, count, Int32(request.shrink), level, request.tolerance == .none ? 0 : 1)
            case .png: cvips_load_png(start, count, level)
            case .gif: cvips_load_gif(start, count, level)
            case .webp: cvips_load_webp(start, count, request.scale, level)
            case .heif, .avif: cvips_load_heif(start, count, Int32(request.page), level)
            case .tiff: cvips_load_tiff(start, count, level)
            case .jxl: cvips_load_jxl(start, count, level)
            case .jp2: cvips_load_jp2(start, count, 0, level)
            case .svg: cvips_load_svg(start, count, request.scale, level)
            }
        let raster = try Raster(image, keeping: bytes)
        if request.format == .gif, !raster.hasAlpha, let frame = bytes.buffer.withSpan({ GIFStructure.firstFrame($0) })
        {
            return try raster.opaque(onlyIn: frame, keeping: bytes)
        }
        guard raster.image.pointee.Coding == VIPS_CODING_LABQ else { return raster }
        // LAB of eight bits comes packed into four bands that no other operation can read.
        return try Raster(cvips_colourspace(raster.image, VIPS_INTERPRETATION_LABS), keeping: bytes)
    }

    /// Transparent outside of `frame`, which libvips leaves black where no frame of an animation is transparent; players
    /// show what lies behind.
    private func opaque(onlyIn frame: PixelRect, keeping bytes: SourceBytes) throws(VipsFailure) -> Raster {
        let width = min(size.width, frame.x + frame.width) - frame.x
        let height = min(size.height, frame.y + frame.height) - frame.y
        // What lies outside altogether, or covers everything, leaves nothing to tell apart.
        if width <= 0 || height <= 0 || PixelSize(width: width, height: height) == size { return self }
        return try Raster(
            cvips_opaque_in(image, Int32(frame.x), Int32(frame.y), Int32(width), Int32(height)), keeping: bytes)
    }
}
