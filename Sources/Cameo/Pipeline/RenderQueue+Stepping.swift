extension RenderQueue {
    /// Takes one step on the calling thread while the queue is suspended, and chooses it as the threads would: what
    /// can be looked at is, unless something else is more urgent; sources are opened until as many lie ready as there are
    /// workers; then the most urgent of those is run.
    ///
    /// - Returns: False where nothing waits. Not to be called by two threads at once.
    func runNextStep() -> Bool {
        let step: Step? = state.withLock { state in
            let others = max(state.waiting.mostUrgent, state.prepared.mostUrgent(allowsSlow: true))
            if looksFirst(before: others, state) { return takeLook(&state) }
            if hasRoom(state) { return takeWaiting(&state) }
            guard let prepared = state.prepared.popNext(allowsSlow: true) else { return nil }
            begin(prepared, &state)
            return .run(prepared)
        }
        switch step {
        case .open(let number, let waiting): open(waiting, number)
        case .run(let prepared): run(prepared)
        case nil: return false
        }
        return true
    }
}

/// The higher of the two where there are two.
private func max(_ a: Urgency?, _ b: Urgency?) -> Urgency? { [a, b].compactMap(\.self).max() }
