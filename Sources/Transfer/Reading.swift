/// The requests that one resource is read by.
struct Reading {
    let client: TransferClient
    let address: RemoteAddress
    /// The most bytes of the whole resource.
    let limit: Int
    let isCalledOff: () -> Bool

    /// Asks for a part, or for everything; with an entity tag, for that of no other content.
    func get(
        _ range: ClosedRange<Int>?, tag: String? = nil, accepts: @escaping ([UInt8]) -> Bool = { _ in true }
    ) throws(TransferError) -> Exchange {
        try client.request(
            .get(bytes: range), address, headers: tag.map { ["If-Match: \($0)"] } ?? [], limit: limit,
            accepts: accepts, isCalledOff: isCalledOff)
    }

    /// Everything at once.
    func whole() throws(TransferError) -> Fetched {
        let whole = try get(nil)
        guard whole.status == 200 else { throw .status(whole.status) }
        return Fetched(whole: whole)
    }

    /// `known` with the bytes of `range` added, which follow its first bytes or are its last; nil where the server says
    /// that it has changed, or sends something else.
    func part(of known: Fetched, _ range: Range<Int>) throws(TransferError) -> Fetched? {
        let answer = try get(range.lowerBound...range.upperBound - 1, tag: known.tag)
        if answer.status == 200 { return Fetched(whole: answer) }
        guard answer.isPartAsked, answer.total == known.count, answer.stamp == known.stamp else { return nil }
        return range.lowerBound == known.bytes.count
            ? Fetched(known.bytes + answer.body + known.tail, count: known.count, stamp: known.stamp)
            : Fetched(known.bytes, tail: answer.body, count: known.count, stamp: known.stamp)
    }
}

extension Exchange {
    /// The entity tag where it vouches for every byte, or else the size and the time of the last change.
    var stamp: String? {
        if let tag = headers["etag"], !tag.hasPrefix("W/") { return Fetched.tagPrefix + tag }
        guard let time = headers["last-modified"], let size = total else { return nil }
        return "modified:\(time) \(size)"
    }
}

extension Fetched {
    fileprivate static let tagPrefix = "etag:"

    /// All of a resource.
    init(whole exchange: Exchange) {
        self.init(exchange.body, count: exchange.body.count, stamp: exchange.stamp)
    }

    /// The entity tag that its stamp is.
    fileprivate var tag: String? {
        stamp.flatMap { $0.hasPrefix(Self.tagPrefix) ? String($0.dropFirst(Self.tagPrefix.count)) : nil }
    }
}
