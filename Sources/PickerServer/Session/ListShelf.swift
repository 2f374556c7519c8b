import Cameo
import Synchronization

/// The lists that pages have been given, those of them that were spoken of last, so that a page can speak of places in
/// its own.
final class ListShelf: Sendable {
    private struct State {
        /// The one that was spoken of last comes last.
        var lists: [GridList] = []
        var last = 0
        var moments: (revision: Int, moments: GridList.Moments)?

        /// The list that `isWanted`, which is kept for longer from now on.
        mutating func use(_ isWanted: (GridList) -> Bool) -> GridList? {
            guard let place = lists.firstIndex(where: isWanted) else { return nil }
            let list = lists.remove(at: place)
            lists.append(list)
            return list
        }
    }

    /// Guards the lists. Not held while one is made, so that a small list does not wait for a large one.
    private let state = Mutex(State())
    private let offered: TypeFilter?

    static let capacity = 12

    /// Lists of what passes `offered`.
    init(offered: TypeFilter?) { self.offered = offered }

    /// The list that was given out as `handle`; nil where nobody has spoken of it for long.
    func list(_ handle: Int) -> GridList? { state.withLock { $0.use { $0.handle == handle } } }

    /// The list of an album and a type in a snapshot.
    func list(of key: GridList.Key, in snapshot: LibrarySnapshot) -> GridList {
        let (known, handle, moments) = state.withLock { state in
            state.last += 1
            return (
                state.use { $0.key == key }, state.last,
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
