import CVips

/// The small JPEG that a camera put inside a file, upright and without letterbox bars. It may be older than the last
/// edit of the picture, so it only ever stands in for it.
struct EmbeddedPreview {
    private var base: DecodedBase

    /// Decodes `jpeg`, which shows a picture of `upright` pixels turned by `orientation`. The preview's own orientation
    /// does not count. Nil where it cannot be decoded, or shows another aspect than the picture.
    init?(_ jpeg: [UInt8], orientation: Orientation, upright: PixelSize) {
        guard let bytes = try? SourceBytes(.bytes(jpeg, name: "embedded preview"), limit: 1 << 20, accepts: { _ in }),
            let raster = try? Raster.load(bytes, LoadRequest(format: .jpeg, tolerance: .damage)),
            raster.size.area <= 4_000_000,
            let turned = try? raster.evaluated().upright(orientation).inSRGB(useProfile: false),
            let pixels = try? PixelBuffer(turned), let part = Self.part(of: pixels, showing: upright),
            let cut = try? turned.extracted(part), let picture = try? PixelBuffer(cut),
            let base = try? DecodedBase(picture, upright: upright)
        else { return nil }
        self.base = base
    }

    /// The preview as `rendition` has it, at the size of its own pixels where that is smaller.
    mutating func pixels(for rendition: Rendition, source: String) throws -> RenderedImage {
        let plan = try CropPlan(rendition, upright: base.upright, source: source)
        let middle = (Double(base.upright.width) / 2, Double(base.upright.height) / 2)
        let crop = plan.crop ?? .centred(atX: middle.0, y: middle.1, size: plan.cropSize, in: base.upright)
        let own = base.size(of: crop)
        let output =
            own.width >= plan.output.width
            ? plan.output : plan.output.fitted(into: own, enlarging: false)
        let pixels = try base.pixels(of: crop, at: output, turn: rendition.turn, watch: RenderWatch())
        return RenderedImage(pixels: pixels.shaped(as: rendition), crop: crop, rendition: rendition)
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

extension OpenedImage {
    /// The embedded preview, decoded; nil where there is none that shows this picture.
    func embeddedPreview() -> EmbeddedPreview? {
        guard header.previewSize != nil,
            let raster = try? Raster.load(bytes, LoadRequest(format: header.format, page: page, tolerance: .all))
        else { return nil }
        func read(_ data: Span<UInt8>) -> [UInt8]? {
            ExifReader(data).preview.map { range in range.map { data[$0] } }
        }
        let jpeg =
            header.format == .tiff ? bytes.buffer.withSpan(read) : raster.withBlob(VIPS_META_EXIF_NAME, read)
        return jpeg.flatMap {
            EmbeddedPreview($0, orientation: header.orientation, upright: header.uprightSize)
        }
    }
}
