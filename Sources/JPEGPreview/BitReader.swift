/// Bits of entropy-coded data, most significant first, with stuffed zero bytes taken out (ITU-T T.81, F.2.2.5).
///
/// Behind the data (at a marker, or where the file ends) it reads as zeros; `isExhausted` tells when some of those have
/// been taken. It reads through a pointer, because bounds checks of a span cost a tenth of the whole decode; each read
/// is fenced by a comparison with `end`.
struct BitReader {
    /// The next bits, at the top.
    var bits: UInt64 = 0
    /// How many of `bits` count. What lies below is zero or the bits that follow.
    var count = 0
    /// The next byte to take in.
    private(set) var position: Int
    /// How many of the bits were taken in from behind the data.
    private var padding = 0

    private let bytes: UnsafePointer<UInt8>
    private let end: Int

    /// - Parameter bytes: Readable from 0 to `end`, which is not below `position`, as long as this reader is used.
    init(_ bytes: UnsafePointer<UInt8>, from position: Int, to end: Int) {
        self.bytes = bytes
        self.position = position
        self.end = end
    }

    /// A place within the data, to read on from.
    struct Place {
        fileprivate let bits: UInt64
        fileprivate let count: Int
        fileprivate let position: Int
        fileprivate let padding: Int
    }

    /// Where it stands.
    var place: Place { Place(bits: bits, count: count, position: position, padding: padding) }

    /// - Parameter place: What a reader of the same bytes told.
    init(_ bytes: UnsafePointer<UInt8>, at place: Place, to end: Int) {
        self.init(bytes, from: place.position, to: end)
        move(to: place)
    }

    /// Where the next bit is, as a number that grows from bit to bit: right after a `refill`, and unless `isAtEnd`, the same
    /// for all readers of the same bytes that stand there.
    var rank: Int { position << 6 | (63 &- count) & 63 }

    /// Goes to a place within the same bytes.
    @inline(__always)
    mutating func move(to place: Place) {
        (bits, count, position, padding) = (place.bits, place.count, place.position, place.padding)
    }

    @inline(__always)
    func moved(to place: Place) -> BitReader {
        var reader = self
        reader.move(to: place)
        return reader
    }

    /// Whether more bits were taken than there are.
    var isExhausted: Bool { padding > count }
    /// Whole bytes that are taken in and not used.
    var unusedBytes: Int { max(0, count - padding) / 8 }
    /// Whether the reader stands at a marker or the file's end.
    var isAtEnd: Bool { padding > 0 }

    /// Makes at least 56 bits available.
    @inline(__always)
    mutating func refill() {
        if position <= end - 8 {
            let word = UInt64(
                bigEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
            // A byte of ones is a byte of zeros in the complement: the usual test for one, on eight bytes at once. It may
            // point at the byte before, never behind. One that lies behind the bytes to take, and the one after them,
            // does not matter yet.
            let ones = (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080
            if ones == 0 || ones.leadingZeroBitCount >= (71 &- count) & ~7 {
                // The bits below `count` are set to what they will be set to again.
                bits |= word &>> UInt64(truncatingIfNeeded: count)
                position &+= (63 &- count) &>> 3
                count |= 56
                return
            }
        }
        // By value, so that the reader's fields can stay in registers.
        (bits, count, position, padding) = Self.refilled(bits, count, position, padding, bytes, end)
    }

    /// The state after bytes were taken in one by one.
    @inline(never)
    private static func refilled(
        _ bits: UInt64, _ count: Int, _ position: Int, _ padding: Int, _ bytes: UnsafePointer<UInt8>, _ end: Int
    ) -> (UInt64, Int, Int, Int) {
        var (bits, count, position, padding) = (bits, count, position, padding)
        while count < 56 {
            var (byte, next) = (UInt8(0), position + 1)
            if position < end {
                byte = bytes[position]
                if byte == 0xFF {
                    // Any number of bytes of ones may stand before what they announce.
                    while next < end, bytes[next] == 0xFF { next += 1 }
                    if next < end, bytes[next] == 0 { next += 1 } else { (byte, next) = (0, position) }
                }
            } else {
                next = position
            }
            if next == position { padding += 8 }
            bits |= UInt64(byte) << UInt64(56 - count)
            count += 8
            position = next
        }
        return (bits, count, position, padding)
    }

    /// The next `length` bits, 1 to 32, without taking them.
    @inline(__always)
    func peek(_ length: Int) -> Int { Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- length)) }

    @inline(__always)
    mutating func drop(_ length: Int) {
        bits &<<= UInt64(truncatingIfNeeded: length)
        count &-= length
    }
}
