import Dispatch

extension RenderQueue {
    private enum Lane {
        case opening, running
    }

    enum Step {
        case open(UInt64, Waiting)
        case run(Prepared)
    }

    /// Starts a thread in each lane that has something to do and may have another thread.
    func startThreads() {
        let (opens, runs) = state.withLock { state in
            let opens = mayOpen(state)
            if opens { state.openers += 1 }
            let runs = mayRun(state)
            if runs { state.runners += 1 }
            return (opens, runs)
        }
        if opens { start(.opening) }
        if runs { start(.running) }
    }

    private func start(_ lane: Lane) {
        DispatchQueue.ofOwnThread("cameo.render").async(group: group) { [self] in
            var step = next(in: lane)
            while let current = step {
                switch current {
                case .open(let number, let waiting): open(waiting, number)
                case .run(let prepared):
                    // There is room now to open the next.
                    startThreads()
                    run(prepared)
                }
                // What this step made possible may serve more than this thread, which comes first: another would have
                // to be woken, and keeps a heap of its own.
                step = next(in: lane)
                startThreads()
            }
        }
    }

    /// Whether one more thread would find something to open.
    private func mayOpen(_ state: borrowing State) -> Bool {
        if state.isSuspended || state.openers >= workers { return false }
        return !state.looks.isEmpty || hasRoom(state)
    }

    /// Whether the most urgent of what waits may be opened. What is opened is held in memory, so no more of it lies ready
    /// than can be started at once; but what is less urgent is not ahead of it, or a prefetch that lies ready would start
    /// before it. With the lock held.
    func hasRoom(_ state: borrowing State) -> Bool {
        guard let urgency = state.waiting.mostUrgent else { return false }
        let opening = state.opening.values.count { $0 >= urgency }
        // What may not start yet is not ahead of what may.
        let ahead = state.prepared.count(from: urgency, countsSlow: allowsSlow(state)) + opening
        guard openIsBounded else {
            let open = state.prepared.count(from: urgency, countsSlow: true) + opening
            return ahead < workers && open + state.running < mostOpen
        }
        // Slow prefetches lie ready until another slow picture ends: what is more urgent than all of them need not wait
        // for that.
        let other = [state.prepared.mostUrgent(allowsSlow: true), state.opening.values.max()].compactMap(\.self).max()
        let most = !allowsSlow(state) && other.map { $0 < urgency } == true ? mostOpen + 1 : mostOpen
        return ahead < workers && state.prepared.count + state.opening.count + state.running < most
    }

    /// Whether one more thread would find something to run.
    private func mayRun(_ state: borrowing State) -> Bool {
        state.runners < workers && hasStartable(state)
    }

    /// Whether what is next to run may start now. Nothing of its urgency or less overtakes it, or a costly picture would
    /// wait for ever.
    private func hasStartable(_ state: borrowing State) -> Bool {
        let allowsSlow = allowsSlow(state)
        guard !state.isSuspended, let next = state.prepared.next(allowsSlow: allowsSlow) else { return false }
        return !looksFirst(before: state.prepared.mostUrgent(allowsSlow: allowsSlow), state) && mayStart(next, state)
    }

    /// The next step of a lane that may start now; nil lets the thread go.
    private func next(in lane: Lane) -> Step? {
        state.withLock { state in
            switch lane {
            case .opening:
                if !state.isSuspended {
                    let hasRoom = hasRoom(state)
                    if looksFirst(before: hasRoom ? state.waiting.mostUrgent : nil, state) { return takeLook(&state) }
                    if hasRoom { return takeWaiting(&state) }
                }
                state.openers -= 1
            case .running:
                if hasStartable(state), let prepared = state.prepared.popNext(allowsSlow: allowsSlow(state)) {
                    begin(prepared, &state)
                    return .run(prepared)
                }
                state.runners -= 1
            }
            return nil
        }
    }

    /// Whether slow work may start, or the last thread is kept for quick work.
    private func allowsSlow(_ state: borrowing State) -> Bool {
        !(keepsOneThread && workers > 1 && state.slow >= workers - 1)
    }

    private func mayStart(_ prepared: Prepared, _ state: borrowing State) -> Bool {
        state.running == 0 || state.memory + prepared.cost <= budget
    }

    /// Notes what `prepared` takes while it runs. With the lock held.
    func begin(_ prepared: Prepared, _ state: inout State) {
        state.looksAhead = 0
        state.memory += prepared.cost
        state.running += 1
        if prepared.isSlow { state.slow += 1 }
    }

    func open(_ waiting: Waiting, _ number: UInt64) {
        if waiting.takesRoom { room.signal() }
        let prepared = waiting.job()
        state.withLock { state in
            let urgency = state.opening.removeValue(forKey: number) ?? .batch
            guard let prepared else { return }
            state.prepared.insert(prepared, number: number, urgency: urgency)
        }
    }

    func run(_ prepared: Prepared) {
        prepared.run()
        state.withLock { state in
            state.memory -= prepared.cost
            state.running -= 1
            if prepared.isSlow { state.slow -= 1 }
        }
    }
}
