extension RenderQueue {
    /// What is opened but not started. The slow is kept apart from the quick, which may pass it where a thread is kept
    /// for the quick.
    struct Ready {
        private var quick: UrgencyBuckets<Prepared>
        private var slow: UrgencyBuckets<Prepared>
        private let servesNewestFirst: Bool
        /// How often quick work was preferred to slow work that might have started.
        private var passedOver = 0

        init(servesNewestFirst: Bool) {
            self.servesNewestFirst = servesNewestFirst
            quick = UrgencyBuckets(servesNewestFirst: servesNewestFirst)
            slow = UrgencyBuckets(servesNewestFirst: servesNewestFirst)
        }

        var count: Int { quick.count + slow.count }
        func count(of urgency: Urgency) -> Int { quick.count(of: urgency) + slow.count(of: urgency) }

        /// How many are at least as urgent; of the quick alone unless `countsSlow`.
        func count(from urgency: Urgency, countsSlow: Bool) -> Int {
            quick.count(from: urgency) + (countsSlow ? slow.count(from: urgency) : 0)
        }

        /// The highest urgency of all; of the quick alone unless `allowsSlow`.
        func mostUrgent(allowsSlow: Bool) -> Urgency? {
            [quick.mostUrgent, allowsSlow ? slow.mostUrgent : nil].compactMap(\.self).max()
        }

        mutating func insert(_ prepared: Prepared, number: UInt64, urgency: Urgency) {
            if prepared.isSlow {
                slow.insert(prepared, number: number, urgency: urgency)
            } else {
                quick.insert(prepared, number: number, urgency: urgency)
            }
        }

        /// What is next; of the quick alone unless `allowsSlow`.
        func next(allowsSlow: Bool) -> Prepared? {
            (isSlowNext(allowsSlow) ? slow.next : quick.next)?.element
        }

        /// Takes out what is next.
        mutating func popNext(allowsSlow: Bool) -> Prepared? {
            if isSlowNext(allowsSlow) {
                passedOver = 0
                return slow.popNext()?.element
            }
            passedOver += allowsSlow && !slow.isEmpty ? 1 : 0
            return quick.popNext()?.element
        }

        /// Takes out what was added under `number`; false where it is not there.
        mutating func remove(number: UInt64) -> Bool {
            quick.remove(number: number) != nil || slow.remove(number: number) != nil
        }

        /// Gives what was added under `number` another urgency; false where it is not there.
        mutating func move(number: UInt64, to urgency: Urgency) -> Bool {
            quick.move(number: number, to: urgency) || slow.move(number: number, to: urgency)
        }

        private func isSlowNext(_ allowsSlow: Bool) -> Bool {
            guard allowsSlow, let mine = slow.next else { return false }
            guard let other = quick.next else { return true }
            // As within the buckets: what is not fetched ahead is not starved.
            if mine.urgency > .prefetch, passedOver >= UrgencyBuckets<Prepared>.patience { return true }
            if mine.urgency != other.urgency { return mine.urgency > other.urgency }
            let isNewestFirst = servesNewestFirst && mine.urgency.isNewestFirst
            return isNewestFirst == (mine.number > other.number)
        }
    }
}
