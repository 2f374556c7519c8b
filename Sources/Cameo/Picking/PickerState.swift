import Dispatch

/// What changes in a picker, and the changes that are made in one go under its lock.
struct PickerState: Sendable {
    /// A function to be called at the end, and where.
    struct Callback: Sendable {
        let queue: DispatchQueue
        let perform: @Sendable (PickerOutcome) -> Void

        func call(_ outcome: PickerOutcome) {
            queue.async { [perform] in perform(outcome) }
        }
    }

    /// Everybody who waits for the end, taken out of the state so that nobody is told twice.
    struct Ending: Sendable {
        let outcome: PickerOutcome
        let readers: [AsyncStream<PickerEvent>.Continuation]
        let callbacks: [Callback]
        let waiting: [CheckedContinuation<PickerOutcome, Never>]

        /// Tells them. Called with no lock held.
        func deliver() {
            for reader in readers {
                reader.yield(.finished(outcome))
                reader.finish()
            }
            for callback in callbacks { callback.call(outcome) }
            for continuation in waiting { continuation.resume(returning: outcome) }
        }
    }

    weak var delegate: (any PickerDelegate)?
    private(set) var selection = Selection()
    /// What the picks were when they were last looked at; a superset of the selection.
    private(set) var assets: [Asset.ID: Asset] = [:]
    /// Picks that nothing refuses any more but that are not made yet, while the delegate is told. They count for the
    /// limit, so that two threads cannot both take the last place.
    private var coming: Set<Asset.ID> = []
    /// Drops of which the delegate is being told.
    private var going: Set<Asset.ID> = []
    /// Counts the changes of the library.
    private(set) var generation = 0
    var crops: [Asset.ID: CropSession] = [:]

    private(set) var outcome: PickerOutcome?
    private var readers: [Int: AsyncStream<PickerEvent>.Continuation] = [:]
    private var nextReader = 0
    private var callbacks: [Callback] = []
    private var waiting: [CheckedContinuation<PickerOutcome, Never>] = []

    init(delegate: (any PickerDelegate)?) { self.delegate = delegate }

    // MARK: Picks

    /// Why `id` cannot be picked, by the rules that come before those of library and owner.
    func refusal(of id: Asset.ID, _ configuration: PickerConfiguration) -> PickingError? {
        if outcome != nil { return .finished }
        if selection.contains(id) || coming.contains(id) { return .alreadyPicked(id) }
        if configuration.isFull(selection.count + coming.count) { return .limitReached(limit: configuration.limit) }
        return nil
    }

    /// Picks without asking or telling anybody.
    mutating func insert(_ asset: Asset) {
        selection.append(asset.id)
        take(asset)
    }

    /// Notes what a pick is now.
    private mutating func take(_ asset: Asset) {
        assets[asset.id] = asset
        reviewCrop(of: asset)
    }

    /// A crop goes by the pixels of the picture that it was made on: it is none of another.
    private mutating func reviewCrop(of asset: Asset) {
        if let crop = crops[asset.id], let picture = asset.uprightSize, crop.picture != picture {
            crops[asset.id] = nil
        }
    }

    /// Takes a place for a pick to come, and tells the readers of it.
    mutating func reserve(_ id: Asset.ID) -> PickerEvent {
        coming.insert(id)
        return tell(.willPick(id, count: selection.count))
    }

    /// Makes a pick that a place was taken for; nil if the picker ended meanwhile.
    mutating func commit(_ asset: Asset) -> PickerEvent? {
        coming.remove(asset.id)
        guard outcome == nil else { return nil }
        insert(asset)
        return tell(.didPick(asset.id, count: selection.count))
    }

    /// Begins a drop; nil where there is nothing to drop, or another thread is at it.
    mutating func beginDrop(_ id: Asset.ID) -> PickerEvent? {
        guard outcome == nil, selection.contains(id), going.insert(id).inserted else { return nil }
        return tell(.willDrop(id, count: selection.count))
    }

    /// Makes a drop that was begun; nil if the asset vanished or the picker ended meanwhile.
    mutating func endDrop(_ id: Asset.ID) -> PickerEvent? {
        going.remove(id)
        guard outcome == nil, remove(id) else { return nil }
        return tell(.didDrop(id, count: selection.count))
    }

    /// Takes in what the library has now of what was looked up: picks without an asset leave, and crops of
    /// pictures of another size are forgotten.
    mutating func update(_ found: [Asset.ID: Asset?]) -> [PickerEvent] {
        guard outcome == nil else { return [] }
        var events: [PickerEvent] = []
        for case let asset? in found.values { reviewCrop(of: asset) }
        for id in selection.ids {
            guard let answer = found[id] else { continue }
            if let asset = answer {
                assets[id] = asset
            } else if remove(id) {
                events.append(tell(.didVanish(id, count: selection.count)))
            }
        }
        return events
    }

    mutating func countChange() { generation += 1 }

    mutating func move(from source: Int, to target: Int) -> PickerEvent? {
        guard source != target else { return nil }
        let id = selection[source]
        selection.move(from: source, to: target)
        return tell(.didMove(id, from: source, to: target))
    }

    private mutating func remove(_ id: Asset.ID) -> Bool {
        assets[id] = nil
        return selection.remove(id)
    }

    // MARK: Telling

    private func tell(_ event: PickerEvent) -> PickerEvent {
        for reader in readers.values { reader.yield(event) }
        return event
    }

    /// Adds a reader; nil if the picker has ended.
    mutating func addReader(_ reader: AsyncStream<PickerEvent>.Continuation) -> Int? {
        guard outcome == nil else { return nil }
        defer { nextReader += 1 }
        readers[nextReader] = reader
        return nextReader
    }

    mutating func removeReader(_ key: Int) { readers[key] = nil }

    /// Adds a callback, or gives back the outcome if there is one.
    mutating func add(_ callback: Callback) -> PickerOutcome? {
        if outcome == nil { callbacks.append(callback) }
        return outcome
    }

    /// Adds somebody who waits, or gives back the outcome if there is one.
    mutating func add(_ continuation: CheckedContinuation<PickerOutcome, Never>) -> PickerOutcome? {
        if outcome == nil { waiting.append(continuation) }
        return outcome
    }

    /// Ends the picker; nil if it has ended before.
    mutating func end(_ outcome: PickerOutcome) -> Ending? {
        guard self.outcome == nil else { return nil }
        self.outcome = outcome
        let ending = Ending(
            outcome: outcome, readers: Array(readers.values), callbacks: callbacks, waiting: waiting)
        readers = [:]
        callbacks = []
        waiting = []
        return ending
    }

    /// Stops the program if selection and assets do not agree. O(picked).
    func checkInvariants() {
        selection.checkInvariants()
        precondition(selection.allSatisfy { assets[$0]?.id == $0 }, "a pick without its asset")
        precondition(assets.count == selection.count, "an asset that is not picked")
        precondition(coming.isDisjoint(with: selection), "a pick to come that is there")
    }
}
