import CVips

/// A line of text as coverage: how much of each pixel the letters cover. Drawn by Pango through libvips.
struct TextMask {
    let size: PixelSize
    private let bytes: [UInt8]

    /// `text` in `font`, a Pango font description whose size is in pixels; cut off behind `maximumWidth`.
    init(_ text: String, font: String, maximumWidth: Int = .max) throws(VipsFailure) {
        guard Vips.isStarted else { throw VipsFailure(text: "libvips did not start") }
        // The text is data, not markup.
        let escaped = text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
        var raster = try Raster(cvips_text(escaped, font, 0, 0))
        if raster.size.width > maximumWidth {
            raster = try raster.extracted(PixelRect(x: 0, y: 0, width: maximumWidth, height: raster.size.height))
        }
        let memory = try raster.bands(0..<1).rounded(to: VIPS_FORMAT_UCHAR).evaluated()
        guard let start = vips_image_get_data(memory.image) else { throw VipsFailure(text: "no pixels came back") }
        size = memory.size
        bytes = Array(UnsafeRawBufferPointer(start: start, count: size.area))
    }

    /// 0 to 1; 0 outside.
    func coverage(_ x: Int, _ y: Int) -> Double {
        guard x >= 0, y >= 0, x < size.width, y < size.height else { return 0 }
        return Double(bytes[y * size.width + x]) / 255
    }
}
