/// A source that has been opened and is ready to be decoded.
protocol OpenedSource: Sendable {
    /// What messages call it.
    var name: String { get }
    /// What its header tells.
    var header: ImageHeader { get }
    /// The file's stamp when it was opened; nil for bytes in memory.
    var stamp: ContentStamp? { get }
    /// An estimate of the bytes that decoding takes, with all that it was opened for.
    var cost: Int { get }

    /// An estimate of the bytes that making all `renditions` from one decode takes.
    func cost(of renditions: [Rendition]) -> Int

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
