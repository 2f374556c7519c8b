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
        /// It held more than so many bytes of memory.
        case tooLarge(Int)
        /// What is asked does not fit into a message. The process is not ended.
        case unsayable
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
    /// The version of what finds faces there; nil for none.
    let detector: String?
    /// How many sources it has opened.
    var opened = 0
    /// Bytes of memory that it held before its first picture.
    private let firstMemory: Int
    /// How much it might hold for the last question.
    private var lastAllowance = 0
    private let rounds: WorkerRounds?
    private let channel: WorkerChannel
    /// A page that both processes see: the host raises the flag in it to call a rendering off.
    private let page: UnsafeMutableRawPointer
    private let flag: RenderWatch
    private var isRunning = true
    /// Why it was ended, where it was for a failure.
    private var failure: Failure?
    /// What it was last told to make.
    private var settings = WorkerSettings()

    static let pageSize = 4096
    /// Bytes that one that has let go of its picture may hold above what it held before the first: what codecs keep.
    private static let keptMemory = 96 << 20
    /// Milliseconds between two looks at a worker that does not answer yet.
    private static let glance: Int32 = 10
    /// Seconds that one may take to let go of a picture, where the next one waits for that.
    private static let releaseLimit: Double = startLimit / 20
    /// Seconds that a worker may take to start.
    static let startLimit: Double = {
        #if CAMEO_SANITIZES
            120
        #else
            20
        #endif
    }()

    /// Has `nursery` make a worker, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - searchesFaces: Whether it will be asked for faces.
    ///   - rounds: What looks at it while nobody asks it.
    /// - Throws: `RenderError.environment` where it would not start.
    init(
        _ nursery: WorkerNursery, searchesFaces: Bool = false, rounds: WorkerRounds? = nil
    ) throws(RenderError) {
        let memory = cglibc_sealed_memory(Self.pageSize)
        defer { if memory >= 0 { close(memory) } }
        let mapped = mmap(nil, Self.pageSize, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        guard memory >= 0, let mapped, mapped != MAP_FAILED else {
            throw .environment(reason: "a worker cannot be started: \(errorText(errno))")
        }
        page = mapped
        flag = RenderWatch(in: mapped)
        let mine: WorkerChannel
        do throws(RenderError) {
            (process, mine) = try Self.born(of: nursery, searchesFaces)
        } catch {
            munmap(mapped, Self.pageSize)
            throw error
        }
        channel = mine
        guard mine.send(WorkerRequest.begin, file: memory), mine.waits(milliseconds: Int32(Self.startLimit * 1000)),
            case .ready(let missing, let detector)? = mine.receive(WorkerReply.self)?.message
        else {
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            munmap(mapped, Self.pageSize)
            close(mine.socket)
            throw .environment(reason: "a worker was not ready within \(Int(Self.startLimit)) s")
        }
        self.missing = missing
        self.detector = detector
        self.rounds = rounds
        firstMemory = Self.residentMemory(of: process)
    }

    deinit { end() }

    private static func born(
        of nursery: WorkerNursery, _ searchesFaces: Bool
    ) throws(RenderError) -> (pid_t, WorkerChannel) {
        var failure = RenderError.environment(reason: "a worker cannot be started")
        // A nursery that somebody has ended is replaced, once. It may have made a worker just before: so it is another
        // socket that the next one is given.
        for _ in 0..<2 {
            let (mine, its) = try WorkerChannel.pair()
            // Before the worker's first word is waited for, or the end of one that ends at once would not be noticed.
            defer { close(its.socket) }
            do throws(RenderError) {
                return (try nursery.bear(its.socket, searchesFaces: searchesFaces), mine)
            } catch {
                failure = error
                close(mine.socket)
            }
        }
        throw failure
    }

    /// Asks, having told what is to be made where that is new, and waits for the answer no longer and with no more memory
    /// than `allowance` says. After a failure the process is ended.
    func ask(
        _ request: WorkerRequest, _ settings: WorkerSettings?, file: Int32 = -1, allowance: Allowance,
        watch: RenderWatch? = nil
    ) throws(Failure) -> WorkerReply {
        guard isRunning else { throw ended() }
        if rounds?.end(process) == true { throw end(.tooLarge(lastAllowance)) }
        defer { if isRunning { rounds?.begin(process, most: allowance.memory) } }
        lastAllowance = allowance.memory
        flag.reset()
        // An answer to what was not asked yet would be taken for the next picture's.
        if channel.waits(milliseconds: 0) { throw ended() }
        if let settings, settings != self.settings {
            let told = WorkerRequest.settings(settings)
            guard channel.send(told) else { throw WorkerChannel.isTooLong(told, file: -1) ? .unsayable : ended() }
            self.settings = settings
        }
        guard channel.send(request, file: file) else {
            throw WorkerChannel.isTooLong(request, file: file) ? .unsayable : ended()
        }
        let start = MonotonicClock.seconds()
        while !channel.waits(milliseconds: Self.glance) {
            if watch?.isCancelled == true { flag.cancel() }
            if allowance.seconds > 0, MonotonicClock.seconds() - start > allowance.seconds {
                throw end(.timedOut)
            }
            if Self.residentMemory(of: process) > allowance.memory { throw end(.tooLarge(allowance.memory)) }
        }
        guard let reply = channel.receive(WorkerReply.self) else { throw ended() }
        if reply.file >= 0 { close(reply.file) }
        return reply.message
    }

    /// Tells the worker that it may forget what is open; false where it is gone.
    func letGo() -> Bool {
        guard isReady, rounds?.end(process) != true, channel.send(WorkerRequest.release) else { return false }
        rounds?.begin(process, most: max(lastAllowance, mostWhenIdle), later: mostWhenIdle)
        return true
    }

    /// Whether it may be given another picture: it waits to be asked, and holds little of the one before.
    var isFit: Bool {
        guard isReady, rounds?.end(process) != true else { return false }
        if Self.residentMemory(of: process) <= mostWhenIdle { return true }
        // It may not have come to letting go yet: an answer to anything says that it has.
        let allowance = Allowance(seconds: Self.releaseLimit, memory: max(lastAllowance, mostWhenIdle))
        guard (try? ask(.digest, nil, allowance: allowance)) != nil else { return false }
        rounds?.end(process)
        return Self.residentMemory(of: process) <= mostWhenIdle
    }

    private var mostWhenIdle: Int { firstMemory + Self.keptMemory }

    /// Whether it waits to be asked: it is there, and has said nothing of its own accord.
    var isReady: Bool { isRunning && !channel.waits(milliseconds: 0) }

    /// Ends the process and waits until it is gone. Harmless when it is.
    func end() {
        guard isRunning else { return }
        rounds?.end(process)
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        release()
    }

    /// Ends the process for a failure, which is what it says of itself from then on.
    func end(_ failure: Failure) -> Failure {
        end()
        self.failure = self.failure ?? failure
        return self.failure ?? failure
    }

    /// Ends a process that made no sense, and says in words how it went; of one that is gone, why it went.
    func ended() -> Failure {
        guard isRunning else { return failure ?? .crashed("its process is gone") }
        rounds?.end(process)
        // One that closed its socket is about to go by itself, and how says more than a kill.
        for _ in 0..<50 {
            var status: Int32 = 0
            let ended = waitpid(process, &status, WNOHANG)
            if ended != 0 {
                release()
                // A host that ignores its children's ends is not told how they were.
                return end(.crashed(ended < 0 ? "its process is gone" : Self.words(status)))
            }
            usleep(2000)
        }
        return end(.crashed("it answered what makes no sense"))
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

    /// Bytes that a process holds in memory now; 0 where that cannot be told.
    static func residentMemory(of process: pid_t) -> Int {
        let fields = told(of: process, "statm").split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Whether this process started `process`, and nobody has waited for it.
    static func isChild(_ process: pid_t) -> Bool {
        // A name in parentheses comes first, and may hold anything.
        let fields = told(of: process, "stat").split(separator: UInt8(ascii: ")")).last?
            .split(separator: UInt8(ascii: " "))
        guard let fields, fields.count > 1 else { return false }
        return String(decoding: fields[1], as: UTF8.self) == String(getpid())
    }

    /// How one of the files begins that tell of a process (proc(5)).
    private static func told(of process: pid_t, _ name: String) -> ArraySlice<UInt8> {
        let file = Glibc.open("/proc/\(process)/\(name)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        return bytes.prefix(max(0, count))
    }
}

extension WorkerProcess.Failure {
    /// What to tell whoever asked for `source`.
    func error(_ source: String, _ limits: Limits) -> RenderError {
        switch self {
        case .crashed(let reason): .crashed(source: source, reason: reason)
        case .timedOut: .timedOut(source: source, seconds: limits.seconds)
        case .tooLarge(let memory):
            .tooLarge(source: source, reason: "decoding it takes more than \(memory >> 20) MiB of memory")
        case .unsayable:
            .tooLarge(
                source: String(source.prefix(1000)), reason: "a worker process cannot be told so much at once")
        }
    }
}
