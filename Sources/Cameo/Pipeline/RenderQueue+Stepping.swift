extension RenderQueue {
    /// Takes one step on the calling thread while the queue is suspended, and chooses it as the threads would: what
    /// can be looked at is, sources are opened until as many lie ready as there are workers, then the most urgent of
    /// those is run.
    ///
    /// - Returns: False where nothing waits. Not to be called by two threads at once.
    func runNextStep() -> Bool {
        let step: Step? = state.withLock { state in
            if let (number, urgency, look) = state.looks.popNext() {
                state.opening[number] = urgency
                return .open(number, look)
            }
            if state.prepared.count < workers, let (number, urgency, waiting) = state.waiting.popNext() {
                state.opening[number] = urgency
                return .open(number, waiting)
            }
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
