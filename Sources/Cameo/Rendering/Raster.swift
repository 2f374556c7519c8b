import CVips

/// A libvips image: pixels, or the promise to compute them. It keeps what it is computed from alive.
final class Raster {
    let image: UnsafeMutablePointer<VipsImage>
    private let keptAlive: AnyObject?
    /// Whether it is pixels already, and its own.
    private let isEvaluated: Bool

    /// Takes over a new reference.
    init(
        _ image: UnsafeMutablePointer<VipsImage>?, keeping keptAlive: AnyObject? = nil, isEvaluated: Bool = false
    ) throws(VipsFailure) {
        guard let image else { throw VipsFailure(text: Vips.takeErrorText()) }
        self.image = image
        self.keptAlive = keptAlive
        self.isEvaluated = isEvaluated
    }

    /// A copy of 8-bit pixels: grey, sRGB, or sRGB with alpha by the number of bands, unless they are said to be
    /// something else.
    convenience init(
        copying bytes: [UInt8], size: PixelSize, bands: Int, as interpretation: VipsInterpretation? = nil
    ) throws(VipsFailure) {
        // libvips moves pixels from one image to another by threads that wait for each other; bytes are only copied.
        let image = bytes.withUnsafeBytes {
            cvips_from_pixels_copied($0.baseAddress, $0.count, Int32(size.width), Int32(size.height), Int32(bands))
        }
        if let interpretation { image?.pointee.Type = interpretation }
        try self.init(image, isEvaluated: true)
    }

    deinit { cvips_unref(image) }

    var size: PixelSize {
        PixelSize(width: Int(vips_image_get_width(image)), height: Int(vips_image_get_height(image)))
    }
    var bands: Int { Int(vips_image_get_bands(image)) }
    var format: VipsBandFormat { vips_image_get_format(image) }
    var interpretation: VipsInterpretation { vips_image_guess_interpretation(image) }
    var hasAlpha: Bool { vips_image_hasalpha(image) != 0 }

    func integer(_ name: String, absent: Int = 0) -> Int { Int(cvips_get_int(image, name, Int32(absent))) }

    /// Calls `body` with the bytes of the field `name`, none where it is absent.
    func withBlob<Result>(_ name: String, _ body: (Span<UInt8>) -> Result) -> Result {
        var count = 0
        let start = cvips_get_blob(image, name, &count)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count).withSpan(body)
    }
}

extension Raster {
    /// Gives the pixels a profile, in place of what they carry.
    func setProfile(_ bytes: [UInt8]) { cvips_set_profile(image, bytes, bytes.count) }

