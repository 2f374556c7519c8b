import CMicroHTTPD
import Dispatch
import Glibc
import Synchronization

/// An HTTP server on 127.0.0.1, over libmicrohttpd: one thread moves bytes, tasks make the answers.
///
/// `@unchecked Sendable`: the daemon is set before anybody else sees the server, and taken by the first `stop`.
final class HTTPServer: @unchecked Sendable {
    typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse
    /// Called as soon as a request's headers are there, by the thread that moves all bytes, so it must not wait for
    /// anything. Nil leaves the answer to a task, which has the body too.
    typealias QuickHandler = @Sendable (HTTPRequest) -> HTTPResponse?

    private struct State {
        var exchanges: [UInt64: HTTPExchange] = [:]
        var lastNumber: UInt64 = 0
        var connections = 0
        /// Sockets on which a request is awaited or coming in, with the time since when, in nanoseconds.
        var awaiting: [Int32: UInt64] = [:]
        var isStopping = false
    }

    /// What one client can take away from the others.
    struct Limits: Sendable {
        /// Connections at once. A browser opens six; the rest is for whoever means harm.
        var connections = 1200
        /// Seconds without a byte after which a connection is closed.
        var idle: UInt32 = 30
        /// Seconds within which a request has to come in.
        var patience = 20.0
        /// The same while over a quarter of the connections are taken.
        var crowdedPatience = 2.0
        /// Bytes of requests' bodies at once: four of the largest.
        var bodies = 32 << 20
    }

    private let handler: Handler
    private let atOnce: QuickHandler
    private let limits: Limits
    private let budget: BodyBudget
    /// Guards who is being answered. Never held while the daemon or the handler is called.
    private let state = Mutex(State())
    private let watcher: HangupWatcher
    private let sweeper: any DispatchSourceTimer
    private var daemon: OpaquePointer?
    /// Where it listens.
    let port: UInt16

