extension TransferClient {
    /// What is read of a resource before it is known to be worth reading whole.
    private static let probeLength = 256 << 10

    /// Fetches what lies at `address`: the first part of it, and the rest where `accepts` is true of that. A server
    /// that knows no parts sends everything at once, and is stopped where `accepts` is not.
    ///
    /// - Parameters:
    ///   - limit: The most bytes. More are refused by their announcement, before they come.
    ///   - isCalledOff: Asked several times a second.
    public func fetch(
        _ address: RemoteAddress, limit: Int, accepts: @escaping ([UInt8]) -> Bool = { _ in true },
        isCalledOff: @escaping () -> Bool = { false }
    ) throws(TransferError) -> Fetched {
        let first = try request(
            .get(bytes: 0...Self.probeLength - 1), address, headers: [], limit: limit, accepts: accepts,
            isCalledOff: isCalledOff)
        // There is no first byte: the resource is empty.
        if first.status == 416, first.total == 0 || first.headers["content-range"] == nil {
            return Fetched(bytes: [], isWhole: true, stamp: nil)
        }
        guard first.status == 200 || first.status == 206 else { throw .status(first.status) }
        let stamp = Self.stamp(first)
        if case .refused = first.stop { return Fetched(bytes: first.body, isWhole: false, stamp: stamp) }
        guard first.status == 206, let total = first.total, total > first.body.count else {
            return Fetched(bytes: first.body, isWhole: true, stamp: stamp)
        }
        guard accepts(first.body) else { return Fetched(bytes: first.body, isWhole: false, stamp: stamp) }
        // The two parts must be of one content.
        let condition = first.headers["etag"].flatMap { $0.hasPrefix("W/") ? nil : "If-Match: \($0)" }
        let rest = try request(
            .get(bytes: first.body.count...total - 1), address, headers: condition.map { [$0] } ?? [], limit: limit,
            isCalledOff: isCalledOff)
        if rest.status == 206, rest.total == total, rest.body.count == total - first.body.count,
            Self.stamp(rest) == stamp
        {
            return Fetched(bytes: first.body + rest.body, isWhole: true, stamp: stamp)
        }
        // It changed between the two.
        let whole = try request(.get(bytes: nil), address, headers: [], limit: limit, isCalledOff: isCalledOff)
        guard whole.status == 200 else { throw .status(whole.status) }
        return Fetched(bytes: whole.body, isWhole: true, stamp: Self.stamp(whole))
    }

    /// The entity tag where it vouches for every byte, or else the size and the time of the last change.
    private static func stamp(_ exchange: Exchange) -> String? {
        if let tag = exchange.headers["etag"], !tag.hasPrefix("W/") { return "etag:\(tag)" }
        guard let time = exchange.headers["last-modified"], let size = exchange.total else { return nil }
        return "modified:\(time) \(size)"
    }
}
