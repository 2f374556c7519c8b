extension ThumbnailStore {
    private struct Batch {
        var entries: [[UInt8]: Pending]
        var used: [Int: Int]
        var broken: Set<Int>
        var limit: Int
        var isEmpty: Bool { entries.isEmpty && used.isEmpty && broken.isEmpty }
        var bytes: Int { entries.values.reduce(0) { $0 + $1.cost } }
    }

    /// The writer's connection. On `writing` only.
    func writerTable() -> ThumbnailTable? {
        let (generation, isReadOnly) = state.withLock { ($0.generation, $0.isReadOnly) }
        if isReadOnly { return nil }
        if let writer, writer.generation == generation { return writer.table }
        writer = open()
        return state.withLock { $0.isReadOnly } ? nil : writer?.table
    }

    /// Writes what waits, in one transaction. On `writing` only.
    func write() {
        let batch = state.withLock { state in
            let batch = Batch(entries: state.pending, used: state.used, broken: state.broken, limit: state.limit)
            state.inFlight = state.pending
            state.pending = [:]
            state.used = [:]
            state.broken = []
            state.isScheduled = false
            return batch
        }
        if batch.isEmpty { return }
        let bytes = batch.bytes
        var isBusy = false
        if let table = writerTable() {
            do throws(DatabaseError) {
                try commit(batch, bytes: bytes, to: table)
            } catch {
                isBusy = error.isBusy
                if !isBusy { note(error) }
            }
        }
        let retries = state.withLock { state in
            state.inFlight = [:]
            state.pendingBytes -= bytes
            guard isBusy else { return false }
            // Another process has the file for long. What was put in meanwhile is newer.
            state.pending.merge(batch.entries) { newer, _ in newer }
            state.pendingBytes = state.pending.values.reduce(0) { $0 + $1.cost }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if retries { scheduleWrite(now: false) }
    }

    private func commit(_ batch: Batch, bytes: Int, to table: ThumbnailTable) throws(DatabaseError) {
        let now = options.now()
        try table.database.transaction { () throws(DatabaseError) in
            for id in batch.broken { try table.remove(id: id) }
            try table.touch(batch.used)
            if let age = options.maximumAge { _ = try table.removeMade(before: now - age) }
            // Room is made first, so that the file itself never grows over the limit.
            _ = try table.evict(to: batch.limit - bytes - bytes / 2)
            for (key, entry) in batch.entries {
                try table.insert(key, material: entry.material, value: entry.value, now: now)
            }
            _ = try table.evict(to: batch.limit)
        }
    }
}
