import Glibc

/// A file seen through a small buffer that moves over it, so that a header is read with as few calls as it needs.
///
/// Not for sharing: it belongs to whoever reads the header. What lies outside the file reads as absent.
struct FileWindow {
    /// Bytes in the file when it was opened.
    let count: Int
    /// Nil where there is nothing but the beginning.
    private let file: Int32?
    private let head: [UInt8]
    private var buffer: [UInt8]
    private var start = 0
    private var budget: Int

    /// Reads after the first, so that a hostile file cannot make the reader crawl all over it.
    private static let readLimit = 64
    private static let step = 16_384

    /// A window over `file`, which stays the caller's, whose first bytes are `head` already.
    init(file: Int32, count: Int, head: [UInt8]) {
        self.file = file
        self.count = count
        self.head = head
        buffer = head
        budget = Self.readLimit
    }

    /// A window over what is known of a source of `count` bytes: its first bytes.
    init(count: Int, head: [UInt8]) {
        (file, budget) = (nil, 0)
        self.count = count
        self.head = head
        buffer = head
    }

    /// The first bytes of the file.
    var beginning: [UInt8] { head }

    /// The byte at `offset`.
    mutating func byte(at offset: Int) -> UInt8? {
        guard locate(offset, 1) else { return nil }
        return buffer[offset - start]
    }

    /// The `length` bytes at `offset`; nil where the file ends before, or the file has been read enough.
    mutating func bytes(at offset: Int, _ length: Int) -> [UInt8]? {
        guard length >= 0, locate(offset, length) else { return nil }
        return Array(buffer[offset - start..<offset - start + length])
    }

    /// As many of `length` bytes at `offset` as there are.
    mutating func prefix(at offset: Int, _ length: Int) -> [UInt8] {
        guard offset >= 0, offset < count else { return [] }
        return bytes(at: offset, min(length, count - offset)) ?? []
    }

    /// The big-endian number of 16 bits at `offset`.
    mutating func uint16(at offset: Int) -> Int? { bytes(at: offset, 2).flatMap { $0.span.uint16(at: 0) } }

    /// The big-endian number of 32 bits at `offset`.
    mutating func uint32(at offset: Int) -> Int? { bytes(at: offset, 4).flatMap { $0.span.uint32(at: 0) } }

    private mutating func locate(_ offset: Int, _ length: Int) -> Bool {
        guard offset >= 0, length <= count, offset <= count - length else { return false }
        if offset >= start, offset + length <= start + buffer.count { return true }
        if offset + length <= head.count {
            (buffer, start) = (head, 0)
            return true
        }
        guard budget > 0, let file else { return false }
        budget -= 1
        let wanted = min(max(length, Self.step), count - offset)
        buffer = Self.read(file, at: offset, wanted)
        start = offset
        return buffer.count >= length
    }

    /// Up to `length` bytes of `file` at `offset`.
    static func read(_ file: Int32, at offset: Int, _ length: Int) -> [UInt8] {
        Array(unsafeUninitializedCapacity: length) { target, filled in
            while filled < length, let base = target.baseAddress {
                let got = pread(file, base + filled, length - filled, off_t(offset + filled))
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    break
                }
            }
        }
    }
}
