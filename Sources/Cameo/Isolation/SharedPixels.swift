import Glibc

/// Reading and writing memory that has a file descriptor, at places of its own.
enum SharedPixels {
    /// Writes all of `bytes`; false where there is no room.
    static func write(_ bytes: [UInt8], to file: Int32, at place: Int) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let wrote = pwrite(file, buffer.baseAddress.unsafelyUnwrapped + done, buffer.count - done, place + done)
                if wrote > 0 { done += wrote } else if wrote == 0 || errno != EINTR { return false }
            }
            return true
        }
    }

    /// Reads `count` bytes; nil where there are not so many.
    static func read(_ count: Int, from file: Int32, at place: Int) -> [UInt8]? {
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let got = pread(file, buffer.baseAddress.unsafelyUnwrapped + filled, count - filled, place + filled)
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    isWhole = false
                    return
                }
            }
        }
        return isWhole ? bytes : nil
    }
}
