/// What came of one rendition of a picture.
public struct RenderedImage: Hashable, Sendable {
    /// The pixels.
    public let pixels: PixelBuffer
    /// The part of the picture that is shown, in upright pixels; the whole of it where nothing was cropped.
    public let crop: PixelRect
    /// What was asked for.
    public let rendition: Rendition

    /// The pixels as a file, in the rendition's encoding.
    ///
    /// - Throws: `RenderError.environment` if libvips cannot encode them.
    public func encoded() throws(RenderError) -> (format: Encoding.Format, bytes: [UInt8]) {
        try pixels.encoded(rendition.encoding)
    }
}

/// What came of a picture: one image a rendition, in their order, and what is worth knowing.
public struct RenderResult: Sendable {
    /// As many as there were renditions.
    public let images: [RenderedImage]
    /// What is worth knowing, each once, in the order of `RenderWarning.allCases`.
    public let warnings: [RenderWarning]
    /// The blur of the whole picture, where it was asked for.
    public var thumbHash: ThumbHash?
}
