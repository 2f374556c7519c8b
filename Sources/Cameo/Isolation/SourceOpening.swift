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

/// A source that has been opened and is ready to be decoded.
protocol OpenedSource: Sendable {
    /// What messages call it.
    var name: String { get }
    /// What its header tells.
    var header: ImageHeader { get }
    /// The file's stamp when it was opened; nil for bytes in memory.
    var stamp: ContentStamp? { get }
    /// An estimate of the bytes that decoding takes.
    var cost: Int { get }

    /// The digest of the content.
    func digest() throws(RenderError) -> String

    /// The faces in it, the main one first; nil where none are searched for.
    func faces() throws(RenderError) -> [DetectedFace]?

    /// What can stand in for each of `renditions` before they are made, at the size of its own pixels: what the camera
    /// put into the file, or a JPEG's 1/8 picture. Nil where there is nothing.
    func standIns(for renditions: [Rendition], by standIn: StandIn) -> [RenderedImage]?

    /// Makes all `renditions` from one decode, and a blur of the whole if `hashes`.
    func render(_ renditions: [Rendition], watch: RenderWatch, hashes: Bool) throws(RenderError) -> RenderResult

    /// Gives back what the source keeps from others, now rather than with the last reference. Nothing can be asked
    /// any more.
    func close()
}

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

/// A source that was opened in this process.
struct LocalSource: OpenedSource {
    let opened: OpenedImage
    let renderer: Renderer
    let cost: Int

    init(opened: OpenedImage, renderer: Renderer, renditions: [Rendition]) {
        self.opened = opened
        self.renderer = renderer
        cost = renditions.isEmpty ? opened.decodeCost : opened.cost(of: renditions)
    }

    var name: String { opened.name }
    var header: ImageHeader { opened.header }
    var stamp: ContentStamp? { opened.stamp }

    func digest() throws(RenderError) -> String { try opened.digest }

    func faces() throws(RenderError) -> [DetectedFace]? { try renderer.faces(in: opened) }

    func close() {}

    func standIns(for renditions: [Rendition], by standIn: StandIn) -> [RenderedImage]? {
        opened.standIns(for: renditions, by: standIn)
    }

    func render(_ renditions: [Rendition], watch: RenderWatch, hashes: Bool) throws(RenderError) -> RenderResult {
        try renderer.render(opened, renditions, watch: watch, hashes: hashes)
    }
}
