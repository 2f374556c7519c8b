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

    func cost(of renditions: [Rendition]) -> Int { opened.cost(of: renditions) }

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
