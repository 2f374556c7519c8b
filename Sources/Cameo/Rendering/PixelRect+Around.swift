extension PixelRect {
    /// The smallest that holds all of `parts`; nil where one of them is not known, or there are none.
    init?(around parts: [PixelRect?]) {
        let known = parts.compactMap(\.self)
        guard known.count == parts.count, let left = known.map(\.x).min(), let top = known.map(\.y).min(),
            let right = known.map({ $0.x + $0.width }).max(), let bottom = known.map({ $0.y + $0.height }).max()
        else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}
