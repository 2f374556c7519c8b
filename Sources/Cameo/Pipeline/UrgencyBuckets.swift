/// Elements in a bucket for each urgency, each in order of arrival; the next one is the most urgent, of those on screen the
/// newest. Every operation is O(1), but for inserting what arrived earlier: that is O(those that arrived since).
///
/// No bucket but prefetch starves: one that was passed over `patience` times gives its oldest.
struct UrgencyBuckets<Element> {
    private struct Node {
        let number: UInt64
        var arrival: UInt64
        var element: Element
        var bucket: Int
        var older: Int?
        var newer: Int?
    }

    private struct Bucket {
        var oldest: Int?
        var newest: Int?
        var count = 0
        /// How often another bucket, or a newer element, was preferred.
        var passedOver = 0
    }

    private let servesNewestFirst: Bool
    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var places: [UInt64: Int] = [:]
    private var buckets = [Bucket](repeating: Bucket(), count: Urgency.allCases.count)

    static var patience: Int { 16 }

    /// Empty buckets; of elements on screen the newest is next, or else the oldest as in the others.
    init(servesNewestFirst: Bool = true) { self.servesNewestFirst = servesNewestFirst }

    var count: Int { places.count }
    var isEmpty: Bool { places.isEmpty }

    func count(of urgency: Urgency) -> Int { buckets[urgency.rawValue].count }

    /// How many are at least as urgent.
    func count(from urgency: Urgency) -> Int {
        buckets[urgency.rawValue...].reduce(0) { $0 + $1.count }
    }

    /// The highest urgency of all; that of the next one is lower where that one's turn has come by its age.
    var mostUrgent: Urgency? {
        buckets.lastIndex { $0.count > 0 }.flatMap(Urgency.init(rawValue:))
    }

    /// Adds an element under a number of its own behind those of its urgency that arrived before it. Numbers go up with
    /// time, so the number tells the arrival unless said otherwise.
    mutating func insert(_ element: Element, number: UInt64, urgency: Urgency, arrival: UInt64? = nil) {
        let node = Node(
            number: number, arrival: arrival ?? number, element: element, bucket: urgency.rawValue, older: nil,
            newer: nil)
        let place: Int
        if let reused = free.popLast() {
            place = reused
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        places[number] = place
        var older = buckets[urgency.rawValue].newest
        while let here = older, let other = nodes[here], other.arrival > node.arrival { older = other.older }
        link(place, to: urgency.rawValue, behind: older)
    }

    /// The element that is next, with its number and its urgency.
    var next: (number: UInt64, urgency: Urgency, element: Element)? {
        guard let place = nextPlace, let node = nodes[place] else { return nil }
        return (node.number, Urgency(rawValue: node.bucket) ?? .batch, node.element)
    }

    /// Takes the next element out.
    mutating func popNext() -> (number: UInt64, urgency: Urgency, element: Element)? {
        guard let place = nextPlace, let node = nodes[place] else { return nil }
        for index in buckets.indices where buckets[index].count > 0 {
            // The newest of those on screen passes its elders over.
            let isPassed =
                index < node.bucket || (isNewestFirst(index) && index == node.bucket && node.older != nil)
            if isPassed {
                buckets[index].passedOver += 1
            } else if index == node.bucket {
                buckets[index].passedOver = 0
            }
        }
        remove(place)
        return (node.number, Urgency(rawValue: node.bucket) ?? .batch, node.element)
    }

    /// Takes out the element of `number`, if it is there.
    mutating func remove(number: UInt64) -> Element? {
        guard let place = places[number], let element = nodes[place]?.element else { return nil }
        remove(place)
        return element
    }

    /// Takes out the element of `urgency` that has waited longest.
    mutating func popOldest(of urgency: Urgency) -> Element? {
        guard let place = buckets[urgency.rawValue].oldest, let element = nodes[place]?.element else { return nil }
        remove(place)
        return element
    }

    /// Gives the element of `number` another urgency, as if it had just come; false where it is not there.
    mutating func move(number: UInt64, to urgency: Urgency) -> Bool {
        guard let place = places[number], let node = nodes[place] else { return false }
        if node.bucket == urgency.rawValue { return true }
        unlink(place)
        nodes[place]?.bucket = urgency.rawValue
        let newest = buckets[urgency.rawValue].newest
        if let last = newest.flatMap({ nodes[$0] }) { nodes[place]?.arrival = max(node.arrival, last.arrival) }
        link(place, to: urgency.rawValue, behind: newest)
        return true
    }

    private var nextPlace: Int? {
        for index in buckets.indices.dropFirst() where buckets[index].count > 0 {
            if buckets[index].passedOver >= Self.patience { return buckets[index].oldest }
        }
        for index in buckets.indices.reversed() where buckets[index].count > 0 {
            return isNewestFirst(index) ? buckets[index].newest : buckets[index].oldest
        }
        return nil
    }

    private func isNewestFirst(_ index: Int) -> Bool {
        servesNewestFirst && Urgency(rawValue: index)?.isNewestFirst == true
    }

    private mutating func link(_ place: Int, to index: Int, behind older: Int?) {
        let newer = older.flatMap { nodes[$0] }.map(\.newer) ?? (older == nil ? buckets[index].oldest : nil)
        nodes[place]?.older = older
        nodes[place]?.newer = newer
        if let older { nodes[older]?.newer = place } else { buckets[index].oldest = place }
        if let newer { nodes[newer]?.older = place } else { buckets[index].newest = place }
        buckets[index].count += 1
    }

    private mutating func unlink(_ place: Int) {
        guard let node = nodes[place] else { return }
        if let older = node.older { nodes[older]?.newer = node.newer } else { buckets[node.bucket].oldest = node.newer }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { buckets[node.bucket].newest = node.older }
        buckets[node.bucket].count -= 1
        if buckets[node.bucket].count == 0 { buckets[node.bucket].passedOver = 0 }
    }

    private mutating func remove(_ place: Int) {
        guard let node = nodes[place] else { return }
        unlink(place)
        places[node.number] = nil
        nodes[place] = nil
        free.append(place)
    }
}

extension UrgencyBuckets {
    /// What is wrong with the lists, or nil; for tests. O(elements).
    func checkInvariants() -> String? {
        var seen = 0
        for (index, bucket) in buckets.enumerated() {
            var (place, before, count) = (bucket.oldest, Int?.none, 0)
            while let here = place {
                guard let node = nodes[here], node.bucket == index, node.older == before, places[node.number] == here,
                    before.flatMap({ nodes[$0] })?.arrival ?? 0 <= node.arrival
                else { return "bucket \(index) is torn at \(here)" }
                (place, before, count) = (node.newer, here, count + 1)
                if count > nodes.count { return "bucket \(index) runs in a circle" }
            }
            if before != bucket.newest || count != bucket.count { return "bucket \(index) miscounts" }
            seen += count
        }
        if seen != places.count || seen + free.count != nodes.count { return "elements are lost" }
        return nil
    }
}
