/// What was fetched of a resource.
public struct Fetched: Sendable {
    /// Its first bytes; all of them where it `isWhole`.
    public let bytes: [UInt8]
    /// Its last bytes, where only parts of it were wanted.
    public let tail: [UInt8]
    /// Bytes of the whole resource; nil where the server did not say before it was stopped.
    public let count: Int?
    /// What the server tells one content from another by; nil where it says nothing that can be relied on.
    public let stamp: String?

    /// Whether it is all there.
    public var isWhole: Bool { bytes.count == count }

    init(_ bytes: [UInt8], tail: [UInt8] = [], count: Int?, stamp: String?) {
        self.bytes = bytes
        self.tail = tail
        self.count = count
        self.stamp = stamp
    }
}
