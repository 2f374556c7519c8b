extension FaceSearch {
    /// A reduction that leaves enough pixels for every search, and one and a half times as many for what is made of
    /// them: JPEG decoders reduce by powers of two, and take the one that leaves that. Camera-size JPEGs, where an eighth
    /// is enough for the first search, are reduced to that: it is by far the quickest to decode.
    func reduction(of header: ImageHeader, atMost limit: Double = .infinity) -> Double {
        let side = max(header.uprightSize.width, header.uprightSize.height)
        var most = Double(side) / Double(max(1, lastSide))
        if header.format == .jpeg { most = isServedByEighth(side: side) ? 8 : [8, 4, 2].first { $0 <= most } ?? 1 }
        return max(1, min(limit, 1.5 * most))
    }

    /// Whether the 1/8 picture of a JPEG is enough, whose longer side is `side` pixels.
    func isServedByEighth(side: Int) -> Bool { side >= 8 * firstSide }
}
