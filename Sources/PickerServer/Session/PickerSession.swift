import Cameo
import Synchronization

/// What every page of a server sees: the library as it is, the lists made of it, and one picker.
final class PickerSession: Sendable {
    enum Phase: Sendable {
        case loading, partial, empty, data
        case failed(String)

        var word: String {
            switch self {
            case .loading: "loading"
            case .partial: "partial"
            case .empty: "empty"
            case .data: "data"
            case .failed: "failed"
            }
        }
    }

    private struct State {
        var revision = 0
        var phase = Phase.loading
        var snapshot: LibrarySnapshot
        var version = 0
        /// How many picks the library has lost so far.
        var vanished = 0
        var readers: [ObjectIdentifier: EventStream] = [:]
        /// Requests that wait for the first news of the library.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let library: AssetLibrary
    /// Nil where nothing can be picked.
    let picker: Picker?
    let lists: ListShelf
    let configuration: PickerServer.Configuration
    /// Guards what is known of the library, and who is told. Streams are fed while it is held, which never waits.
    private let state: Mutex<State>

    init(_ library: AssetLibrary, _ configuration: PickerServer.Configuration) {
        self.library = library
        self.configuration = configuration
        let lists = ListShelf(offered: configuration.type)
        self.lists = lists
        picker = configuration.picker.map {
            Picker($0, library: SessionLibrary(library: library, lists: lists), options: configuration.options)
        }
        state = Mutex(State(snapshot: library.snapshot))
    }

    /// Follows the library until the task is cancelled: as it loads, and as it changes on disk afterwards.
    func follow() async {
        let changes = library.changes()
        for await progress in library.assets() {
            switch progress {
            case .loading: take(nil, .loading)
            case .loaded(let list): take(list.snapshot, .partial)
            case .empty: take(library.snapshot, .empty)
            case .data(let list): take(list.snapshot, .data)
            case .failed(let reason): take(nil, .failed(reason))
            }
        }
        library.startWatching()
        for await change in changes { take(change.after, change.after.count == 0 ? .empty : .data) }
    }

    private func take(_ snapshot: LibrarySnapshot?, _ phase: Phase) {
        let new = snapshot.flatMap { found in state.withLock { $0.snapshot === found } ? nil : found }
        // Whoever hears of the change finds a selection that knows of it.
        let (vanished, isUncropped) = new == nil ? (0, false) : reviewSelection()
        state.withLock { state in
            if let new {
                state.snapshot = new
                state.revision += 1
            }
            state.phase = phase
            state.readers.values.forEach { $0.send("library", "\(state.revision)") }
            if vanished > 0 || isUncropped {
                state.vanished += vanished
                Self.announceSelection(&state)
            }
        }
        if case .loading = phase {} else { wakeWaiting() }
    }

    /// Takes out of the selection what the library no longer has, and counts it; and whether the crop of a pick was of a
    /// picture that is not there any more.
    private func reviewSelection() -> (vanished: Int, isUncropped: Bool) {
        guard let picker else { return (0, false) }
        let before = picker.selection.ids
        let cropped = before.filter { picker.isCropped($0) }
        picker.libraryDidChange()
        let after = picker.selection
        // What somebody drops meanwhile is still there.
        let vanished = before.count { !after.contains($0) && library.asset(for: $0) == nil }
        return (vanished, cropped.contains { after.contains($0) && !picker.isCropped($0) })
    }

    /// What is known now.
    var current: (message: Message.Library, snapshot: LibrarySnapshot) {
        state.withLock { state in
            var reason: String?
            if case .failed(let text) = state.phase { reason = text }
            let message = Message.Library(
                revision: state.revision, phase: state.phase.word, reason: reason, count: state.snapshot.count)
            return (message, state.snapshot)
        }
    }

    /// Returns as soon as something is known of the library, or after a second: a page that comes while a catalog is
    /// being read is better served a little later than twice.
    func firstNews() async {
        let timer = Task {
            try? await Task.sleep(for: .seconds(1))
            wakeWaiting()
        }
        defer { timer.cancel() }
        await withCheckedContinuation { continuation in
            let isKnown = state.withLock { state in
                if case .loading = state.phase {
                    state.waiting.append(continuation)
                    return false
                }
                return true
            }
            if isKnown { continuation.resume() }
        }
    }

    private func wakeWaiting() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    // MARK: Events

    /// A stream of what happens from now on. It begins with how things are.
    func events() -> EventStream {
        let stream = EventStream()
        state.withLock { state in
            state.readers = state.readers.filter { !$0.value.isClosed }
            state.readers[ObjectIdentifier(stream)] = stream
            stream.send("hello", "{\"revision\":\(state.revision),\"version\":\(state.version)}")
        }
        // Whoever comes behind the announcement, or with it, has it from here; twice does no harm.
        if let word = outcomeWord { stream.send("finished", word) }
        return stream
    }

    /// Proves to all streams that the server lives.
    func beat() {
        state.withLock { state in
            state.readers = state.readers.filter { !$0.value.isClosed }
            state.readers.values.forEach { $0.beat() }
        }
    }

    /// Tells all pages how the picker ended.
    func announceEnd() {
        guard let word = outcomeWord else { return }
        state.withLock { $0.readers.values.forEach { $0.send("finished", word) } }
    }

    /// Tells all pages that the selection is another.
    func selectionChanged() { state.withLock { Self.announceSelection(&$0) } }

    private static func announceSelection(_ state: inout State) {
        state.version += 1
        state.readers.values.forEach { $0.send("selection", "\(state.version)") }
    }

    /// The number of the selection as it is, and how many picks the library has lost so far.
    var version: (number: Int, vanished: Int) { state.withLock { ($0.version, $0.vanished) } }

    /// How the picker ended; nil while it goes on.
    var outcomeWord: String? { picker?.outcome.map { $0.isCancelled ? "cancelled" : "picked" } }
}
