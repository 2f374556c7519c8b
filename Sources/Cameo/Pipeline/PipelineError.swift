/// Why a request brought no picture.
public enum PipelineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The source could not be rendered.
    case render(RenderError)
    /// The caller, or the limit on waiting prefetches, called it off.
    case cancelled

    /// One sentence for people.
    public var description: String {
        switch self {
        case .render(let error): "\(error)"
        case .cancelled: "cancelled"
        }
    }
}
