extension ImagePipeline {
    /// Adds a task to the work that goes on for its source, or begins that.
    func join(_ task: ImageTask, stamp: ContentStamp?) {
        let key = workKey(of: task)
        let (number, isNew, mayPeek, ticket): (UInt64, Bool, Bool, RenderQueue.Ticket?) = state.withLock { state in
            if let work = state.works[key] {
                state.works[key]?.tasks[task.request.rendition, default: []].append(task)
                return (work.number, false, !work.hasNoPreview, work.ticket)
            }
            state.lastNumber += 1
            state.works[key] = SourceWork(number: state.lastNumber, for: task, stamp: stamp)
            return (state.lastNumber, true, true, nil)
        }
        if !isNew { Statistics.count(counters.coalesced) }
        if task.wantsStandIn, isNew || mayPeek && ticket.map(queue.takeOut) == true {
            note(queue.add(.peek, urgency: Urgency(task.priority)) { [self] in peek(key, number, $0) }, key, number)
        } else if isNew {
            queueOpening(key, number, Urgency(task.priority))
        } else if let ticket {
            follow(key, ticket)
        }
        // It may have been called off before it was in the list.
        if task.isDone { leave(task) }
    }

    /// Queues the first step of work.
    func queueOpening(
        _ key: SourceWork.Key, _ number: UInt64, _ urgency: Urgency, after look: RenderQueue.Ticket? = nil
    ) {
        let ticket = queue.add(
            { [self] in open(key, number) }, urgency: urgency, after: look, onDrop: { [self] in drop(key, number) })
        note(ticket, key, number)
    }

    /// Notes under which ticket work is queued; what happened to it meanwhile is caught up with.
    func note(_ ticket: RenderQueue.Ticket, _ key: SourceWork.Key, _ number: UInt64) {
        let isThere = state.withLock { state in
            guard let work = state.works[key], work.number == number else { return false }
            // A step may be over, and the next one queued, before its own ticket is noted.
            if let newer = work.ticket, newer.number > ticket.number { return true }
            state.works[key]?.ticket = ticket
            return true
        }
        if isThere { follow(key, ticket) } else { queue.remove(ticket) }
    }

    /// Gives queued work the urgency of the most urgent of its tasks.
    private func follow(_ key: SourceWork.Key, _ ticket: RenderQueue.Ticket) {
        var given: Urgency?
        // Others may come, go and follow between the look and the order; whoever orders last looks once more.
        while let urgency = state.withLock({ $0.works[key]?.urgency }), urgency != given {
            onStage?(.willFollow)
            queue.setUrgency(urgency, of: ticket)
            given = urgency
        }
    }

    func priorityChanged(_ task: ImageTask) {
        let key = workKey(of: task)
        if let ticket = state.withLock({ $0.works[key]?.ticket }) { follow(key, ticket) }
    }

    func cancelled(_ task: ImageTask) {
        if features.cancels { leave(task, counts: true) }
    }

    /// Takes a task out of its work, and drops the work if it was the last.
    ///
    /// - Parameter counts: Whether the statistics count it. They do before the work ends: who waits for that and reads
    ///   them then finds it there.
    func leave(_ task: ImageTask, counts: Bool = false) {
        let key = workKey(of: task)
        let left: SourceWork? = state.withLock { state in
            guard state.works[key]?.remove(task) == true, let work = state.works[key] else { return nil }
            if work.tasks.isEmpty { state.works[key] = nil }
            return work
        }
        guard let left else { return }
        if counts, left.isDecoding {
            Statistics.count(counters.cancelledDuring)
        } else if counts {
            Statistics.count(counters.cancelledBefore)
        }
        if !left.tasks.isEmpty {
            if let ticket = left.ticket { follow(key, ticket) }
            return
        }
        if let ticket = left.ticket { queue.remove(ticket) }
        if case .decoding(let watch) = left.stage { watch.cancel() }
    }

    /// The backlog of prefetches was too long for this one. Somebody in more of a hurry may have joined it a moment ago:
    /// then it is queued once more for them.
    func drop(_ key: SourceWork.Key, _ number: UInt64) {
        let work = state.withLock { state in
            guard let work = state.works[key], work.number == number else { return SourceWork?.none }
            if work.urgency == .prefetch { state.works[key] = nil }
            return work
        }
        guard let work else { return }
        if work.urgency > .prefetch { return queueOpening(key, number, work.urgency) }
        for task in work.everybody where task.deliver(.cancelled) {
            Statistics.count(counters.cancelledBefore)
        }
    }

    /// Takes out who waits for `rendition`, of those that `isMeant`; nobody where the work is gone.
    func take(
        _ rendition: Rendition, _ key: SourceWork.Key, _ number: UInt64, if isMeant: (ImageTask) -> Bool = { _ in true }
    ) -> [ImageTask] {
        state.withLock { state in
            guard let work = state.works[key], work.number == number, let waiting = work.tasks[rendition] else {
                return []
            }
            let staying = waiting.filter { !isMeant($0) }
            state.works[key]?.tasks[rendition] = staying.isEmpty ? nil : staying
            return staying.isEmpty ? waiting : waiting.filter(isMeant)
        }
    }

    /// Fails everybody who waits for the source.
    func failAll(_ key: SourceWork.Key, _ number: UInt64, _ error: RenderError) {
        let work = state.withLock { state in
            guard state.works[key]?.number == number else { return SourceWork?.none }
            return state.works.removeValue(forKey: key)
        }
        for task in work?.everybody ?? [] { fail(task, error) }
    }
}
