import CGlibc
import Glibc

/// A random text that cannot be guessed: 256 bits in hexadecimal.
struct Secret: Sendable {
    let text: String

    /// - Throws: `PickerServerError.noRandomness`.
    init() throws(PickerServerError) {
        var bytes = [UInt8](repeating: 0, count: 32)
        guard getrandom(&bytes, bytes.count, 0) == bytes.count else {
            throw .noRandomness(reason: String(cString: strerror(errno)))
        }
        text = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Whether `other` is the same, in a time that does not tell how much of it is.
    func matches(_ other: String?) -> Bool {
        guard let other else { return false }
        let (own, given) = (Array(text.utf8), Array(other.utf8))
        guard own.count == given.count else { return false }
        return zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
