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
        if rest.isEmpty {
            twin = 0
        } else {
            guard rest.hasPrefix("x"), let number = UInt32(rest.dropFirst()), number > 1 else { return nil }
            twin = number
        }
        // Numbers have several spellings, an asset one.
        guard self.text == text else { return nil }
    }

    /// The identifier's text: fingerprint, and for a second file of the same content `x2`.
    var text: String { fingerprint.text + (twin == 0 ? "" : "x\(twin)") }

    static func < (a: Identity, b: Identity) -> Bool {
        (a.fingerprint.high, a.fingerprint.low, a.twin) < (b.fingerprint.high, b.fingerprint.low, b.twin)
    }
}
