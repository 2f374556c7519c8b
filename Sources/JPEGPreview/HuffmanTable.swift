/// A Huffman table as a DHT segment defines it, checked (ITU-T T.81, annex C).
struct HuffmanTable {
    /// A code of `length` bits, right-aligned, and what it stands for.
    struct Code: Equatable {
        let bits: Int
        let length: Int
        let symbol: UInt8
    }

    /// In ascending order, first by length.
    let codes: [Code]
    /// For each length from 1 to 16, the first code that is longer than it, left-aligned to 16 bits; and where in
    /// `codes` a code of that length lies, once the right-aligned code is added.
    let limits: [Int]
    let offsets: [Int]

    /// - Returns: nil where the lengths make no prefix code, or use the code of ones alone, which is reserved.
    init?(counts: [Int], symbols: [UInt8]) {
        var (codes, limits, offsets): ([Code], [Int], [Int]) = ([], [0], [0])
        codes.reserveCapacity(symbols.count)
        var next = 0
        for length in 1...16 {
            offsets.append(codes.count - next)
            for _ in 0..<counts[length - 1] {
                guard codes.count < symbols.count else { return nil }
                codes.append(Code(bits: next, length: length, symbol: symbols[codes.count]))
                next += 1
            }
            guard counts[length - 1] == 0 || next < 1 << length else { return nil }
            // A length without codes has no limit of its own: nothing new lies below it.
            limits.append(next << (16 - length))
            next <<= 1
        }
        self.codes = codes
        self.limits = limits
        self.offsets = offsets
    }

    /// The symbol that the 16 bits of `window` begin with, and its length; no symbol, as 0 of 17 bits.
    func first(in window: Int) -> (symbol: UInt8, length: Int) {
        for length in 1...16 where window < limits[length] {
            let index = window >> (16 - length) + offsets[length]
            // Below the limit of a length, but below that of a shorter one too, cannot be: those were tried before.
            guard codes.indices.contains(index) else { break }
            return (codes[index].symbol, length)
        }
        return (0, 17)
    }
}
