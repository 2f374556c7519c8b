extension TransferClient {
    /// What is read of a resource before it is known what of it is wanted.
    private static let probeLength = 256 << 10

    /// Fetches what is wanted of what lies at `address`.
    ///
    /// Its first part is read, and further ones, each as long as all before it, until `demand` knows. All of them are of
    /// one content by the server's own word; where it changes in between, the server knows no parts, or has nothing to
    /// tell contents apart by, the whole is read.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of the whole resource. More are refused by their announcement, before they come.
    ///   - demand: Told the first bytes and, where that is known, how many there are in all. Of what comes as a whole it
    ///     only decides whether it is worth reading.
    ///   - isCalledOff: Asked while something comes, and about once a second while nothing does.
    public func fetch(
        _ address: RemoteAddress, limit: Int, demand: @escaping ([UInt8], Int?) -> FetchDemand = { _, _ in .whole },
        isCalledOff: @escaping () -> Bool = { false }
    ) throws(TransferError) -> Fetched {
        let reading = Reading(client: self, address: address, limit: limit, isCalledOff: isCalledOff)
        let first = try reading.get(0...Self.probeLength - 1) { demand($0, nil) != .nothing }
        // There is no first byte: the resource is empty.
        if first.status == 416, first.total == 0 || first.headers["content-range"] == nil {
            return Fetched([], count: 0, stamp: nil)
        }
        guard first.status == 200 || first.status == 206 else { throw .status(first.status) }
        if case .refused = first.stop { return Fetched(first.body, count: first.total, stamp: first.stamp) }
        if first.status == 200 { return Fetched(whole: first) }
        guard first.isPartAsked, let total = first.total else { return try reading.whole() }
        var known = Fetched(first.body, count: total, stamp: first.stamp)
        while !known.isWhole {
            let there = known.bytes.count
            let next: Fetched?
            switch demand(known.bytes, total) {
            case .nothing: return known
            case .enough(tail: 0): return known
            case .enough(let tail) where known.stamp != nil && there + tail < total:
                next = try reading.part(of: known, total - tail..<total)
                if let next { return next }
            // Half of it and a further request cost more than all of it.
            case .head(let wanted) where known.stamp != nil && 2 * max(wanted, 2 * there) < total:
                next = try reading.part(of: known, there..<max(wanted, 2 * there))
            default: next = try reading.part(of: known, there..<total)
            }
            guard let next else { return try reading.whole() }
            known = next
        }
        return known
    }

    /// Fetches what is missing of a resource of which parts are known, or the whole of it where it is another by now.
    public func complete(
        _ known: Fetched, of address: RemoteAddress, limit: Int, isCalledOff: @escaping () -> Bool = { false }
    ) throws(TransferError) -> Fetched {
        if known.isWhole { return known }
        let reading = Reading(client: self, address: address, limit: limit, isCalledOff: isCalledOff)
        guard let count = known.count, !known.bytes.isEmpty else { return try reading.whole() }
        if let all = try reading.part(of: known, known.bytes.count..<count - known.tail.count) { return all }
        return try reading.whole()
    }
}
