/// Opens sources in this process.
struct LocalOpening: SourceOpening {
    let renderer: Renderer

    func peek(_ path: FilePath) -> EmbeddedPreview.Peek {
        renderer.options.formats.contains(.jpeg) ? EmbeddedPreview.peek(path) : .unknown
    }

    func rest() {}

    func open(_ source: ImageSource, for renditions: [Rendition]) throws(RenderError) -> any OpenedSource {
        LocalSource(
            opened: try OpenedImage(source, for: renditions, options: renderer.options), renderer: renderer,
            renditions: renditions)
    }
}
