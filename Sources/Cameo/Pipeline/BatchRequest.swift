/// Several renditions of one source that are made together, in a batch: nobody waits for this picture in particular.
public struct BatchRequest: Sendable {
    /// What comes of a source.
    public struct Outcome: Sendable {
        /// What the source's header tells.
        public let header: ImageHeader
        /// The file's stamp when it was opened; nil for bytes in memory.
        public let stamp: ContentStamp?
        /// The content's digest, where the stamp was taken too soon after a change to prove anything.
        public let digest: String?
        /// The pictures, as many as there were renditions.
        public let result: RenderResult
    }

    /// Where the pixels come from.
    public let source: ImageSource
    /// What is asked for; all of it is made from one decode.
    public let renditions: [Rendition]
    /// Asked in the lane that opens sources, so that what needs no work costs no more than this. Where it says false,
    /// nothing follows.
    public let isNeeded: @Sendable () -> Bool
    /// Called when the picture's turn to be decoded has come, with what it can be called off by.
    public let willRender: (@Sendable (RenderWatch) -> Void)?
    /// Called once with what became of the source: in the lane that decodes, so that what is done there with the
    /// pictures is done by as many threads; in the lane that opens where it cannot be opened. Of a batch that was called
    /// off, what is open or being made ends in `RenderError.cancelled`; what was not opened yet, and what was not
    /// needed, is never told of.
    public let completion: @Sendable (Result<Outcome, RenderError>) -> Void

    /// A request for `renditions` of `source`.
    public init(
        _ source: ImageSource, _ renditions: [Rendition], isNeeded: @escaping @Sendable () -> Bool = { true },
        willRender: (@Sendable (RenderWatch) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Outcome, RenderError>) -> Void
    ) {
        self.source = source
        self.renditions = renditions
        self.isNeeded = isNeeded
        self.willRender = willRender
        self.completion = completion
    }
}
