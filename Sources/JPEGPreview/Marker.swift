import Glibc

/// A marker in a JPEG: a byte of ones, or several, and one that is neither that nor zero (ITU-T T.81, B.1.1.2).
struct Marker {
    /// The byte that tells which one it is.
    let code: UInt8
    /// Where its first byte of ones stands.
    let start: Int
    /// Where what follows it begins.
    let end: Int
    /// Bytes between the place where it was looked for and its start; entropy-coded data among them.
    let skipped: Int

    /// Finds the first marker at or behind `position`; nil where the bytes end before one.
    ///
    /// - Parameter bytes: Readable from 0 to `end`.
    /// - Complexity: O(bytes passed over), as fast as the C library looks for a byte.
    init?(after position: Int, in bytes: UnsafePointer<UInt8>, end: Int) {
        var index = position
        while index < end - 1 {
            if bytes[index] != 0xFF {
                guard let place = memchr(bytes + index, 0xFF, end - 1 - index) else { return nil }
                index = UnsafeRawPointer(place) - UnsafeRawPointer(bytes)
                continue
            }
            var next = index + 1
            while next < end, bytes[next] == 0xFF { next += 1 }
            guard next < end else { return nil }
            if bytes[next] != 0 {
                (code, start, self.end, skipped) = (bytes[next], index, next + 1, index - position)
                return
            }
            index = next + 1
        }
        return nil
    }
}
