extension Renderer {
    /// The faces in an opened picture, the main one first; nil without a `FaceSearch`.
    ///
    /// - Throws: `RenderError`; `environment` if the detector fails.
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
        if whole == nil, let eighth = try opened.eighth(reduction: searchReduction, watch: watch) {
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

extension FaceSearch {
    /// A reduction that leaves enough pixels for every search, and one and a half times as many for what is made of
    /// them: JPEG decoders reduce by powers of two, and take the one that leaves that. Camera-size JPEGs, where an eighth
    /// is enough for the first search, are reduced to that: it is by far the quickest to decode.
    fileprivate func reduction(of header: ImageHeader, atMost limit: Double = .infinity) -> Double {
        let side = max(header.uprightSize.width, header.uprightSize.height)
        var most = Double(side) / Double(max(1, lastSide))
        if header.format == .jpeg { most = isServedByEighth(side: side) ? 8 : [8, 4, 2].first { $0 <= most } ?? 1 }
        return max(1, min(limit, 1.5 * most))
    }

    /// Whether the 1/8 picture of a JPEG is enough, whose longer side is `side` pixels.
    func isServedByEighth(side: Int) -> Bool { side >= 8 * firstSide }
}

extension DecodedBase {
    /// The whole upright picture in grey, its longer side `longerSide` pixels, or as many as four times those held.
    mutating func grey(longerSide: Int, watch: RenderWatch) throws(VipsFailure) -> GreyPixels {
        let most = min(longerSide, 4 * max(size.width, size.height))
        let box = PixelSize(square: max(1, most))
        let pixels = try pixels(
            of: PixelRect(upright), at: upright.fitted(into: box, enlarging: true), turn: .up, watch: watch)
        return pixels.flattened(on: .white).grey
    }
}

extension PixelBuffer {
    /// Brightness by the weights of ITU-R BT.601. The pixels must be opaque.
    var grey: GreyPixels {
        var grey: [UInt8] = []
        grey.reserveCapacity(size.area)
        for start in Swift.stride(from: 0, to: bytes.count, by: channels) {
            let sum = 299 * Int(bytes[start]) + 587 * Int(bytes[start + 1]) + 114 * Int(bytes[start + 2])
            grey.append(UInt8((sum + 500) / 1000))
        }
        return GreyPixels(size: size, bytes: grey)
    }
}

extension PixelRect {
    /// The smallest that holds all of `parts`; nil where one of them is not known, or there are none.
    fileprivate init?(around parts: [PixelRect?]) {
        let known = parts.compactMap(\.self)
        guard known.count == parts.count, let left = known.map(\.x).min(), let top = known.map(\.y).min(),
            let right = known.map({ $0.x + $0.width }).max(), let bottom = known.map({ $0.y + $0.height }).max()
        else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}
