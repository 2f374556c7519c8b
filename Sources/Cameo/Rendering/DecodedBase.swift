import CVips
import JPEGPreview
import Resampling

/// A picture decoded once, upright and in memory, small but large enough for every rendition asked of it.
struct DecodedBase {
    /// The upright picture's own size.
    let upright: PixelSize
    /// Whether the embedded profile turned out to be unusable.
    private(set) var ignoredProfile = false

    /// The size of the pixels that are held.
    var size: PixelSize { raster.size }

    private var raster: Raster
    /// Where exactly the picture lies in the raster, if that is not all of it; then the raster is in memory.
    private let frame: WindowResampler.Window?
    /// What went through a JPEG for its 1/8 picture, if this is that: parts of it can be had in more detail.
    private let decoder: DCDecoder?
    private let transfer: HDRTransfer?
    private let profile: [UInt8]?
    /// Whether the pixels are still to be converted by the embedded profile.
    private var usesProfile: Bool

    /// Decodes in the way that costs least.
    ///
    /// - Parameters:
    ///   - reduction: How many times smaller than the picture the most demanding rendition is.
    ///   - isStrict: Whether what the renditions do not need is to be judged, too.
    static func decoded(
        _ opened: OpenedImage, reduction: Double, tolerance: LoadRequest.Tolerance, isStrict: Bool, watch: RenderWatch
    ) throws(VipsFailure) -> DecodedBase {
        // Damage is for libvips to judge.
        if tolerance == .none,
            let eighth = try opened.eighth(reduction: reduction, isStrict: isStrict, watch: watch)
        {
            return try DecodedBase(opened, eighth: eighth)
        }
        return try DecodedBase(opened, reduction: reduction, tolerance: tolerance, watch: watch)
    }

    private init(
        _ opened: OpenedImage, reduction: Double, tolerance: LoadRequest.Tolerance, watch: RenderWatch
    ) throws(VipsFailure) {
        var request = LoadRequest(format: opened.header.format, page: opened.page, tolerance: tolerance)
        request.decodeSmall(opened.header, reduction: reduction)
        request.scale *= opened.loadScale
        let loaded = try Raster.load(opened.bytes, request)
        upright = opened.header.uprightSize
        transfer = opened.transfer
        profile = opened.profile

        // What is left after the decoder's own reduction is averaged in blocks while it streams by, down to twice
        // the size, so that no more than that is ever held.
        let left = reduction * Double(loaded.size.width) / Double(opened.header.storedSize.width)
        let block = max(1, Int(left / 2))
        var small = loaded
        if block > 1 {
            small =
                loaded.hasAlpha
                ? try loaded.premultiplied().shrunk(by: block).unpremultiplied().rounded(to: loaded.format)
                : try loaded.shrunk(by: block)
        }
        raster = try small.evaluated(watch: watch).upright(opened.header.orientation)
        (frame, decoder) = (nil, nil)
        usesProfile = profile != nil
        try takeProfile()
    }

    /// Of a JPEG's 1/8 picture as it is stored, in memory, whose last row and column may reach beyond the picture.
    init(_ opened: OpenedImage, eighth: OpenedImage.Eighth) throws(VipsFailure) {
        try self.init(opened, eighth.raster, scale: 8, x: 0, y: 0, eighth.decoder)
    }

    /// Of a part of a JPEG as it is stored, in memory, that begins at (`x`, `y`) of the whole reduced `scale` times.
    private init(
        _ opened: OpenedImage, _ stored: Raster, scale: Double, x: Int, y: Int, _ decoder: DCDecoder?
    ) throws(VipsFailure) {
        upright = opened.header.uprightSize
        transfer = opened.transfer
        profile = opened.profile
        self.decoder = decoder
        let orientation = opened.header.orientation
        raster = orientation == .up ? stored : try stored.upright(orientation).evaluated()
        let (width, height) = (Double(upright.width) / scale, Double(upright.height) / scale)
        let before = orientation.isTransposed ? (y, x) : (x, y)
        frame = WindowResampler.Window(
            x: orientation.endsAtLeft ? Double(raster.size.width + before.0) - width : -Double(before.0),
            y: orientation.endsAtTop ? Double(raster.size.height + before.1) - height : -Double(before.1),
            width: width, height: height)
        usesProfile = profile != nil
        try takeProfile()
    }

