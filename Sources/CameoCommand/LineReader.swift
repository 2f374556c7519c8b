import Cameo
import Glibc

/// Reads a file or a pipe line by line, and lets go within a tenth of a second when it is told to stop.
struct LineReader {
    private let file: Int32
    private var buffer: [UInt8] = []
    /// Bytes of `buffer` that were searched for an end of line, without finding one.
    private var searched = 0
    private var isAtEnd = false
    /// The `errno` of what kept the input from being read to its end; nil while nothing did.
    private(set) var failure: Int32?

    /// Longer lines are cut off here, so that no input can make the reader hold more.
    static let limit = 1 << 20

    /// A reader of `file`, which the caller closes.
    init(_ file: Int32) { self.file = file }

    /// The next line without its end; nil at the end of the input, once `isStopped` says so, or after a `failure`.
    mutating func next(isStopped: () -> Bool) -> [UInt8]? {
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                defer { drop(through: end) }
                return Array(buffer[..<end])
            }
            searched = buffer.count
            if buffer.count > Self.limit {
                // The rest of an endless line is passed over, and what is kept is refused as too long.
                buffer.removeLast(buffer.count - Self.limit - 1)
                searched = buffer.count
            }
            if isAtEnd {
                defer { drop(through: buffer.count - 1) }
                return buffer.isEmpty ? nil : buffer
            }
            guard waitForInput(isStopped: isStopped) else { return nil }
            fill()
        }
    }

    private mutating func drop(through end: Int) {
        buffer.removeFirst(end + 1)
        searched = 0
    }

    private func waitForInput(isStopped: () -> Bool) -> Bool {
        while !isStopped() {
            var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let count = poll(&ready, 1, 100)
            // A signal that interrupts the wait brings no input; a read would wait on, and not hear of the stop.
            if count > 0 || (count < 0 && errno != EINTR) { return true }
        }
        return false
    }

    private mutating func fill() {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(file, &chunk, chunk.count)
        if count > 0 {
            buffer += chunk[..<count]
        } else if count == 0 {
            isAtEnd = true
        } else if errno != EINTR, errno != EAGAIN {
            failure = errno
            isAtEnd = true
            // Half a line is none.
            buffer = []
            searched = 0
        }
    }
}
