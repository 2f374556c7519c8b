/// Says what there is to see in pictures, of which nothing is made.
public final class PictureInspector: Sendable {
    /// What there is to see in a picture.
    public struct Inspection: Sendable {
        /// What its header tells.
        public let header: ImageHeader
        /// The faces, the main one first; nil without a `FaceSearch`. A picture whose pixels cannot be had has a header
        /// all the same.
        public let faces: Result<[DetectedFace]?, RenderError>
    }

    private let sources: any SourceOpening

    /// An inspector of what `options` accept.
    ///
    /// - Parameters:
    ///   - faces: How faces are found; nil finds none, and then nothing is decoded.
    ///   - isolation: Where pictures are opened and decoded. In other processes, the program must call
    ///     `IsolatedWorker.runIfAsked(faces:)` before anything else, with the same detector where there is one, or name
    ///     an executable that does.
    ///   - workerExecutable: The executable that is started as a worker.
    ///   - onWeakSandbox: Told once, in words, what of the sandbox this machine does not have.
    public init(
        options: RenderOptions = RenderOptions(), faces: FaceSearch? = nil, isolation: Isolation = .none,
        workerExecutable: FilePath = "/proc/self/exe", onWeakSandbox: (@Sendable (String) -> Void)? = nil
    ) {
        sources = isolation.opening(options, faces, workerExecutable, onWeakSandbox)
    }

    /// Looks at `source`.
    ///
    /// - Throws: `RenderError` where not even the header can be had.
    public func look(at source: ImageSource) throws(RenderError) -> Inspection {
        let opened = try sources.open(source, for: [])
        defer { opened.close() }
        do throws(RenderError) {
            return Inspection(header: opened.header, faces: .success(try opened.faces()))
        } catch {
            return Inspection(header: opened.header, faces: .failure(error))
        }
    }

    /// Ends the processes that wait for the next picture. They are started again where one comes.
    public func endIdleWorkers() { sources.rest() }
}
