/// The small JPEG that a camera put inside a file, upright and without letterbox bars. It may be older than the last
/// edit of the picture, so it only ever stands in for it.
enum EmbeddedPreview {
    /// The most pixels that a preview has; one of more is no quick stand-in.
    private static let areaLimit = 4_000_000
    /// The most scans of a progressive one, twice what encoders write.
    private static let scanLimit = 24

    /// Decodes `jpeg`, which shows a picture of `upright` pixels turned by `orientation`. The preview's own orientation
    /// does not count. Nil where it cannot be decoded, or shows another aspect than the picture.
    static func base(_ jpeg: [UInt8], orientation: Orientation, upright: PixelSize) -> DecodedBase? {
        let structure = JPEGStructure(jpeg.span)
        guard structure.scans <= scanLimit, structure.size?.area ?? 0 <= areaLimit,
            let bytes = try? SourceBytes(.bytes(jpeg, name: "embedded preview"), limit: 1 << 20, accepts: { _ in }),
            let raster = try? Raster.load(bytes, LoadRequest(format: .jpeg, tolerance: .damage))
        else { return nil }
        return base(raster, orientation: orientation, upright: upright)
    }

    /// The same of a preview that is open.
    static func base(_ raster: Raster, orientation: Orientation, upright: PixelSize) -> DecodedBase? {
        guard raster.size.area <= areaLimit,
            let turned = try? raster.evaluated().upright(orientation).inSRGB(useProfile: false),
            let pixels = try? PixelBuffer(turned), let part = Self.part(of: pixels, showing: upright),
            let cut = try? turned.extracted(part), let picture = try? PixelBuffer(cut)
        else { return nil }
        return try? DecodedBase(picture, upright: upright)
    }

    /// The part of `pixels` that shows a picture of the aspect of `picture`: all, or what lies between black bars; nil
    /// where what lies outside is no bar.
    private static func part(of pixels: PixelBuffer, showing picture: PixelSize) -> PixelRect? {
        let inner = pixels.size.inscribed(aspectOf: picture)
        let (across, down) = (pixels.size.width - inner.width, pixels.size.height - inner.height)
        // What rounding to whole pixels, or to whole blocks of 8, does to an aspect.
        if across <= 2, down <= 2 { return PixelRect(pixels.size) }
        let middle = PixelRect.centred(
            atX: Double(pixels.size.width) / 2, y: Double(pixels.size.height) / 2, size: inner, in: pixels.size)
        let bars: [PixelRect] =
            across > down
            ? [
                PixelRect(x: 0, y: 0, width: middle.x, height: pixels.size.height),
                PixelRect(
                    x: middle.x + middle.width, y: 0, width: pixels.size.width - middle.x - middle.width,
                    height: pixels.size.height),
            ]
            : [
                PixelRect(x: 0, y: 0, width: pixels.size.width, height: middle.y),
                PixelRect(
                    x: 0, y: middle.y + middle.height, width: pixels.size.width,
                    height: pixels.size.height - middle.y - middle.height),
            ]
        guard bars.allSatisfy({ isBlack($0, in: pixels) }) else { return nil }
        // The line where bar and picture meet is mixed of both.
        let inset = PixelSize(
            width: inner.width - (across > down ? 2 : 0), height: inner.height - (across > down ? 0 : 2))
        let clean = inset.inscribed(aspectOf: picture)
        return .centred(
            atX: Double(pixels.size.width) / 2, y: Double(pixels.size.height) / 2, size: clean, in: pixels.size)
    }

    /// Whether `area` is black, but for what a JPEG makes of the edge of the picture beside it.
    private static func isBlack(_ area: PixelRect, in pixels: PixelBuffer) -> Bool {
        var (sum, brightest) = (0, 0)
        for y in area.y..<area.y + area.height {
            for x in area.x..<area.x + area.width {
                let start = (y * pixels.size.width + x) * pixels.channels
                let value = Int(pixels.bytes[start]) + Int(pixels.bytes[start + 1]) + Int(pixels.bytes[start + 2])
                sum += value
                brightest = max(brightest, value)
            }
        }
        return sum <= area.size.area * 3 * 16 && brightest <= 3 * 112
    }
}
