/// A source whose beginning and end are known, and what lies between is not.
///
/// For sources that are costly to read whole. What can be made of such a source is what the whole of it gives: a header,
/// and of a progressive JPEG pictures of an eighth of its size. Everything else throws `RenderError.incomplete`; then the
/// whole has to be read. Damage that lies between is not noticed, so where `RenderOptions.isStrict` asks that there be
/// none, no picture is made.
public struct SparseBytes: Hashable, Sendable {
    /// The first bytes, one at least.
    public let head: [UInt8]
    /// The last bytes; there may be none.
    public let tail: [UInt8]
    /// Bytes of the whole source.
    public let count: Int

    /// A source of `count` bytes that begins with `head` and ends with `tail`; nil where nothing lies between them.
    public init?(head: [UInt8], tail: [UInt8], count: Int) {
        guard !head.isEmpty, head.count < count, tail.count < count - head.count else { return nil }
        self.head = head
        self.tail = tail
        self.count = count
    }

    /// Where the bytes lie that are not known. Never empty.
    public var hole: Range<Int> { head.count..<count - tail.count }
}
