import CVips

/// Makes renditions of pictures: decode small, turn upright, crop, resize, convert to sRGB, cut to shape.
///
/// A renderer is a value without state; any number of threads may use one.
public struct Renderer: Sendable {
    /// What is accepted.
    public let options: RenderOptions
    /// How faces are found; nil finds none, and a focus on faces is then its fallback.
    public let faces: FaceSearch?

    /// A renderer that accepts what `options` say and finds faces by `faces`.
    public init(options: RenderOptions = RenderOptions(), faces: FaceSearch? = nil) {
        self.options = options
        self.faces = faces
    }

    /// Opens `source` and makes all `renditions` of it from one decode.
    ///
    /// - Throws: `RenderError`; nothing is returned if one rendition fails.
    public func render(
        _ source: ImageSource, _ renditions: [Rendition], watch: RenderWatch = RenderWatch()
    ) throws(RenderError) -> RenderResult {
        try render(OpenedImage(source, for: renditions, options: options), renditions, watch: watch)
    }

    /// Makes all `renditions` of an opened picture from one decode.
    ///
    /// The decode is chosen by the largest rendition, so a rendition made in company may differ by a level or two
    /// from the same one made alone; the same list gives the same bytes.
    ///
    /// - Parameter hashes: Whether a `ThumbHash` of the whole picture is wanted beside them.
    public func render(
        _ opened: OpenedImage, _ renditions: [Rendition], watch: RenderWatch = RenderWatch(), hashes: Bool = false
    ) throws(RenderError) -> RenderResult {
        watch.start(seconds: options.limits.seconds)
        do throws(RenderError) {
            return try render(known: opened, renditions, watch: watch, hashes: hashes)
        } catch {
            // Parts of a file were read, and turned out not to be enough.
            guard case .incomplete = error, let whole = try opened.whole(options) else { throw error }
            return try render(known: whole, renditions, watch: watch, hashes: hashes)
        }
    }

    private func render(
        known opened: OpenedImage, _ renditions: [Rendition], watch: RenderWatch, hashes: Bool
    ) throws(RenderError) -> RenderResult {
        var settled = try settle(renditions, opened, watch: watch)
        let plans = try plan(settled.renditions, opened)
        let bases = try bases(for: plans, &settled, opened, watch: watch)
        var (base, warnings) = (bases.shown, bases.warnings)
        if settled.hasFailed { warnings.insert(.facesNotSearched) }
        var images: [RenderedImage] = []
        // Sizes and scales of one crop are found by one search.
        var found: [CropPlan.Search: PixelRect] = [:]
        do {
            for ((asked, rendition), plan) in zip(zip(renditions, settled.renditions), plans) {
                try watch.check(opened.name, options.limits)
                let search = CropPlan.Search(size: plan.cropSize, focus: rendition.focus)
                let crop = try plan.crop ?? found[search] ?? base.search(for: plan.cropSize, by: rendition.focus)
                found[search] = crop
                let pixels = try base.pixels(of: crop, at: plan.output, turn: rendition.turn, watch: watch)
                images.append(
                    RenderedImage(
                        pixels: pixels.shaped(as: rendition), crop: crop, rendition: asked,
                        focus: settled.focus(of: asked)))
                if let warning = plan.warning { warnings.insert(warning) }
            }
            if base.ignoredProfile { warnings.insert(.profileIgnored) }
        } catch let failure as VipsFailure {
            try watch.check(opened.name, options.limits)
            throw .corrupt(source: opened.name, detail: failure.text)
        } catch let error as RenderError {
            throw error
        } catch {
            throw .environment(reason: "\(error)")
        }
        var result = RenderResult(images: images, warnings: RenderWarning.allCases.filter(warnings.contains))
        result.faces = settled.faces
        if hashes {
            var hashed = bases.whole ?? base
            result.thumbHash = try? hashed.thumbHash(watch: watch)
        }
        return result
    }

    /// One plan a rendition.
    func plan(_ renditions: [Rendition], _ opened: OpenedImage) throws(RenderError) -> [CropPlan] {
        var plans: [CropPlan] = []
        for rendition in renditions {
            plans.append(try CropPlan(rendition, upright: opened.header.uprightSize, source: opened.name))
        }
        return plans
    }

    /// Decodes with as little tolerance of damage as gives a picture, and says which it took.
    func decode(
        _ opened: OpenedImage, reduction: Double, watch: RenderWatch
    ) throws(RenderError) -> (DecodedBase, Set<RenderWarning>) {
        guard opened.isComplete else { return try decodeParts(opened, reduction: reduction, watch: watch) }
        var detail = ""
        for tolerance in LoadRequest.Tolerance.allCases {
            do {
                let base = try DecodedBase.decoded(
                    opened, reduction: reduction, tolerance: tolerance, isStrict: options.isStrict, watch: watch)
                var warnings: Set<RenderWarning> = opened.hasUnfitProfile ? [.profileIgnored] : []
                switch tolerance {
                case .none: break
                case .damage: warnings.insert(.damaged)
                case .all: warnings.insert(.truncated)
                }
                return (base, warnings)
            } catch {
                try watch.check(opened.name, options.limits)
                detail = error.text
                if options.isStrict { break }
            }
        }
        throw OpenedImage.failure(opened.bytes, opened.header.format, name: opened.name, detail: detail)
    }

    /// The 1/8 picture of a sparse source, where the whole source would give the same.
    private func decodeParts(
        _ opened: OpenedImage, reduction: Double, watch: RenderWatch
    ) throws(RenderError) -> (DecodedBase, Set<RenderWarning>) {
        // Nobody can say of bytes that were not read that they are sound.
        guard !options.isStrict,
            let eighth = try? opened.eighth(reduction: reduction, isStrict: false, watch: watch),
            let base = try? DecodedBase(opened, eighth: eighth)
        else {
            try watch.check(opened.name, options.limits)
            throw .incomplete(source: opened.name)
        }
        return (base, opened.hasUnfitProfile ? [.profileIgnored] : [])
    }
}
