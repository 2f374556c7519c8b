import CMicroHTTPD
import Synchronization

/// Server-sent events on their way to one client. Whoever sends never waits.
final class EventStream: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isClosed = false
        /// The connection, while it sleeps for want of anything to send.
        var sleeping: Connection?
    }

    /// Only ever resumed, by whoever takes it out of the state.
    private struct Connection: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Guards what is not sent yet.
    private let state = Mutex(State())

    /// A client that reads so little that this much waits for it is closed; it will connect again and ask anew.
    private static let limit = 1 << 20

    /// Sends an event; its data is one line.
    func send(_ event: String, _ data: String) { append(Array("event: \(event)\ndata: \(data)\n\n".utf8)) }

    /// A comment, which proves to both sides and to a tunnel between them that the connection lives.
    func beat() { append(Array(": \n\n".utf8)) }

    /// Ends the stream once what waits is sent.
    func close() {
        state.withLock { state in
            state.isClosed = true
            Self.wake(&state)
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    private func append(_ bytes: [UInt8]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.waiting += bytes
            if state.waiting.count > Self.limit { state.isClosed = true }
            Self.wake(&state)
        }
    }

    private static func wake(_ state: inout State) {
        guard let connection = state.sleeping else { return }
        state.sleeping = nil
        MHD_resume_connection(connection.pointer)
    }

    /// Fills `buffer` with what waits, or lets the connection sleep. Called by the daemon's thread.
    func read(into buffer: UnsafeMutableRawBufferPointer, connection: OpaquePointer) -> Int {
        let connection = Connection(pointer: connection)
        return state.withLock { state in
            let count = min(buffer.count, state.waiting.count)
            if count > 0 {
                buffer.copyBytes(from: state.waiting.prefix(count))
                state.waiting.removeFirst(count)
                return count
            }
            if state.isClosed { return cmicrohttpd_end_of_stream }
            state.sleeping = connection
            MHD_suspend_connection(connection.pointer)
            return 0
        }
    }
}
