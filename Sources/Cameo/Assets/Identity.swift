/// An identifier without its text.
struct Identity: Hashable, Comparable {
    let fingerprint: Fingerprint
    let twin: UInt32

    init(_ record: FileRecord) {
        fingerprint = record.identity
        twin = record.twin
    }

    /// What an identifier's text says; nil where it is none of ours.
    init?(_ id: Asset.ID) {
        let text = id.value
        guard text.utf8.count >= 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.dropFirst(16).prefix(16), radix: 16)
        else { return nil }
        let rest = text.dropFirst(32)
        fingerprint = Fingerprint(high: high, low: low)
        guard !rest.isEmpty else {
            twin = 0
            return
        }
        guard rest.hasPrefix("x"), let number = UInt32(rest.dropFirst()), number > 1 else { return nil }
        twin = number
    }

    static func < (a: Identity, b: Identity) -> Bool {
        (a.fingerprint.high, a.fingerprint.low, a.twin) < (b.fingerprint.high, b.fingerprint.low, b.twin)
    }
}