    /// A server that answers by `atOnce`, and what that leaves by `handler`, on `port` or, for 0, on any that is free.
    ///
    /// - Throws: `PickerServerError.cannotListen`.
    init(
        port: UInt16, limits: Limits = Limits(), atOnce: @escaping QuickHandler = { _ in nil },
        handler: @escaping Handler
    ) throws(PickerServerError) {
        self.handler = handler
        self.atOnce = atOnce
        self.limits = limits
        budget = BodyBudget(limits.bodies)
        Self.raiseFileLimit()
        let reference = Reference()
        guard let watcher = HangupWatcher({ reference.server?.hangUp($0) }) else {
            throw .cannotListen(port: Int(port), reason: String(cString: strerror(errno)))
        }
        self.watcher = watcher
        sweeper = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "cameo.connections"))
        sweeper.schedule(deadline: .now() + 0.5, repeating: 0.5)
        // A source that was never resumed must not be released, not even where there is no daemon.
        sweeper.resume()
        errno = 0
        daemon = cmicrohttpd_start(
            port, UInt32(limits.connections), limits.idle, Self.onRequest, Self.onCompleted, Self.onConnection,
            Unmanaged.passUnretained(reference).toOpaque())
        let reason = errno
        self.reference = reference
        self.port = daemon.map { cmicrohttpd_port($0) } ?? 0
        guard daemon != nil else {
            throw .cannotListen(port: Int(port), reason: String(cString: strerror(reason)))
        }
        reference.server = self
        sweeper.setEventHandler { [weak self] in self?.sweep() }
    }

    deinit { stop() }

    /// Answers what is being worked on with a refusal, and closes every connection. Waits for the daemon's thread, and
    /// up to a fifth of a second for those answers to be on their way.
    func stop() {
        sweeper.cancel()
        let exchanges = state.withLock { state in
            state.isStopping = true
            return Array(state.exchanges.values)
        }
        exchanges.forEach { $0.stop() }
        guard let daemon else { return }
        self.daemon = nil
        for _ in 0..<40 where activity > 0 { usleep(5000) }
        MHD_stop_daemon(daemon)
    }

    /// How many exchanges are under way, streams of events among them.
    var activity: Int { state.withLock { $0.exchanges.count } }

    // MARK: What the daemon tells

    /// What daemon and watcher know the server by: they may call before the server is made, and have no part in keeping
    /// it.
    ///
    /// `@unchecked Sendable`: the lock guards the reference.
    private final class Reference: @unchecked Sendable {
        private let lock = Mutex(())
        private weak var kept: HTTPServer?

        var server: HTTPServer? {
            get { lock.withLock { _ in kept } }
            set { lock.withLock { _ in kept = newValue } }
        }
    }

    private let reference: Reference

    private static let onRequest: MHD_AccessHandlerCallback = { context, connection, url, method, _, data, size, slot in
        guard let context, let connection, let slot, let size, let url, let method,
            let server = Unmanaged<Reference>.fromOpaque(context).takeUnretainedValue().server
        else { return .NO }
        guard let known = slot.pointee else {
            guard let exchange = server.begin(connection, String(cString: url), String(cString: method)) else {
                return .NO
            }
            slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            return exchange.begin()
        }
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
        if size.pointee > 0 {
            exchange.take(UnsafeRawBufferPointer(start: data, count: size.pointee))
            size.pointee = 0
            return .YES
        }
        return server.proceed(exchange)
    }

    private static let onCompleted: MHD_RequestCompletedCallback = { context, connection, slot, _ in
        guard let known = slot?.pointee else { return }
        slot?.pointee = nil
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
        exchange.complete()
        guard let context else { return }
        Unmanaged<Reference>.fromOpaque(context).takeUnretainedValue().server?.end(exchange)
    }

    private static let onConnection: MHD_NotifyConnectionCallback = { context, connection, _, what in
        guard let context, let connection else { return }
        let server = Unmanaged<Reference>.fromOpaque(context).takeUnretainedValue().server
        server?.connection(cmicrohttpd_file(connection), isOpen: what.rawValue == 0)
    }

    private func begin(_ connection: OpaquePointer, _ path: String, _ method: String) -> HTTPExchange? {
        let request = HTTPRequest(
            method: method, path: path,
            query: Dictionary(Self.values(.GET_ARGUMENT_KIND, of: connection)) { first, _ in first },
            headers: Self.values(.HEADER_KIND, of: connection).map { ($0.0.lowercased(), $0.1) })
        let answer = atOnce(request)
        return state.withLock { state in
            if state.isStopping { return nil }
            state.lastNumber += 1
            let exchange = HTTPExchange(
                number: state.lastNumber, request: request, answer: answer, connection: connection, watcher: watcher,
                budget: budget)
            state.exchanges[exchange.number] = exchange
            return exchange
        }
    }

    private func proceed(_ exchange: HTTPExchange) -> MHD_Result {
        // Under one lock with `stop`, which would otherwise miss an exchange that is about to sleep.
        let isStopping = state.withLock { state in
            state.awaiting[exchange.file] = nil
            return state.isStopping
        }
        let result = exchange.proceed(handler)
        if isStopping || state.withLock({ $0.isStopping }) { exchange.stop() }
        return result
    }

    private func end(_ exchange: HTTPExchange) {
        state.withLock { state in
            state.exchanges[exchange.number] = nil
            state.awaiting[exchange.file] = DispatchTime.now().uptimeNanoseconds
        }
    }

    private func connection(_ file: Int32, isOpen: Bool) {
        state.withLock { state in
            state.connections += isOpen ? 1 : -1
            state.awaiting[file] = isOpen ? DispatchTime.now().uptimeNanoseconds : nil
        }
    }

    private func hangUp(_ number: UInt64) { state.withLock { $0.exchanges[number] }?.hangUp() }

    /// Closes connections whose request has not come in in time, however busily they trickle; sooner where there are
    /// many of them. The socket cannot have been closed and its number given away: that is told first, behind the
    /// same lock.
    private func sweep() {
        let now = DispatchTime.now().uptimeNanoseconds
        state.withLock { state in
            let isCrowded = state.connections > limits.connections / 4
            let patience = UInt64((isCrowded ? limits.crowdedPatience : limits.patience) * 1e9)
            for (file, since) in state.awaiting where now > since + patience {
                state.awaiting[file] = nil
                shutdown(file, Int32(SHUT_RDWR))
            }
        }
    }

    private static func values(_ kind: MHD_ValueKind, of connection: OpaquePointer) -> [(String, String)] {
        var found: [(String, String)] = []
        withUnsafeMutablePointer(to: &found) { list in
            _ = MHD_get_connection_values(
                connection, kind,
                { list, _, name, value in
                    guard let list, let name else { return .NO }
                    let pairs = list.assumingMemoryBound(to: [(String, String)].self)
                    pairs.pointee.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
                    return .YES
                }, list)
        }
        return found
    }

    /// A process may usually open 1,024 files, fewer than there may be connections.
    private static func raiseFileLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < 4096 else { return }
        limit.rlim_cur = min(4096, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
