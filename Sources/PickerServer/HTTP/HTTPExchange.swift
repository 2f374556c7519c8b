import CMicroHTTPD
import Synchronization

/// One request and its answer. The connection sleeps while the answer is made, so that no thread waits for it.
///
/// `@unchecked Sendable`: the connection is touched by the daemon's thread, and by others only to resume it, with the
/// lock held and while the phase is `working`, in which the daemon does not touch it.
final class HTTPExchange: @unchecked Sendable {
    private enum Phase {
        case receiving, working, answered
    }

    private struct State {
        var phase = Phase.receiving
        var request: HTTPRequest
        /// The answer, once there is one. What comes of the body behind it is dropped.
        var response: HTTPResponse?
        var task: Task<Void, Never>?
    }

    /// Tells the exchanges of a server apart; not 0.
    let number: UInt64
    let file: Int32
    private let connection: OpaquePointer
    private let watcher: HangupWatcher
    private let budget: BodyBudget
    /// Guards the phase and what belongs to it.
    private let state: Mutex<State>

    /// The most bytes of a request's body: a selection of all of a large library.
    private static let bodyLimit = 8 << 20

    /// An exchange whose request's headers are there, with the answer if they suffice for one.
    init(
        number: UInt64, request: HTTPRequest, answer: HTTPResponse?, connection: OpaquePointer, watcher: HangupWatcher,
        budget: BodyBudget
    ) {
        self.number = number
        self.connection = connection
        self.watcher = watcher
        self.budget = budget
        file = cmicrohttpd_file(connection)
        state = Mutex(State(request: request, response: answer))
    }

    /// Goes on where the headers are there: an answer that needs no more is queued before the body is read, where the
    /// daemon can do so. Of other methods' requests it reads the body first, which `take` drops.
    func begin() -> MHD_Result {
        let early = state.withLock { state -> HTTPResponse? in
            guard ["POST", "PUT"].contains(state.request.method), let response = state.response else { return nil }
            state.phase = .answered
            return response
        }
        return early.map { queue($0) } ?? .YES
    }

    /// Takes a part of the request's body, unless it is answered without.
    func take(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard state.response == nil else { return }
            if state.request.body.count + bytes.count > Self.bodyLimit {
                drop(&state, .text(413, "the request is too large"))
            } else if !budget.take(bytes.count) {
                drop(&state, .text(503, "too much is sent at once"))
            } else {
                state.request.body += bytes
            }
        }
    }

    /// Frees the body's memory.
    private func drop(_ state: inout State, _ response: HTTPResponse? = nil) {
        budget.giveBack(state.request.body.count)
        state.request.body = []
        if let response { state.response = response }
    }

    /// Goes on where the request is in whole: begins to work on it, or queues the answer that was made. Called by the
    /// daemon's thread, once at the beginning and once after each resume.
    func proceed(_ handler: @escaping HTTPServer.Handler) -> MHD_Result {
        let made = state.withLock { state -> HTTPResponse? in
            if let response = state.response {
                state.phase = .answered
                return response
            }
            guard state.phase == .receiving else { return nil }
            state.phase = .working
            MHD_suspend_connection(connection)
            // All of this under the lock: whoever calls the exchange off from now on finds the task.
            watcher.watch(file, number)
            let request = state.request
            state.task = Task { [self] in self.answer(await handler(request)) }
            return nil
        }
        return made.map { queue($0) } ?? .YES
    }

    /// Wakes the connection to take an answer; what comes later is not heard.
    func answer(_ response: HTTPResponse) {
        state.withLock { state in
            guard state.phase == .working else { return }
            state.phase = .answered
            state.response = response
            state.task = nil
            watcher.unwatch(file)
            MHD_resume_connection(connection)
        }
    }

    /// The client has gone: nobody wants the answer.
    func hangUp() { callOff(.text(499, "the client has gone")) }

    /// Ends the exchange because the server does.
    func stop() { callOff(.text(503, "the picker is closing")) }

    /// The daemon is done with the exchange.
    func complete() {
        watcher.unwatch(file)
        callOff(nil)
        state.withLock { drop(&$0) }
    }

    /// Calls the work off and answers in its place.
    private func callOff(_ response: HTTPResponse?) {
        let (task, stream) = state.withLock { state -> (Task<Void, Never>?, EventStream?) in
            if case .events(let stream)? = state.response?.body { return (nil, stream) }
            return (state.task, nil)
        }
        if let response { answer(response) }
        stream?.close()
        task?.cancel()
    }

    private func queue(_ response: HTTPResponse) -> MHD_Result {
        let made: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            made = bytes.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .events(let stream):
            watcher.watch(file, number)
            made = EventReader(stream, connection).response()
        }
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        for header in response.headers { MHD_add_response_header(made, header.name, header.value) }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }
}
