import CGlibc
import Glibc

/// One end of the socket between a host and a worker: whole messages, each with a file beside it or without.
struct WorkerChannel {
    /// More than a header and its texts take; a worker that sends more is not believed.
    static let messageLimit = 128 << 10
    /// What a host says may be longer, as where hundreds of renditions are asked for: it lies in memory then.
    private static let longLimit = 64 << 20
    /// What stands before the length of what lies in memory, and begins no message.
    private static let long = -1

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

    /// Sends `message`; false where the other end is gone, or where it `isTooLong`.
    func send(_ message: some WorkerMessage, file: Int32 = -1) -> Bool {
        let bytes = message.bytes
        if bytes.count <= Self.messageLimit { return send(bytes, file) }
        guard !Self.isTooLong(message, file: file) else { return false }
        let memory = cglibc_sealed_memory(bytes.count)
        defer { if memory >= 0 { close(memory) } }
        guard memory >= 0, SharedPixels.write(bytes, to: memory, at: 0) else { return false }
        var writer = ByteWriter()
        writer.write(Self.long)
        writer.write(bytes.count)
        return send(writer.bytes, memory)
    }

    /// Whether `message` cannot be sent: one that has a file beside it has no place for another.
    static func isTooLong(_ message: some WorkerMessage, file: Int32) -> Bool {
        message.bytes.count > (file >= 0 ? messageLimit : longLimit)
    }

    private func send(_ bytes: [UInt8], _ file: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            while true {
                let sent = cglibc_send(socket, bytes.baseAddress, bytes.count, file)
                if sent >= 0 || errno != EINTR { return sent == bytes.count }
            }
        }
    }

    /// The next message and its file, -1 for none; nil where the other end is gone or makes no sense.
    ///
    /// - Parameter trusts: Whether the other end may send what is longer than a message, and what lies in a file of its own.
    func receive<Message: WorkerMessage>(
        _ type: Message.Type, trusts: Bool = false
    ) -> (message: Message, file: Int32)? {
        var file: Int32 = -1
        // Not filled with zeros first: most messages are a hundred times smaller than they may be.
        var bytes = [UInt8](unsafeUninitializedCapacity: Self.messageLimit) { buffer, count in
            var got = 0
            repeat {
                got = cglibc_receive(socket, buffer.baseAddress, buffer.count, &file)
            } while got < 0 && errno == EINTR
            count = max(0, got)
        }
        if trusts, file >= 0, let count = Self.longCount(bytes) {
            bytes = SharedPixels.read(count, from: file, at: 0) ?? []
            close(file)
            file = -1
        }
        var reader = ByteReader(bytes)
        guard !bytes.isEmpty, let message = try? Message(from: &reader) else {
            if file >= 0 { close(file) }
            return nil
        }
        return (message, file)
    }

    /// How long the message is that lies in memory, where that is what `bytes` say.
    private static func longCount(_ bytes: [UInt8]) -> Int? {
        var reader = ByteReader(bytes)
        guard let first = try? reader.number(), first == long else { return nil }
        return try? reader.count(upTo: longLimit)
    }
}
