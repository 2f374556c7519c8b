import CGlibc
import Glibc
import Synchronization

/// One worker process, as its host sees it: asked one thing at a time, watched while it answers, ended where it does
/// not.
///
/// `@unchecked Sendable`: whoever has it checked out is the only one to use it.
final class WorkerProcess: @unchecked Sendable {
    /// Why a worker did not answer.
    enum Failure: Error {
        /// It is gone, or answered what makes no sense; in words.
        case crashed(String)
        case timedOut
        case tooLarge
    }

    /// What a worker may take while it answers.
    struct Allowance {
        /// Seconds by the clock on the wall; 0 for any.
        var seconds: Double
        /// Bytes of resident memory.
        var memory: Int
    }

    let process: pid_t
    /// What of the sandbox could not be set up.
    let missing: [String]
    /// How many sources it has opened.
    var opened = 0
    private let channel: WorkerChannel
    /// A page that both processes see: the host raises the flag in it to call a rendering off.
    private let page: UnsafeMutableRawPointer
    private let flag: RenderWatch
    private var isRunning = true

    private static let pageSize = 4096
    /// Milliseconds between two looks at a worker that does not answer yet.
    private static let glance: Int32 = 10
    /// Seconds that a worker may take to start.
    #if CAMEO_SANITIZES
        private static let startLimit = 120.0
    #else
        private static let startLimit = 20.0
    #endif

    /// Starts `executable` as a worker.
    ///
    /// - Throws: `RenderError.environment` where it would not start.
    init(_ executable: FilePath) throws(RenderError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw .environment(reason: "a worker cannot be started: \(errorText(errno))")
        }
        let memory = cglibc_sealed_memory(Self.pageSize)
        // The worker's end is closed before its first word is waited for, or one that ends at once would not be noticed.
        func closeShared() {
            close(ends[1])
            if memory >= 0 { close(memory) }
        }
        let mapped = mmap(nil, Self.pageSize, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        guard memory >= 0, let mapped, mapped != MAP_FAILED else {
            let reason = errorText(errno)
            close(ends[0])
            closeShared()
            throw .environment(reason: "a worker cannot be started: \(reason)")
        }
        page = mapped
        flag = RenderWatch(in: mapped)
        channel = WorkerChannel(socket: ends[0])
        do throws(RenderError) {
            process = try Self.spawn(executable, socket: ends[1], page: memory)
            closeShared()
        } catch {
            closeShared()
            munmap(mapped, Self.pageSize)
            close(ends[0])
            throw error
        }
        guard Self.waits(for: ends[0], milliseconds: Int32(Self.startLimit * 1000)),
            case .ready(let missing)? = channel.receive(WorkerReply.self)?.message
        else {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
            munmap(mapped, Self.pageSize)
            close(ends[0])
            throw .environment(reason: "\(executable) does not start as a worker")
        }
        self.missing = missing
    }

    deinit { end() }

    /// The file descriptors that a worker finds its socket and its page at.
    static let (socketPlace, pagePlace): (Int32, Int32) = (3, 4)
    /// The word on its command line.
    static let word = "--isolated-worker"
    /// What of the environment it keeps: how to find libraries, and what a sanitizer is told.
    private static let kept = [
        "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "CAMEO_SANITIZER_REPORTS", "CAMEO_REHEARSAL",
    ]

    private static func spawn(_ executable: FilePath, socket: Int32, page: Int32) throws(RenderError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (place, flags) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&actions, place, "/dev/null", flags, 0)
        }
        // Over the highest places first, so that neither is overwritten before it is copied.
        let (high, higher) = (fcntl(socket, F_DUPFD_CLOEXEC, 16), fcntl(page, F_DUPFD_CLOEXEC, 16))
        defer {
            close(high)
            close(higher)
        }
        posix_spawn_file_actions_adddup2(&actions, high, socketPlace)
        posix_spawn_file_actions_adddup2(&actions, higher, pagePlace)
        let environment = kept.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        let copies = { (texts: [String]) -> [UnsafeMutablePointer<CChar>?] in texts.map { strdup($0) } + [nil] }
        var (words, values) = (copies(["cameo", word]), copies(environment))
        defer { (words + values).forEach { free($0) } }
        var process: pid_t = 0
        let status = executable.withCString { posix_spawn(&process, $0, &actions, nil, &words, &values) }
        guard status == 0 else { throw .environment(reason: "\(executable): \(errorText(status))") }
        return process
    }

    /// Asks, and waits for the answer no longer and with no more memory than `allowance` says. After a failure the
    /// process is ended.
    func ask(
        _ request: WorkerRequest, file: Int32 = -1, allowance: Allowance, watch: RenderWatch? = nil
    ) throws(Failure) -> WorkerReply {
        flag.reset()
        guard isRunning, channel.send(request, file: file) else { throw ended() }
        let start = LatencyClock.seconds()
        while !Self.waits(for: channel.socket, milliseconds: Self.glance) {
            if watch?.isCancelled == true { flag.cancel() }
            if allowance.seconds > 0, LatencyClock.seconds() - start > allowance.seconds {
                end()
                throw .timedOut
            }
            if residentMemory > allowance.memory {
                end()
                throw .tooLarge
            }
        }
        guard let reply = channel.receive(WorkerReply.self) else { throw ended() }
        if reply.file >= 0 { close(reply.file) }
        return reply.message
    }

    /// Tells the worker that it may forget what is open; false where it is gone.
    func letGo() -> Bool { isRunning && channel.send(WorkerRequest.release) }

    /// Ends the process and waits until it is gone. Harmless when it is.
    func end() {
        guard isRunning else { return }
        kill(process, SIGKILL)
        _ = collect()
    }

    /// Ends a process that made no sense, and says in words how it went.
    func ended() -> Failure {
        guard isRunning else { return .crashed("its process is gone") }
        // One that closed its socket is about to go by itself, and how says more than a kill.
        for _ in 0..<50 {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) != 0 {
                release()
                return .crashed(Self.words(status))
            }
            usleep(2000)
        }
        end()
        return .crashed("it answered what makes no sense")
    }

    private func collect() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        release()
        return status
    }

    private func release() {
        isRunning = false
        close(channel.socket)
        munmap(page, Self.pageSize)
    }

    private static func words(_ status: Int32) -> String {
        let signal = status & 0x7F
        if signal == 0 { return "exit status \(status >> 8 & 0xFF)" }
        return "signal \(signal), \(String(cString: strsignal(signal)))"
    }

    /// Bytes that the process holds in memory now; 0 where that cannot be told.
    var residentMemory: Int {
        let file = Glibc.open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let got = read(file, &bytes, bytes.count)
        let fields = bytes.prefix(max(0, got)).split(separator: 32)
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Whether there is something to read, or an end to notice, within so many milliseconds.
    private static func waits(for socket: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}

extension WorkerProcess.Failure {
    /// What to tell whoever asked for `source`.
    func error(_ source: String, _ limits: Limits, memory: Int) -> RenderError {
        switch self {
        case .crashed(let reason): .crashed(source: source, reason: reason)
        case .timedOut: .timedOut(source: source, seconds: limits.seconds)
        case .tooLarge: .tooLarge(source: source, reason: "decoding it takes more than \(memory >> 20) MiB of memory")
        }
    }
}

/// Seconds of a clock that only goes forwards.
private enum LatencyClock {
    static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
