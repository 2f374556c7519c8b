extension Renderer {
    /// The faces in an opened picture, the main one first; nil without a `FaceSearch`.
    ///
    /// - Throws: `RenderError`; `environment` if the detector fails of itself.
    public func faces(
        in opened: OpenedImage, watch: RenderWatch = RenderWatch()
    ) throws(RenderError) -> [DetectedFace]? {
        guard let faces else { return nil }
        watch.start(seconds: options.limits.seconds)
        if let known = faces.remembered(opened.stamp) { return known }
        var base = try decode(opened, reduction: faces.reduction(of: opened.header), watch: watch).0
        do throws(FaceDetectionError) {
            return try search(&base, faces, opened, watch: watch)
        } catch {
            try watch.check(opened.name, options.limits)
            throw .environment(reason: "\(opened.name): no faces could be searched: \(error)")
        }
    }

    /// Finds the faces that `renditions` ask for, in the decode that the renditions are then made of.
    func settle(
        _ renditions: [Rendition], _ opened: OpenedImage, watch: RenderWatch
    ) throws(RenderError) -> SettledRenditions {
        let upright = opened.header.uprightSize
        let plans = try plan(renditions, opened)
        guard let faces, renditions.contains(where: \.searchesFaces) else {
            return SettledRenditions(renditions, nil, in: upright)
        }
        let reduction = faces.reduction(of: opened.header, atMost: plans.map(\.reduction).min() ?? 1)
        if let known = faces.remembered(opened.stamp) {
            return SettledRenditions(renditions, known, in: upright, searchReduction: reduction)
        }
        var decoded = try decode(opened, reduction: reduction, watch: watch)
        do throws(FaceDetectionError) {
            let found = try search(&decoded.0, faces, opened, watch: watch)
            return SettledRenditions(renditions, found, in: upright, searchReduction: reduction, base: decoded)
        } catch {
            try watch.check(opened.name, options.limits)
            return SettledRenditions(
                renditions, nil, in: upright, hasFailed: true, searchReduction: reduction, base: decoded)
        }
    }

    /// What renditions are made of.
    struct Bases {
        var shown: DecodedBase
        var warnings: Set<RenderWarning>
        /// The whole picture, where what is shown of it is a part.
        var whole: DecodedBase?
    }

    /// What `plans` are made of: the decode that was searched for faces, if its pixels are enough; the part around a
    /// small face; or another decode.
    func bases(
        for plans: [CropPlan], _ settled: inout SettledRenditions, _ opened: OpenedImage, watch: RenderWatch
    ) throws(RenderError) -> Bases {
        let reduction = settled.reduction(serving: plans)
        if let closeUp = try? closeUp(plans, reduction, settled, opened, watch) { return closeUp }
        let searched = settled.takeBase(at: reduction)
        let (base, warnings) =
            if let searched { searched } else { try decode(opened, reduction: reduction, watch: watch) }
        return Bases(shown: base, warnings: warnings)
    }

    /// The part of a JPEG that `plans` show, where the 1/8 picture that faces are searched in is too small for it; nil
    /// where that is not so. It is the same whether the faces were searched now or remembered.
    private func closeUp(
        _ plans: [CropPlan], _ reduction: Double, _ settled: SettledRenditions, _ opened: OpenedImage,
        _ watch: RenderWatch
    ) throws(VipsFailure) -> Bases? {
        guard let searchReduction = settled.searchReduction, reduction < searchReduction,
            let area = PixelRect(around: plans.map(\.crop))
        else { return nil }
        var whole = settled.base?.0
        if whole == nil,
            let eighth = try opened.eighth(reduction: searchReduction, isStrict: options.isStrict, watch: watch)
        {
            whole = try DecodedBase(opened, eighth: eighth)
        }
        guard let whole, let part = try whole.part(area, of: opened, reduction: reduction) else { return nil }
        return Bases(shown: part, warnings: opened.hasUnfitProfile ? [.profileIgnored] : [], whole: whole)
    }

    private func search(
        _ base: inout DecodedBase, _ faces: FaceSearch, _ opened: OpenedImage, watch: RenderWatch
    ) throws(FaceDetectionError) -> [DetectedFace] {
        try faces.faces(stamp: opened.stamp) { (side) throws(FaceDetectionError) in
            do throws(VipsFailure) {
                return try base.grey(longerSide: side, watch: watch)
            } catch {
                throw FaceDetectionError(reason: error.text)
            }
        }
    }
}
