extension FileRecord {
    /// Bytes of an encoded record. The name and the folder are kept beside it.
    static let encodedLength = 2 * 16 + 5 * 8 + 6 * 4 + 2 + 3

    /// The record as bytes, little end first.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.encodedLength)
        func put(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for value in [identity.high, identity.low, content.high, content.low] { put(value) }
        put(size)
        put(inode)
        put(modified)
        put(changed)
        put(seconds)
        put(nanosecond)
        put(width)
        put(height)
        put(latitude)
        put(longitude)
        put(twin)
        put(offset)
        put(form.rawValue)
        put(subtypes)
        put(flags)
        return bytes
    }

    /// The record that `bytes` stand for; nil where they are no record, or say what none would.
    init?(encoded bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.encodedLength else { return nil }
        var offset = 0
        func take<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
            defer { offset += MemoryLayout<Value>.size }
            return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
        }
        identity = Fingerprint(high: take(UInt64.self), low: take(UInt64.self))
        content = Fingerprint(high: take(UInt64.self), low: take(UInt64.self))
        size = take(Int64.self)
        inode = take(UInt64.self)
        modified = take(Int64.self)
        changed = take(Int64.self)
        seconds = take(Int64.self)
        nanosecond = take(UInt32.self)
        width = take(UInt32.self)
        height = take(UInt32.self)
        latitude = take(Int32.self)
        longitude = take(Int32.self)
        twin = take(UInt32.self)
        self.offset = take(Int16.self)
        guard let form = FileHeader.Form(rawValue: take(UInt8.self)) else { return nil }
        self.form = form
        subtypes = take(UInt8.self)
        flags = take(UInt8.self)
        guard size >= 0, CaptureDate.civilRange.contains(seconds), nanosecond < 1_000_000_000 else { return nil }
    }
}
