import Glibc

/// Writes all of `bytes` to an open file, however often that is interrupted.
///
/// - Returns: 0, or the `errno` of what went wrong; then part of them may have been written.
package func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32 {
    var position = 0
    while position < bytes.count {
        let written = bytes.withUnsafeBytes {
            Glibc.write(file, $0.baseAddress.unsafelyUnwrapped + position, $0.count - position)
        }
        if written > 0 {
            position += written
        } else if errno == EAGAIN {
            // Somebody who shares the file has made it one that does not wait.
            var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
            _ = poll(&ready, 1, -1)
        } else if errno != EINTR {
            return errno
        }
    }
    return 0
}
