import CVips

/// Pixels in memory: 8-bit sRGB, rows from top to bottom without gaps, alpha not premultiplied.
public struct PixelBuffer: Hashable, Sendable {
    /// Pixels across and down.
    public let size: PixelSize
    /// 3 for RGB, 4 for RGBA.
    public internal(set) var channels: Int
    /// `size.area * channels` bytes.
    public internal(set) var bytes: [UInt8]

    /// A buffer of one colour.
    public init(size: PixelSize, filledWith color: RGBColor) {
        self.size = size
        channels = 3
        bytes = []
        bytes.reserveCapacity(size.area * 3)
        var row: [UInt8] = []
        for _ in 0..<size.width { row += [color.red, color.green, color.blue] }
        for _ in 0..<size.height { bytes += row }
    }

    /// A buffer of these bytes.
    ///
    /// - Precondition: `bytes.count == size.area * channels`, and `channels` is 3 or 4.
    public init(size: PixelSize, channels: Int, bytes: [UInt8]) {
        precondition(channels == 3 || channels == 4, "a pixel has 3 or 4 channels")
        precondition(bytes.count == size.area * channels, "the bytes do not fill the size")
        self.size = size
        self.channels = channels
        self.bytes = bytes
    }

    /// Bytes from one row to the next.
    public var stride: Int { size.width * channels }

    /// Whether no pixel is transparent. O(pixels) where there is an alpha channel.
    public var isOpaque: Bool {
        channels == 3 || stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
    }

    private func stride(from start: Int, to end: Int, by step: Int) -> StrideTo<Int> {
        Swift.stride(from: start, to: end, by: step)
    }

    /// The channels of the pixel at (`x`, `y`).
    public subscript(x: Int, y: Int) -> [UInt8] {
        let start = (y * size.width + x) * channels
        return Array(bytes[start..<start + channels])
    }
}

extension PixelBuffer {
    /// Evaluates `raster`, which must be 8-bit sRGB of 3 or 4 bands.
    init(_ raster: Raster, watch: RenderWatch? = nil) throws(VipsFailure) {
        let memory = try raster.evaluated(watch: watch)
        guard let start = vips_image_get_data(memory.image), memory.format == VIPS_FORMAT_UCHAR,
            memory.bands == 3 || memory.bands == 4
        else { throw VipsFailure(text: "no 8-bit colour pixels came back") }
        size = memory.size
        channels = memory.bands
        bytes = Array(UnsafeRawBufferPointer(start: start, count: size.area * channels))
    }

    /// Calls `body` with a raster that reads these pixels.
    func withRaster<Result>(_ body: (Raster) throws(VipsFailure) -> Result) throws(VipsFailure) -> Result {
        // Pixels may be encoded before any picture was opened.
        guard Vips.isStarted else { throw VipsFailure(text: "libvips did not start") }
        return try bytes.span.withUnsafeBytes { buffer throws(VipsFailure) in
            try body(
                Raster(
                    cvips_from_pixels(
                        buffer.baseAddress, buffer.count, Int32(size.width), Int32(size.height), Int32(channels))))
        }
    }

    /// The pixels as a file.
    ///
    /// - Throws: `RenderError.environment` if libvips cannot encode them.
    public func encoded(_ encoding: Encoding) throws(RenderError) -> (format: Encoding.Format, bytes: [UInt8]) {
        let format = encoding.format(forOpaque: isOpaque)
        let pixels = format.hasAlpha ? self : flattened(on: .white)
        do {
            return (format, MetadataRemoval.cleaned(try pixels.saved(as: format, quality: encoding.quality), format))
        } catch {
            throw .environment(reason: "the picture could not be encoded as \(format.rawValue): \(error.text)")
        }
    }

    private func saved(as format: Encoding.Format, quality: Int) throws(VipsFailure) -> [UInt8] {
        try withRaster { raster throws(VipsFailure) in
            var (out, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
            defer { g_free(out) }
            let status =
                switch format {
                case .jpeg: cvips_save_jpeg(raster.image, Int32(quality), &out, &count)
                // A 400-pixel circle: level 6 takes three times as long as 4 and saves 4 % of the bytes.
                case .png: cvips_save_png(raster.image, 4, &out, &count)
                case .webp: cvips_save_webp(raster.image, Int32(quality), &out, &count)
                }
            guard status == 0 else { throw VipsFailure(text: Vips.takeErrorText()) }
            return Array(UnsafeRawBufferPointer(start: out, count: count))
        }
    }
}
