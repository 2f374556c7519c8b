/// How far a list has come.
public enum LoadingState<List: Sendable>: Sendable {
    /// Nothing is known yet.
    case loading
    /// A part is there to be shown, and more is coming.
    case loaded(partial: List)
    /// All is known, and there is nothing.
    case empty
    /// All is known.
    case data(List)
    /// It will not come; the text is for people.
    case failed(String)

    /// Whether nothing more is coming.
    public var isFinal: Bool {
        switch self {
        case .loading, .loaded: false
        case .empty, .data, .failed: true
        }
    }

    /// What there is to show.
    public var list: List? {
        switch self {
        case .loaded(let list), .data(let list): list
        case .loading, .empty, .failed: nil
        }
    }
}
