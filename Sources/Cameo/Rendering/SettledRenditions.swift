/// Renditions whose focus needs no faces any more, because they were found or there are none.
struct SettledRenditions {
    /// In the order of those asked for.
    let renditions: [Rendition]
    /// The faces, the main one first; nil where they were not searched for.
    var faces: [DetectedFace]?
    /// Whether the detector failed.
    var hasFailed = false
    /// The reduction of the decode that faces are searched in; nil where none are asked for.
    let searchReduction: Double?
    /// That decode, where there was one.
    private(set) var base: (DecodedBase, Set<RenderWarning>)?

    init(
        _ asked: [Rendition], _ faces: [DetectedFace]?, in upright: PixelSize, hasFailed: Bool = false,
        searchReduction: Double? = nil, base: (DecodedBase, Set<RenderWarning>)? = nil
    ) {
        renditions = asked.map { $0.settled(on: faces ?? [], in: upright) }
        self.faces = faces
        self.hasFailed = hasFailed
        self.searchReduction = searchReduction
        self.base = base
    }

    /// How many times as large as a crop around a face the decode has to be that was searched for it. Less than elsewhere,
    /// for another decode costs more than the search; below one and a half the crop is a little softer (`eighthSurplus`
    /// says how much).
    static let faceSurplus = 1.2

    /// The reduction to decode at for `plans`: that of the search, unless a face is so small that its crop needs more
    /// pixels. It is the same whether the faces were searched now or remembered, and so are the pixels that come of it.
    ///
    /// A decode has at least one and a half times the pixels that its reduction asks for.
    func reduction(serving plans: [CropPlan]) -> Double {
        let needed = plans.map(\.reduction).min() ?? 1
        guard let searchReduction else { return needed }
        return searchReduction / OpenedImage.eighthSurplus * Self.faceSurplus <= needed || searchReduction <= 1
            ? searchReduction : needed
    }

    /// The decode that the faces were searched in, if it was made at `reduction`.
    mutating func takeBase(at reduction: Double) -> (DecodedBase, Set<RenderWarning>)? {
        defer { base = nil }
        return reduction == searchReduction ? base : nil
    }

    /// What placed the crop of a rendition that was asked for.
    func focus(of asked: Rendition) -> Focus {
        guard asked.mode == .fill, case .faces(let fallback, _) = asked.focus, faces?.isEmpty ?? true else {
            return asked.focus
        }
        return fallback.focus
    }
}

extension Rendition {
    /// The rendition with a focus that needs no faces: the rectangle around `faces`, or the fallback.
    func settled(on faces: [DetectedFace], in upright: PixelSize) -> Rendition {
        guard case .faces(let fallback, let framing) = focus else { return self }
        var settled = self
        settled.focus = fallback.focus
        guard mode == .fill, !faces.isEmpty, problem == nil else { return settled }
        let crop = FaceCrop(
            faces, in: upright, aspect: turn.upright(size), isCircle: shape == .circle, framing: framing)
        settled.focus = .rectangle(crop.rect)
        return settled
    }
}
