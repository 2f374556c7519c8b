/// What came of a picture: one image a rendition, in their order, and what is worth knowing.
public struct RenderResult: Sendable {
    /// As many as there were renditions.
    public let images: [RenderedImage]
    /// What is worth knowing, each once, in the order of `RenderWarning.allCases`.
    public let warnings: [RenderWarning]
    /// The faces that were found, the main one first; nil where none were searched for.
    public var faces: [DetectedFace]? = nil
    /// The blur of the whole picture, where it was asked for.
    public var thumbHash: ThumbHash?
}
