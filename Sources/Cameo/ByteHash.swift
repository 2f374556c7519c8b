/// A quick 64-bit hash of bytes, the same in every process and on every machine. It finds damage and tells keys apart;
/// it keeps nobody out, so whoever relies on it for identity compares the bytes too.
struct ByteHash {
    private var state: UInt64

    /// A hash that `seed` makes different from others.
    init(seed: UInt64 = 0) { state = seed ^ Self.first }

    /// The hash of `bytes`. O(bytes), eight at a time.
    static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        var hash = ByteHash(seed: seed)
        bytes.withUnsafeBytes { hash.add($0) }
        return hash.finished(count: bytes.count)
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        while position + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
            position += 8
        }
        var last: UInt64 = 0
        for index in position..<bytes.count { last = last << 8 | UInt64(bytes[index]) }
        mix(last)
    }

    /// The full product of 64 × 64 bits, folded: each bit of the input reaches each of the output.
    private mutating func mix(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: Self.second)
        state = (product.high ^ product.low) &+ Self.first
    }

    private func finished(count: Int) -> UInt64 {
        var mixed = (state ^ UInt64(count)) &* Self.first
        mixed = (mixed ^ mixed >> 29) &* Self.second
        return mixed ^ mixed >> 32
    }

    // The fractions of √2 and √3, made odd.
    private static let first: UInt64 = 0x6A09_E667_F3BC_C909
    private static let second: UInt64 = 0xBB67_AE85_84CA_A73B
}
