extension RenderQueue {
    /// A step before the first, by which somebody sees something before the picture is made.
    enum Look: CaseIterable {
        /// Into the beginning of a file: about a millisecond.
        case peek
        /// Through the whole of a file: a few milliseconds.
        case skim
    }

    /// What is to be looked at: all that waits for a peek, and then all that waits for a skim, each in the order of its
    /// urgencies.
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

        mutating func popNext() -> (number: UInt64, urgency: Urgency, element: Waiting)? {
            peeks.popNext() ?? skims.popNext()
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

    /// Adds a step before the first: one that is over soon and holds nothing, and lets somebody see something. Such
    /// steps go before all others, and nothing is run while one waits.
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
}
