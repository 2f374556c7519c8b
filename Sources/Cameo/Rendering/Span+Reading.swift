/// Checked reads of the integers that file formats are made of: nil where the bytes end.
extension Span<UInt8> {
    func uint16(at offset: Int, bigEndian: Bool = true) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        let (a, b) = (Int(self[offset]), Int(self[offset + 1]))
        return bigEndian ? a << 8 | b : b << 8 | a
    }

    func uint32(at offset: Int, bigEndian: Bool = true) -> Int? {
        guard offset >= 0, offset <= count - 4,
            let first = uint16(at: offset, bigEndian: bigEndian),
            let second = uint16(at: offset + 2, bigEndian: bigEndian)
        else { return nil }
        return bigEndian ? first << 16 | second : second << 16 | first
    }

    /// Whether the bytes at `offset` are those of the ASCII string `text`.
    func matches(_ text: StaticString, at offset: Int = 0) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, offset <= count - length else { return false }
        return text.withUTF8Buffer { wanted in
            wanted.indices.allSatisfy { self[offset + $0] == wanted[$0] }
        }
    }

    /// Whether the bytes at `offset` are `wanted`.
    func matches(_ wanted: [UInt8], at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= count - wanted.count else { return false }
        return wanted.indices.allSatisfy { self[offset + $0] == wanted[$0] }
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes behind bounds checks.
    func withSpan<Result, Failure>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(bindMemory(to: UInt8.self).span)
    }
}
