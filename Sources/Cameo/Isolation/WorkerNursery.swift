import CGlibc
import Glibc
import Synchronization

/// The process that workers are forked from, as the host sees it.
///
/// To load libvips with all its codecs and to start it takes most of the time that a worker needs to be ready. It is done
/// once, in this process, which never sees a picture; each worker is a copy of it and the host's own child.
final class WorkerNursery: Sendable {
    private struct Running {
        let process: pid_t
        let channel: WorkerChannel
    }

    let executable: FilePath
    /// Guards the process, which is asked by one thread at a time.
    private let running = Mutex<Running?>(nil)

    /// The word on its command line.
    static let word = "--isolated-worker"
    /// The file descriptor that it finds its socket at.
    static let socketPlace: Int32 = 3
    /// What of the environment it keeps: how to find libraries, and what a sanitizer is told.
    private static let kept = [
        "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "CAMEO_SANITIZER_REPORTS", "CAMEO_REHEARSAL",
    ]

    init(_ executable: FilePath) { self.executable = executable }

    deinit { end() }

    /// Makes a worker that talks over `socket`.
    ///
    /// - Parameter searchesFaces: Whether it will be asked for faces.
    /// - Returns: The worker's number; the caller has to wait for its end.
    /// - Throws: `RenderError.environment` where none can be made.
    func bear(_ socket: Int32, searchesFaces: Bool) throws(RenderError) -> pid_t {
        let born: Result<pid_t, RenderError> = running.withLock { running in
            do throws(RenderError) {
                let nursery: Running
                if let running { nursery = running } else { nursery = try start() }
                running = nursery
                if let process = Self.ask(nursery, socket, searchesFaces) { return .success(process) }
                Self.end(nursery)
                running = nil
                throw .environment(reason: "a worker cannot be started")
            } catch {
                return .failure(error)
            }
        }
        return try born.get()
    }

    /// Ends the process; the next worker starts another.
    func end() {
        running.withLock { running in
            if let running { Self.end(running) }
            running = nil
        }
    }

    private static func ask(_ nursery: Running, _ socket: Int32, _ searchesFaces: Bool) -> pid_t? {
        guard nursery.channel.send(WorkerBirth.wanted(searchesFaces: searchesFaces), file: socket),
            nursery.channel.waits(milliseconds: Int32(WorkerProcess.startLimit * 1000)),
            case .born(let process)? = nursery.channel.receive(WorkerBirth.self)?.message, process > 0
        else { return nil }
        return pid_t(process)
    }

    private static func end(_ nursery: Running) {
        close(nursery.channel.socket)
        kill(nursery.process, SIGKILL)
        while waitpid(nursery.process, nil, 0) < 0, errno == EINTR {}
    }

    private func start() throws(RenderError) -> Running {
        // A program that was started to be one of these and goes on as itself would start the next, without end.
        if IsolatedWorker.isAsked {
            throw .environment(reason: "this is a worker process, and IsolatedWorker.runIfAsked() was not called")
        }
        let (mine, its) = try WorkerChannel.pair()
        let nursery: Running
        do throws(RenderError) {
            nursery = Running(process: try Self.spawn(executable, socket: its.socket), channel: mine)
            // Before its first word is waited for, or the end of one that ends at once would not be noticed.
            close(its.socket)
        } catch {
            close(mine.socket)
            close(its.socket)
            throw error
        }
        // While it loads: here libvips encodes what workers send.
        _ = Vips.isStarted
        guard mine.waits(milliseconds: Int32(WorkerProcess.startLimit * 1000)),
            case .ready? = mine.receive(WorkerBirth.self)?.message
        else {
            Self.end(nursery)
            throw .environment(
                reason: "\(executable) does not start as a worker: it has to call IsolatedWorker.runIfAsked() first")
        }
        return nursery
    }

    private static func spawn(_ executable: FilePath, socket: Int32) throws(RenderError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (place, flags) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&actions, place, "/dev/null", flags, 0)
        }
        // A copy at another place than the one it is wanted at: copied onto itself it would be closed at the start.
        let high = fcntl(socket, F_DUPFD_CLOEXEC, 16)
        guard high >= 0 else { throw .environment(reason: "a worker cannot be started: \(errorText(errno))") }
        defer { close(high) }
        posix_spawn_file_actions_adddup2(&actions, high, socketPlace)
        let environment = kept.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        let copies = { (texts: [String]) -> [UnsafeMutablePointer<CChar>?] in texts.map { strdup($0) } + [nil] }
        var (words, values) = (copies(["cameo", word]), copies(environment))
        defer { (words + values).forEach { free($0) } }
        var process: pid_t = 0
        let status = executable.withCString { posix_spawn(&process, $0, &actions, nil, &words, &values) }
        guard status == 0 else { throw .environment(reason: "\(executable): \(errorText(status))") }
        return process
    }
}
