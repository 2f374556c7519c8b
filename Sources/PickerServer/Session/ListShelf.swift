import Cameo
import Synchronization

/// The lists that pages have been given, the last few of them, so that a page can speak of places in its own.
final class ListShelf: Sendable {
    private struct State {
        var lists: [GridList] = []
        var last = 0
        var moments: (revision: Int, moments: GridList.Moments)?
    }

    /// Guards the lists. Not held while one is made, so that a small list does not wait for a large one.
    private let state = Mutex(State())
    private let offered: TypeFilter?

    private static let capacity = 12

    /// Lists of what passes `offered`.
    init(offered: TypeFilter?) { self.offered = offered }

    /// The list that was given out as `handle`; nil where that is long ago.
    func list(_ handle: Int) -> GridList? { state.withLock { $0.lists.first { $0.handle == handle } } }

    /// The list of an album and a type in a snapshot.
    func list(of key: GridList.Key, in snapshot: LibrarySnapshot) -> GridList {
        let (known, handle, moments) = state.withLock { state in
            state.last += 1
            return (
                state.lists.first { $0.key == key }, state.last,
                state.moments.flatMap { $0.revision == key.revision ? $0.moments : nil }
            )
        }
        if let known { return known }
        let made = moments ?? GridList.Moments(snapshot)
        let list = GridList.make(handle: handle, key: key, snapshot: snapshot, moments: made, offered: offered)
        state.withLock { state in
            state.moments = (key.revision, made)
            state.lists.append(list)
            if state.lists.count > Self.capacity { state.lists.removeFirst() }
        }
        return list
    }
}
