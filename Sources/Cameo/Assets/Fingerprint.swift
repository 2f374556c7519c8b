/// 128 bits that stand for a file's content: its size and its two ends.
///
/// Fast rather than proof against forgers. Two contents that share a fingerprint are not taken for one asset: they
/// are told apart by number, as two copies of one file are.
struct Fingerprint: Hashable, Sendable {
    var high: UInt64
    var low: UInt64

    /// Bytes that count at each end; a file of up to twice as many counts whole.
    static let endLength = 32_768

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The fingerprint of a file of `size` bytes that begins with `head` and ends with `tail`.
    init(size: Int, head: [UInt8], tail: [UInt8]) {
        var mixer = Mixer()
        mixer.absorb(head)
        mixer.absorb(tail)
        (high, low) = mixer.finish(UInt64(truncatingIfNeeded: size))
    }

    /// 32 lower-case hexadecimal digits.
    var text: String {
        func digits(_ value: UInt64) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return digits(high) + digits(low)
    }
}

extension Fingerprint {
    /// Two lanes, each of which sees every word, mixed by folding 128-bit products.
    private struct Mixer {
        // Digits of the square roots of 2, 3, 5 and 7: numbers with nothing special about them.
        private static let keys: (UInt64, UInt64, UInt64, UInt64) = (
            0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1
        )
        private var first = keys.0
        private var second = keys.1

        mutating func absorb(_ bytes: [UInt8]) {
            bytes.withUnsafeBytes { buffer in
                var offset = 0
                while offset + 16 <= buffer.count {
                    absorb(
                        buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                        buffer.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
                    offset += 16
                }
                var rest: (UInt64, UInt64) = (0, UInt64(buffer.count))
                for index in offset..<buffer.count {
                    let shift = UInt64((index - offset) & 7) * 8
                    if index - offset < 8 {
                        rest.0 |= UInt64(buffer[index]) << shift
                    } else {
                        rest.1 ^= UInt64(buffer[index]) << shift
                    }
                }
                absorb(rest.0, rest.1)
            }
        }

        private mutating func absorb(_ a: UInt64, _ b: UInt64) {
            first = Self.fold(first ^ a, b ^ Self.keys.2) &+ b
            second = Self.fold(second ^ b, a ^ Self.keys.3) &+ a
        }

        func finish(_ size: UInt64) -> (UInt64, UInt64) {
            let a = Self.fold(first ^ size, Self.keys.1) ^ second
            let b = Self.fold(second ^ Self.keys.2, (first &+ size) | 1)
            return (Self.fold(a ^ Self.keys.3, b ^ Self.keys.0), Self.fold(b ^ Self.keys.1, a ^ Self.keys.2))
        }

        private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
            let (high, low) = a.multipliedFullWidth(by: b)
            return high ^ low
        }
    }
}
