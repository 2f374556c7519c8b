/// What happens to a request: any number of stand-ins, then exactly one of the others.
public enum ImageEvent: Sendable {
    /// A stand-in; a better picture follows unless the request ends otherwise.
    case degraded(PipelineImage)
    /// The picture. It is a stand-in only where the request asked for fast delivery.
    case finished(PipelineImage)
    /// There is no picture.
    case failed(PipelineError)
    /// The request was called off.
    case cancelled

    /// Whether nothing follows.
    public var isTerminal: Bool {
        if case .degraded = self { return false }
        return true
    }

    /// The picture that came with it.
    public var image: PipelineImage? {
        switch self {
        case .degraded(let image), .finished(let image): image
        case .failed, .cancelled: nil
        }
    }
}
