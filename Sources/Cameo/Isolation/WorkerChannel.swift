import CGlibc
import Glibc

/// One end of the socket between a host and a worker: whole messages, each with a file beside it or without.
struct WorkerChannel {
    /// More than a header and its texts take; a worker that sends more is not believed.
    static let messageLimit = 128 << 10

    let socket: Int32

    /// Two ends that are connected.
    static func pair() throws(RenderError) -> (WorkerChannel, WorkerChannel) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw .environment(reason: "a worker cannot be started: \(errorText(errno))")
        }
        return (WorkerChannel(socket: ends[0]), WorkerChannel(socket: ends[1]))
    }

    /// Whether there is something to read, or an end to notice, within so many milliseconds.
    func waits(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        var left = milliseconds
        let end = MonotonicClock.seconds() + Double(milliseconds) / 1000
        while true {
            let ready = poll(&entry, 1, left)
            if ready >= 0 || errno != EINTR { return ready > 0 }
            left = Int32(max(0, (end - MonotonicClock.seconds()) * 1000))
        }
    }

    /// Sends `message`; false where the other end is gone.
    func send(_ message: some WorkerMessage, file: Int32 = -1) -> Bool {
        var writer = ByteWriter()
        message.write(to: &writer)
        guard writer.bytes.count <= Self.messageLimit else { return false }
        return writer.bytes.withUnsafeBytes { bytes in
            while true {
                let sent = cglibc_send(socket, bytes.baseAddress, bytes.count, file)
                if sent >= 0 || errno != EINTR { return sent == bytes.count }
            }
        }
    }

    /// The next message and its file, -1 for none; nil where the other end is gone or makes no sense.
    func receive<Message: WorkerMessage>(_ type: Message.Type) -> (message: Message, file: Int32)? {
        var file: Int32 = -1
        // Not filled with zeros first: most messages are a hundred times smaller than they may be.
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.messageLimit) { buffer, count in
            var got = 0
            repeat {
                got = cglibc_receive(socket, buffer.baseAddress, buffer.count, &file)
            } while got < 0 && errno == EINTR
            count = max(0, got)
        }
        var reader = ByteReader(bytes)
        guard !bytes.isEmpty, let message = try? Message(from: &reader) else {
            if file >= 0 { close(file) }
            return nil
        }
        return (message, file)
    }
}
