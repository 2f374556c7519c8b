/// Writes values one behind the other so that each can be told from the next: numbers at a fixed width, text with its
/// length before it.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: Int) {
        withUnsafeBytes(of: Int64(number).littleEndian) { bytes += $0 }
    }

    mutating func write(_ text: [UInt8]) {
        write(text.count)
        bytes += text
    }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    mutating func write(_ isTrue: Bool) { write(isTrue ? 1 : 0) }

    /// Something that is there or not.
    mutating func write<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        self.write(value != nil)
        if let value { write(&self, value) }
    }
}