    /// How many times as large as a rendition the quarter has to be.
    static let quarterSurplus = 1.2

    /// The part `area` of the upright picture at a quarter, for renditions of nothing beyond it that are `reduction`
    /// times smaller; nil where that would not serve, or this is no 1/8 picture of a file that allows it.
    ///
    /// - Parameter opened: What this was decoded from.
    func part(_ area: PixelRect, of opened: OpenedImage, reduction: Double) throws(VipsFailure) -> DecodedBase? {
        guard let decoder, reduction >= 4 * Self.quarterSurplus else { return nil }
        let header = opened.header
        // The resampler looks three pixels of the result beyond the edges.
        let margin = Int((3 * reduction).rounded(.up)) + 4
        let stored = header.orientation.stored(area, of: header.uprightSize)
        func span(_ start: Int, _ length: Int, _ full: Int) -> Range<Int> {
            max(0, start - margin)..<min(full, start + length + margin)
        }
        guard
            let part = QuarterPart(
                decoder, of: opened.bytes.buffer,
                columns: span(stored.x, stored.width, header.storedSize.width),
                rows: span(stored.y, stored.height, header.storedSize.height))
        else { return nil }
        let size = PixelSize(width: part.width, height: part.height)
        return try DecodedBase(
            opened, Raster(part.bytes, size, part.samples), scale: 4, x: part.x, y: part.y, nil)
    }

    private mutating func takeProfile() throws(VipsFailure) {
        if let profile { raster.setProfile(profile) }
        guard raster.mustConvertFirst else { return }
        raster = try converted(raster)
        usesProfile = false
    }

    /// A base of the blur of a picture of `upright` pixels, no larger than the blur has anything to show.
    init(_ hash: ThumbHash, upright: PixelSize) throws(VipsFailure) {
        try self.init(
            hash.pixels(upright.fitted(into: PixelSize(square: 32), enlarging: false)), upright: upright)
    }

    /// A base of pixels that are upright sRGB already and show the whole of a picture of `upright` pixels.
    init(_ pixels: PixelBuffer, upright: PixelSize) throws(VipsFailure) {
        self.upright = upright
        raster = try pixels.withRaster { raster throws(VipsFailure) in try raster.evaluated() }
        (frame, decoder) = (nil, nil)
        transfer = nil
        profile = nil
        usesProfile = false
    }

    /// To sRGB, without the embedded profile where the colour engine will not have it.
    private mutating func converted(_ raster: Raster) throws(VipsFailure) -> Raster {
        if usesProfile {
            do {
                return try raster.inSRGB(useProfile: true).evaluated()
            } catch {
                ignoredProfile = true
                usesProfile = false
            }
        }
        return try raster.inSRGB(useProfile: false).evaluated()
    }

    /// Where the most interesting part of `size` upright pixels lies.
    func search(for size: PixelSize, by focus: Focus) throws(VipsFailure) -> PixelRect {
        let window = PixelSize(
            width: scaled(size.width, upright.width, raster.size.width),
            height: scaled(size.height, upright.height, raster.size.height))
        let found = try raster.inSRGB(useProfile: false).mostInteresting(
            window, by: focus == .entropy ? VIPS_INTERESTING_ENTROPY : VIPS_INTERESTING_ATTENTION)
        // The ends of the way that the window can go are the ends of the way that the crop can go.
        func place(_ offset: Int, _ slack: Int, _ fullSlack: Int) -> Int {
            slack == 0 ? fullSlack / 2 : min(fullSlack, offset * fullSlack / slack)
        }
        return PixelRect(
            x: place(found.x, raster.size.width - window.width, upright.width - size.width),
            y: place(found.y, raster.size.height - window.height, upright.height - size.height),
            width: size.width, height: size.height)
    }

