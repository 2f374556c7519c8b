/// Which part of an upright picture a rendition shows, and at what size.
struct CropPlan: Hashable {
    /// What a search of the pixels depends on.
    struct Search: Hashable {
        let size: PixelSize
        let focus: Focus
    }

    /// In upright pixels; nil where a search of the pixels has to tell the place of a crop of `size`.
    var crop: PixelRect?
    /// The crop's size.
    let cropSize: PixelSize
    /// The size of the result before it is turned.
    let output: PixelSize
    let warning: RenderWarning?

    /// How many times smaller than its part of the picture the result is; below 1 where it is larger.
    var reduction: Double {
        min(Double(cropSize.width) / Double(output.width), Double(cropSize.height) / Double(output.height))
    }

    /// Plans `rendition` of a picture of `upright` pixels.
    init(_ rendition: Rendition, upright: PixelSize, source: String) throws(RenderError) {
        if let problem = rendition.problem { throw .invalidRendition(source: source, reason: problem) }
        // The plan is made in the picture's own position; the result is turned into the rendition's.
        let wanted = rendition.turn.upright(rendition.size)
        var area = PixelRect(upright)
        if case .rectangle(let asked) = rendition.focus {
            guard asked.lies(inside: upright) else {
                throw .invalidRendition(
                    source: source, reason: "the focus \(asked) reaches outside the picture of \(upright)")
            }
            area = asked
        }
        switch rendition.mode {
        case .fit:
            crop = area
            cropSize = area.size
            output = area.size.fitted(into: wanted, enlarging: rendition.enlarges)
            warning = output.width > area.width || output.height > area.height ? .upscaled : nil
        case .fill:
            let size = area.size.inscribed(aspectOf: wanted)
            cropSize = size
            let isTooSmall = size.width < wanted.width || size.height < wanted.height
            output =
                isTooSmall && !rendition.enlarges ? wanted.inscribedPreservingAspect(in: size) : wanted
            warning = isTooSmall ? (rendition.enlarges ? .upscaled : .smaller) : nil
            crop = try Self.place(size, rendition.focus, in: area, upright: upright, source: source)
        }
    }

    private static func place(
        _ size: PixelSize, _ focus: Focus, in area: PixelRect, upright: PixelSize, source: String
    ) throws(RenderError) -> PixelRect? {
        let middle = Double(upright.width) / 2
        switch focus {
        case .centre:
            return .centred(atX: middle, y: Double(upright.height) / 2, size: size, in: upright)
        case .upper:
            var rect = PixelRect.centred(atX: middle, y: 0, size: size, in: upright)
            rect.y = Int((Double(upright.height - size.height) * 0.2).rounded())
            return rect
        case .top:
            return .centred(atX: middle, y: 0, size: size, in: upright)
        case .point(let x, let y):
            guard x >= 0, y >= 0, x < upright.width, y < upright.height else {
                throw .invalidRendition(
                    source: source, reason: "the focus \(x),\(y) lies outside the picture of \(upright)")
            }
            return .centred(atX: Double(x) + 0.5, y: Double(y) + 0.5, size: size, in: upright)
        case .rectangle:
            var rect = PixelRect.centred(
                atX: Double(area.width) / 2, y: Double(area.height) / 2, size: size, in: area.size)
            rect.x += area.x
            rect.y += area.y
            return rect
        // A rendition for faces is settled before it is planned; what is planned of it earlier is its size.
        case .attention, .entropy, .faces:
            return size == upright ? PixelRect(upright) : nil
        }
    }
}

extension PixelSize {
    /// The largest size with exactly this size's aspect, as near as whole pixels allow, inside `bounds`; a square
    /// stays exactly square.
    fileprivate func inscribedPreservingAspect(in bounds: PixelSize) -> PixelSize {
        if width == height { return PixelSize(square: min(bounds.width, bounds.height)) }
        return fitted(into: bounds, enlarging: false)
    }
}
