/// Takes apart what a `ByteWriter` wrote. Nothing of the bytes is believed: what does not fit ends in `Malformed`.
struct ByteReader {
    /// The bytes are not what was to be read.
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number() throws(Malformed) -> Int {
        guard bytes.count - place >= 8 else { throw Malformed() }
        var value: UInt64 = 0
        for index in 0..<8 { value |= UInt64(bytes[place + index]) << UInt64(8 * index) }
        place += 8
        return Int(Int64(bitPattern: value))
    }

    /// A number that counts something: no more than `limit`.
    mutating func count(upTo limit: Int) throws(Malformed) -> Int {
        let count = try number()
        guard (0...limit).contains(count) else { throw Malformed() }
        return count
    }

    mutating func isTrue() throws(Malformed) -> Bool { try count(upTo: 1) == 1 }

    mutating func blob() throws(Malformed) -> [UInt8] {
        let count = try number()
        guard (0...bytes.count - place).contains(count) else { throw Malformed() }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    mutating func text() throws(Malformed) -> String { String(decoding: try blob(), as: UTF8.self) }

    /// Something that is there or not.
    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value? {
        try isTrue() ? try read(&self) : nil
    }

    /// A value by its raw one.
    mutating func choice<Value: RawRepresentable<String>>(_ type: Value.Type) throws(Malformed) -> Value {
        guard let value = Value(rawValue: try text()) else { throw Malformed() }
        return value
    }
}
