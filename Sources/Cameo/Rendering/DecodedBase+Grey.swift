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