    func extracted(_ area: PixelRect) throws(VipsFailure) -> Raster {
        if area == PixelRect(size) { return self }
        return try Raster(
            cvips_extract_area(image, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height)))
    }

    func bands(_ range: Range<Int>) throws(VipsFailure) -> Raster {
        if range == 0..<bands { return self }
        return try Raster(cvips_extract_bands(image, Int32(range.lowerBound), Int32(range.count)))
    }

    func joined(with more: Raster) throws(VipsFailure) -> Raster { try Raster(cvips_join_bands(image, more.image)) }

    func scaled(by factor: Double) throws(VipsFailure) -> Raster { try Raster(cvips_scaled_by(image, factor)) }

    /// Resizes to exactly `target`, with Lanczos 3 where it gets smaller and bicubic where it gets larger.
    func resized(to target: PixelSize) throws(VipsFailure) -> Raster {
        if target == size { return self }
        let enlarges = target.width > size.width || target.height > size.height
        let resized = try Raster(
            cvips_resize(
                image, Double(target.width) / Double(size.width), Double(target.height) / Double(size.height),
                enlarges ? VIPS_KERNEL_CUBIC : VIPS_KERNEL_LANCZOS3))
        if resized.size == target { return resized }
        // libvips computes the size from the factor and may come out one pixel larger.
        return try resized.extracted(PixelRect(target))
    }

    /// Averages blocks of `factor` × `factor` pixels.
    func shrunk(by factor: Int) throws(VipsFailure) -> Raster {
        factor == 1 ? self : try Raster(cvips_shrink(image, Int32(factor), Int32(factor)))
    }

    func premultiplied() throws(VipsFailure) -> Raster { try Raster(cvips_premultiply(image)) }
    func unpremultiplied() throws(VipsFailure) -> Raster { try Raster(cvips_unpremultiply(image)) }

    func rounded(to format: VipsBandFormat) throws(VipsFailure) -> Raster {
        self.format == format ? self : try Raster(cvips_round_to(image, format))
    }

    func converted(to space: VipsInterpretation) throws(VipsFailure) -> Raster {
        interpretation == space ? self : try Raster(cvips_colourspace(image, space))
    }

    func interpreted(as space: VipsInterpretation) throws(VipsFailure) -> Raster {
        try Raster(cvips_interpreted_as(image, space))
    }

    /// To 8-bit sRGB, from the embedded profile or from one that libvips brings.
    func convertedToSRGB(from builtIn: String? = nil, perceptual: Bool = false) throws(VipsFailure) -> Raster {
        try Raster(cvips_icc_to_srgb(image, builtIn, perceptual ? VIPS_INTENT_PERCEPTUAL : VIPS_INTENT_RELATIVE))
    }

    /// Turned and mirrored so that pixels stored with `orientation` are upright.
    func upright(_ orientation: Orientation) throws(VipsFailure) -> Raster {
        switch orientation {
        case .up: self
        case .upMirrored: try flipped(VIPS_DIRECTION_HORIZONTAL)
        case .down: try rotated(VIPS_ANGLE_D180)
        case .downMirrored: try flipped(VIPS_DIRECTION_VERTICAL)
        case .leftMirrored: try rotated(VIPS_ANGLE_D90).flipped(VIPS_DIRECTION_HORIZONTAL)
        case .right: try rotated(VIPS_ANGLE_D90)
        case .rightMirrored: try rotated(VIPS_ANGLE_D90).flipped(VIPS_DIRECTION_VERTICAL)
        case .left: try rotated(VIPS_ANGLE_D270)
        }
    }

    private func flipped(_ direction: VipsDirection) throws(VipsFailure) -> Raster {
        try Raster(cvips_flip(image, direction))
    }

    private func rotated(_ angle: VipsAngle) throws(VipsFailure) -> Raster { try Raster(cvips_rotate(image, angle)) }

    /// Computes the pixels, all of them, now.
    func evaluated(watch: RenderWatch? = nil) throws(VipsFailure) -> Raster {
        isEvaluated ? self : try Raster(cvips_copy_memory(image, watch?.pointer), isEvaluated: true)
    }

    /// The samples of an 8- or 16-bit RGB or RGBA raster, and whether they are 16 bits wide.
    func evaluatedSamples(watch: RenderWatch) throws(VipsFailure) -> (samples: [Int], isWide: Bool) {
        let isWide = format == VIPS_FORMAT_USHORT
        guard isWide || format == VIPS_FORMAT_UCHAR, bands == 3 || bands == 4 else {
            throw VipsFailure(text: "no colour samples of 8 or 16 bits")
        }
        let memory = try evaluated(watch: watch)
        guard let start = vips_image_get_data(memory.image) else { throw VipsFailure(text: "no pixels came back") }
        let count = size.area * bands
        let bytes = UnsafeRawBufferPointer(start: start, count: isWide ? count * 2 : count)
        return (isWide ? bytes.bindMemory(to: UInt16.self).map(Int.init) : bytes.map(Int.init), isWide)
    }

    /// Where the most interesting window of `size` lies.
    func mostInteresting(_ size: PixelSize, by interest: VipsInteresting) throws(VipsFailure) -> (x: Int, y: Int) {
        var (left, top) = (Int32(0), Int32(0))
        guard cvips_smartcrop(image, Int32(size.width), Int32(size.height), interest, &left, &top) == 0 else {
            throw VipsFailure(text: Vips.takeErrorText())
        }
        return (Int(left), Int(top))
    }
}
