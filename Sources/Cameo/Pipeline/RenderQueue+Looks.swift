extension RenderQueue {
    /// A step before the first, by which somebody sees something before the picture is made.
    enum Look: CaseIterable {
        /// Into the beginning of a file: about a millisecond.
        case peek
        /// Through the whole of a file: a few milliseconds.
        case skim
    }

    /// What is to be looked at, the most urgent first: of those that are as urgent, all that wait for a peek, and then all
    /// that wait for a skim.
    struct Looks {
        private var peeks: UrgencyBuckets<Waiting>
        private var skims: UrgencyBuckets<Waiting>

        init(servesNewestFirst: Bool) {
            peeks = UrgencyBuckets(servesNewestFirst: servesNewestFirst)
            skims = UrgencyBuckets(servesNewestFirst: servesNewestFirst)
        }

        var isEmpty: Bool { peeks.isEmpty && skims.isEmpty }
        var count: Int { peeks.count + skims.count }

        mutating func insert(_ waiting: Waiting, _ look: Look, number: UInt64, urgency: Urgency, arrival: UInt64) {
            switch look {
            case .peek: peeks.insert(waiting, number: number, urgency: urgency, arrival: arrival)
            case .skim: skims.insert(waiting, number: number, urgency: urgency, arrival: arrival)
            }
        }

        /// The highest urgency of all.
        var mostUrgent: Urgency? { [peeks.mostUrgent, skims.mostUrgent].compactMap(\.self).max() }

        mutating func popNext() -> (number: UInt64, urgency: Urgency, element: Waiting)? {
            if let peek = peeks.mostUrgent, peek >= skims.mostUrgent ?? peek { return peeks.popNext() }
            return skims.popNext()
        }

        /// Takes out what was added under `number`; false where it is not there.
        mutating func remove(number: UInt64) -> Bool {
            peeks.remove(number: number) != nil || skims.remove(number: number) != nil
        }

        /// Gives what was added under `number` another urgency; false where it is not there.
        mutating func move(number: UInt64, to urgency: Urgency) -> Bool {
            peeks.move(number: number, to: urgency) || skims.move(number: number, to: urgency)
        }
    }

    /// How many looks go before work that nobody looks at, which would else wait for ever behind a stream of them. A look
    /// takes a good tenth of what decoding takes.
    static var lookPatience: Int { 4 * UrgencyBuckets<Waiting>.patience }

    /// Adds a step before the first: one that is over soon and holds nothing, and lets somebody see something. Such
    /// steps go before all others that are not more urgent, and none of those is run while one waits.
    ///
    /// - Parameter earlier: The step that it follows, behind which nothing has come since as far as order goes.
    /// - Parameter body: Is given its own ticket.
    func add(
        _ look: Look, urgency: Urgency, after earlier: Ticket? = nil, _ body: @escaping @Sendable (Ticket) -> Void
    ) -> Ticket {
        let ticket = state.withLock { state in
            state.lastNumber += 1
            let ticket = Ticket(number: state.lastNumber, arrival: earlier?.arrival ?? state.lastNumber)
            let waiting = Waiting(
                job: {
                    body(ticket)
                    return nil
                }, takesRoom: false, onDrop: nil)
            state.looks.insert(waiting, look, number: ticket.number, urgency: urgency, arrival: ticket.arrival)
            return ticket
        }
        startThreads()
        return ticket
    }

    /// Whether what can be looked at goes before steps of which the most urgent is `others`. With the lock held.
    func looksFirst(before others: Urgency?, _ state: borrowing State) -> Bool {
        guard let look = state.looks.mostUrgent else { return false }
        guard let others else { return true }
        if others > look { return false }
        return others == .prefetch || state.looksAhead < Self.lookPatience
    }

    /// Takes out what is looked at next. With the lock held.
    func takeLook(_ state: inout State) -> Step? {
        guard let (number, urgency, look) = state.looks.popNext() else { return nil }
        // What is on screen waits for no more looks than there are cells on screen; what is fetched ahead waits for all.
        let passesOver = [Urgency.batch, .normal].contains {
            state.waiting.count(of: $0) + state.prepared.count(of: $0) > 0
        }
        state.looksAhead = passesOver ? state.looksAhead + 1 : 0
        state.opening[number] = urgency
        return .open(number, look)
    }

    /// Takes out what is opened next. With the lock held.
    func takeWaiting(_ state: inout State) -> Step? {
        guard let (number, urgency, waiting) = state.waiting.popNext() else { return nil }
        state.looksAhead = 0
        state.opening[number] = urgency
        return .open(number, waiting)
    }
}
