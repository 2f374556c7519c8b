/// A picture of a picked asset: always the real one, made from the original, never a stand-in.
public struct PickedPicture: Sendable {
    /// The pixels, and which part of the upright original they show.
    public let image: RenderedImage
    /// What is worth knowing, such as that the file ends early.
    public let warnings: [RenderWarning]
}
