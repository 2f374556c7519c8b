/// The look-up tables of the scan loops, four of each kind, in memory of their own.
///
/// An **AC** entry tells, for the next `acBits` bits, how many bits all symbols take whose codes lie whole within
/// them, magnitudes included (bits 0 to 5), and over how many coefficients they go (bits 8 to 14; bit 15: the last of
/// them ends the block). `escape` where not even one code is complete.
///
/// A **DC** entry tells, for the next `dcBits` bits, how many bits code and difference take (bits 0 to 5) and the
/// difference (bits 16 to 31). 0 where they are not complete.
final class LookupTables {
    static let acBits = 13
    static let dcBits = 12
    /// Goes over 64 coefficients and takes no bits, so that the fast loop ends and does it again with care.
    static let escape: UInt16 = 64 << 8
    static let endOfBlock: UInt16 = 1 << 15
    /// The largest size of a coefficient for which an AC entry is made: what 8-bit samples can give.
    static let largestSize = 10
    /// The most bits of an AC entry: of the 56 that a reader holds at least, three entries' worth, or two behind a DC
    /// entry's.
    static let largestStep = 18

    private let acStorage: UnsafeMutablePointer<UInt16>
    private let dcStorage: UnsafeMutablePointer<UInt32>
    /// Filled for all lengths up to `acBits` while a table is made.
    private var scratch: [UInt16] = []

    init() {
        // What was never filled ends the fast loop. An AC entry of 0 would go over nothing, for ever.
        acStorage = .allocate(capacity: 4 << Self.acBits)
        acStorage.initialize(repeating: Self.escape, count: 4 << Self.acBits)
        dcStorage = .allocate(capacity: 4 << Self.dcBits)
        dcStorage.initialize(repeating: 0, count: 4 << Self.dcBits)
    }

    deinit {
        acStorage.deallocate()
        dcStorage.deallocate()
    }

    /// `1 << acBits` entries; `slot` 0 to 3.
    func ac(_ slot: Int) -> UnsafePointer<UInt16> {
        precondition((0..<4).contains(slot))
        return UnsafePointer(acStorage + slot << Self.acBits)
    }

    /// `1 << dcBits` entries; `slot` 0 to 3.
    func dc(_ slot: Int) -> UnsafePointer<UInt32> {
        precondition((0..<4).contains(slot))
        return UnsafePointer(dcStorage + slot << Self.dcBits)
    }

    func fillDC(_ slot: Int, from table: HuffmanTable) {
        let out = UnsafeMutableBufferPointer(start: dcStorage + slot << Self.dcBits, count: 1 << Self.dcBits)
        out.update(repeating: 0)
        for code in table.codes where code.length <= Self.dcBits {
            let size = Int(code.symbol & 15)
            let start = code.bits << (Self.dcBits - code.length)
            let rest = Self.dcBits - code.length - size
            guard rest >= 0 else { continue }
            for magnitude in 0..<1 << size {
                let difference = Self.extend(magnitude, size)
                let entry = UInt32(code.length + size) | UInt32(UInt16(truncatingIfNeeded: difference)) << 16
                let first = start + magnitude << rest
                out[first..<first + 1 << rest].update(repeating: entry)
            }
        }
    }

    /// The signed number that `size` magnitude bits mean (ITU-T T.81, F.2.2.1).
    @inline(__always)
    static func extend(_ magnitude: Int, _ size: Int) -> Int {
        size > 0 && magnitude < 1 << (size - 1) ? magnitude - (1 << size) + 1 : magnitude
    }

    /// Builds the entries for windows of 0, 1, 2, … bits, each from the shorter ones: a first symbol, and what the table
    /// for the bits that it leaves says of them. The cost is one addition an entry and length: 2^(`acBits` + 1).
    func fillAC(_ slot: Int, from table: HuffmanTable) {
        let largest = Self.acBits
        // The entries for windows of n bits begin at 1 << n.
        if scratch.isEmpty { scratch = [UInt16](repeating: 0, count: 2 << largest) }
        scratch.withUnsafeMutableBufferPointer { entries in
            entries.update(repeating: 0)
            for bits in 1...largest {
                for code in table.codes where code.length <= bits {
                    let (run, size) = (Int(code.symbol >> 4), Int(code.symbol & 15))
                    let start = 1 << bits + code.bits << (bits - code.length)
                    let end = start + 1 << (bits - code.length)
                    if size == 0, run != 15 {
                        entries[start..<end].update(repeating: UInt16(code.length) | Self.endOfBlock)
                        continue
                    }
                    guard size <= Self.largestSize, code.length + size <= Self.largestStep else { continue }
                    let symbol = UInt16(code.length + size) | UInt16(run + 1) << 8
                    let rest = bits - code.length - size
                    guard rest > 0 else {
                        entries[start..<end].update(repeating: symbol)
                        continue
                    }
                    for index in 0..<1 << rest {
                        let sum = entries[1 << rest + index] &+ symbol
                        // More than 63 coefficients cannot be in one block.
                        let isTooMuch = sum & 0x7F00 >= 64 << 8 || sum & 63 > Self.largestStep
                        entries[start + index] = isTooMuch ? symbol : sum
                    }
                    // The same for every magnitude.
                    for copy in 1..<max(1, 1 << size) {
                        for index in 0..<1 << rest { entries[start + copy << rest + index] = entries[start + index] }
                    }
                }
            }
            let out = acStorage + slot << largest
            for index in 0..<1 << largest {
                let entry = entries[1 << largest + index]
                out[index] = entry == 0 ? Self.escape : entry
            }
        }
    }
}