    /// The part `crop` of the upright picture, at `output` pixels, then turned, in sRGB.
    mutating func pixels(
        of crop: PixelRect, at output: PixelSize, turn: Orientation, watch: RenderWatch
    ) throws(VipsFailure) -> PixelBuffer {
        var resized: Raster
        if let frame {
            resized = try raster.resampled(frame.part(crop, of: upright), to: output)
            if usesProfile, let profile { resized.setProfile(profile) }
        } else {
            let part = try raster.extracted(scaledArea(crop))
            if part.hasAlpha, part.size != output {
                resized = try part.premultiplied().resized(to: output).unpremultiplied().rounded(to: part.format)
            } else {
                resized = try part.resized(to: output)
            }
        }
        resized = try resized.upright(turn)
        if let transfer { return try PixelBuffer(resized, transfer: transfer, watch: watch) }
        if usesProfile {
            do {
                return try PixelBuffer(resized.inSRGB(useProfile: true), watch: watch)
            } catch {
                if watch.isCancelled || watch.isExpired { throw error }
                ignoredProfile = true
                usesProfile = false
            }
        }
        return try PixelBuffer(resized.inSRGB(useProfile: false), watch: watch)
    }

    /// The blur of the whole picture.
    mutating func thumbHash(watch: RenderWatch) throws(VipsFailure) -> ThumbHash {
        let small = upright.fitted(into: PixelSize(square: 64), enlarging: false)
        return ThumbHash(try pixels(of: PixelRect(upright), at: small, turn: .up, watch: watch))
    }

    /// A small picture of its own for `rendition`, at the size of its own pixels where that is smaller than what is
    /// asked for: something to stand in for it. What would have to be searched for lies in the middle.
    mutating func standIn(for rendition: Rendition, source: String) throws -> RenderedImage {
        let plan = try CropPlan(rendition, upright: upright, source: source)
        let middle = (Double(upright.width) / 2, Double(upright.height) / 2)
        let crop = plan.crop ?? .centred(atX: middle.0, y: middle.1, size: plan.cropSize, in: upright)
        let own = size(of: crop)
        let output =
            own.width >= plan.output.width ? plan.output : plan.output.fitted(into: own, enlarging: false)
        let pixels = try pixels(of: crop, at: output, turn: rendition.turn, watch: RenderWatch())
        return RenderedImage(
            pixels: pixels.shaped(as: rendition), crop: crop, rendition: rendition, focus: rendition.focus)
    }

    /// How many of its own pixels show the part `crop` of the upright picture.
    func size(of crop: PixelRect) -> PixelSize { scaledArea(crop).size }

    private func scaled(_ length: Int, _ full: Int, _ small: Int) -> Int {
        max(1, min(small, Int((Double(length) * Double(small) / Double(full)).rounded())))
    }

    /// `crop` in pixels of the small picture, never empty and never over its edge.
    private func scaledArea(_ crop: PixelRect) -> PixelRect {
        func span(_ start: Int, _ length: Int, _ full: Int, _ small: Int) -> (start: Int, length: Int) {
            let scale = Double(small) / Double(full)
            let first = min(small - 1, Int((Double(start) * scale).rounded()))
            let end = min(small, max(first + 1, Int((Double(start + length) * scale).rounded())))
            return (first, end - first)
        }
        let across = span(crop.x, crop.width, upright.width, raster.size.width)
        let down = span(crop.y, crop.height, upright.height, raster.size.height)
        return PixelRect(x: across.start, y: down.start, width: across.length, height: down.length)
    }
}

extension LoadRequest {
    /// Asks the decoder for the smallest picture that still serves a rendition `reduction` times smaller.
    fileprivate mutating func decodeSmall(_ header: ImageHeader, reduction: Double) {
        switch header.format {
        case .jpeg:
            shrink = [8, 4, 2].first { reduction / Double($0) >= OpenedImage.eighthSurplus } ?? 1
        case .webp where !header.hasAlpha && reduction > 2:
            scale = 2 / reduction
        case .svg:
            scale = min(64, 1 / reduction)
        default:
            break
        }
    }
}
