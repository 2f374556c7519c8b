import Synchronization

/// A cache in memory whose entries have a cost in bytes, and whose sum of costs never passes a limit.
///
/// Which entry goes is told by CLOCK: a hand goes round the entries, spares once what was asked for since it last came
/// by, and takes the rest. What was only ever put in goes before what was used, so a fling through thousands of cells
/// does not push out the ones that people return to.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let key: Key
        var value: Value
        var cost: Int
        var wasUsed = false
    }

    private struct State {
        var index: [Key: Int] = [:]
        var slots: [Entry?] = []
        var free: [Int] = []
        var hand = 0
        var cost = 0
        var limit: Int
    }

    /// Guards all that changes. It is held for one lookup or one change and never while a value is released: releasing
    /// a picture gives its memory back, which may take long.
    private let state: Mutex<State>

    /// 15 % of the memory that the process can hope for, and 256 MiB at most.
    public static var standardLimit: Int { standardLimit(of: SystemMemory.available) }

    /// The limit where a process can hope for `memory` bytes.
    static func standardLimit(of memory: Int) -> Int { min(memory / 100 * 15, 256 << 20) }

    /// An empty cache that holds at most `limit` bytes.
    public init(limit: Int = standardLimit) {
        state = Mutex(State(limit: max(0, limit)))
    }

    /// The most bytes that are held. Lowering it gives back what is over at once. O(1), or O(entries dropped).
    public var limit: Int {
        get { state.withLock { $0.limit } }
        set {
            var dropped: [Entry] = []
            state.withLock { state in
                state.limit = max(0, newValue)
                Self.shrink(&state, to: state.limit, into: &dropped)
            }
        }
    }

    /// The bytes that are held. O(1).
    public var cost: Int { state.withLock { $0.cost } }

    /// The entries that are held. O(1).
    public var count: Int { state.withLock { $0.index.count } }

    /// The most that one entry may cost: a tenth of the limit, so that one panorama does not push out a whole grid.
    public var entryLimit: Int { limit / 10 }

    /// The value of `key`. O(1); a hit allocates nothing.
    public func value(for key: Key) -> Value? {
        state.withLock { state in
            guard let slot = state.index[key] else { return nil }
            state.slots[slot]?.wasUsed = true
            return state.slots[slot]?.value
        }
    }

    /// Whether there is a value of `key`, which asking does not count as a use. O(1).
    public func contains(_ key: Key) -> Bool { state.withLock { $0.index[key] != nil } }

    /// Notes that the value of `key` costs something else by now, if it is still the one that `isMeant` knows. It goes
    /// where it costs too much by now, and others where the limit would be passed. O(1), or O(entries dropped).
    func setCost(_ cost: Int, of key: Key, if isMeant: (Value) -> Bool) {
        var dropped: [Entry] = []
        state.withLock { state in
            guard let slot = state.index[key], let entry = state.slots[slot], isMeant(entry.value) else { return }
            if cost > state.limit / 10 { return Self.drop(slot, &state, into: &dropped) }
            state.slots[slot]?.cost = cost
            state.cost += cost - entry.cost
            Self.shrink(&state, to: state.limit, into: &dropped)
        }
    }

    /// Puts `value` in, in place of what `key` had.
    ///
    /// - Parameter cost: Bytes, 0 or more.
    /// - Returns: False where it costs more than `entryLimit`; what `key` had is gone then too.
    /// - Complexity: Amortised O(1).
    @discardableResult
    public func insert(_ value: Value, for key: Key, cost: Int) -> Bool {
        var dropped: [Entry] = []
        return state.withLock { state in
            if let slot = state.index[key] { Self.drop(slot, &state, into: &dropped) }
            guard cost >= 0, cost <= state.limit / 10 else { return false }
            Self.shrink(&state, to: state.limit - cost, into: &dropped)
            let entry = Entry(key: key, value: value, cost: cost)
            let slot: Int
            if let free = state.free.popLast() {
                slot = free
                state.slots[slot] = entry
            } else {
                slot = state.slots.count
                state.slots.append(entry)
            }
            state.index[key] = slot
            state.cost += cost
            return true
        }
    }

    /// Drops the entry of `key`. O(1).
    public func remove(_ key: Key) {
        var dropped: [Entry] = []
        state.withLock { state in
            if let slot = state.index[key] { Self.drop(slot, &state, into: &dropped) }
        }
    }

    /// Drops everything. O(entries).
    public func removeAll() {
        // Bound to a name, so that it is released here and not inside the lock.
        let old = state.withLock { state in
            let old = state
            state = State(limit: old.limit)
            return old
        }
        _ = old.cost
    }

    /// Drops entries, the least used first, until at most `bytes` are held. O(entries dropped).
    public func trim(to bytes: Int) {
        var dropped: [Entry] = []
        state.withLock { Self.shrink(&$0, to: max(0, bytes), into: &dropped) }
    }

    /// Gives back a part of what is held, for memory is short: a quarter, or a half where it is critical. What is left
    /// is at least an eighth of the limit as long as memory is not critical, so that the cells on screen stay.
    public func relieve(_ pressure: MemoryPressure) {
        let (cost, limit) = state.withLock { ($0.cost, $0.limit) }
        switch pressure {
        case .moderate: if cost > limit / 8 { trim(to: max(limit / 8, cost / 4 * 3)) }
        case .critical: trim(to: cost / 2)
        }
    }

    private static func shrink(_ state: inout State, to bytes: Int, into dropped: inout [Entry]) {
        while state.cost > bytes, !state.index.isEmpty {
            if state.hand >= state.slots.count { state.hand = 0 }
            if state.slots[state.hand]?.wasUsed == true {
                state.slots[state.hand]?.wasUsed = false
            } else if state.slots[state.hand] != nil {
                drop(state.hand, &state, into: &dropped)
            }
            state.hand += 1
        }
        // The hand would have to pass over all that is empty again and again.
        if state.index.isEmpty {
            state.slots.removeAll()
            state.free.removeAll()
            state.hand = 0
        }
    }

    private static func drop(_ slot: Int, _ state: inout State, into dropped: inout [Entry]) {
        guard let entry = state.slots[slot] else { return }
        state.slots[slot] = nil
        state.free.append(slot)
        state.index[entry.key] = nil
        state.cost -= entry.cost
        dropped.append(entry)
    }
}

extension MemoryCache {
    /// What is wrong with the cache's own books, or nil; for tests. O(entries).
    func checkInvariants() -> String? {
        state.withLock { state in
            if state.cost > state.limit { return "costs \(state.cost), the limit is \(state.limit)" }
            let held = state.slots.compactMap(\.self)
            if held.reduce(0, { $0 + $1.cost }) != state.cost { return "the sum of costs is not what is noted" }
            if held.count != state.index.count { return "\(held.count) entries, \(state.index.count) keys" }
            if held.count + state.free.count != state.slots.count { return "a slot is neither held nor free" }
            for (key, slot) in state.index where state.slots[slot]?.key != key { return "a key leads to another entry" }
            if Set(state.free).count != state.free.count { return "a slot is free twice" }
            for slot in state.free where state.slots[slot] != nil { return "a slot is free and held" }
            return nil
        }
    }
}
