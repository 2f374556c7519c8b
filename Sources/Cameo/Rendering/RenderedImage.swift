/// What came of one rendition of a picture.
public struct RenderedImage: Hashable, Sendable {
    /// The pixels.
    public let pixels: PixelBuffer
    /// The part of the picture that is shown, in upright pixels; the whole of it where nothing was cropped.
    public let crop: PixelRect
    /// What was asked for.
    public let rendition: Rendition
    /// The focus that placed the crop: the rendition's own, but the fallback where faces were asked for and none found.
    public let focus: Focus

    /// The pixels as a file, in the rendition's encoding.
    ///
    /// - Throws: `RenderError.environment` if libvips cannot encode them.
    public func encoded() throws(RenderError) -> (format: Encoding.Format, bytes: [UInt8]) {
        try pixels.encoded(rendition.encoding)
    }
}
