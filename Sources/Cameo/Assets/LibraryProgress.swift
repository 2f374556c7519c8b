/// How far a library's loading has come.
struct LibraryProgress: Sendable {
    enum Phase: Sendable {
        case loading, partial, complete
        case failed(String)
    }

    var phase = Phase.loading
    var snapshot = LibrarySnapshot.empty
    /// Albums with their full counts, known before their assets are.
    var announced: [Album]?

    var isFinal: Bool {
        switch phase {
        case .loading, .partial: false
        case .complete, .failed: true
        }
    }

    /// The state of a list that `make` makes of a snapshot.
    func state<List: ItemList>(_ make: (LibraryProgress) -> List) -> LoadingState<List> {
        switch phase {
        case .loading: return .loading
        case .failed(let reason): return .failed(reason)
        case .partial:
            let list = make(self)
            return list.isEmpty ? .loading : .loaded(partial: list)
        case .complete:
            let list = make(self)
            return list.isEmpty ? .empty : .data(list)
        }
    }
}
