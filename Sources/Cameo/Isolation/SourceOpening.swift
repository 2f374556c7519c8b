/// Opens sources, here or elsewhere.
protocol SourceOpening: Sendable {
    /// Reads and looks at `source`. No pixel is decoded.
    ///
    /// - Parameter renditions: What the cost is estimated for; empty where that is not known yet.
    func open(_ source: ImageSource, for renditions: [Rendition]) throws(RenderError) -> any OpenedSource

    /// What the beginning of the file at `path` has to show, without opening it as a whole.
    func peek(_ path: FilePath) -> EmbeddedPreview.Peek

    /// Gives back what is kept for the next source.
    func rest()
}
