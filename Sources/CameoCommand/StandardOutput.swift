import Cameo
import Glibc
import Synchronization

/// What became of standard output, of which a process has one.
enum StandardOutput {
    /// The `errno` of the first write that failed; 0 while none has.
    private static let failure = Atomic<Int32>(0)

    /// Keeps the places of the standard streams: where one is closed, the next file that is opened, a picture perhaps,
    /// would get what is written there. To be called before anything is opened.
    static func keepPlaces() {
        for (file, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(file, F_GETFD) < 0 {
            // The wrong way round: using it fails, as it does without.
            _ = open("/dev/null", flags)
        }
    }

    /// Writes all of `bytes`. False once nothing can be written any more: nobody reads, or the device takes no more.
    static func write(_ bytes: [UInt8]) -> Bool {
        if failure.load(ordering: .relaxed) != 0 { return false }
        let code = writeAll(bytes, to: STDOUT_FILENO)
        if code != 0 { note(code) }
        return code == 0
    }

    /// Whether what was to be written is lost. A reader who has gone, as behind `| head`, wanted no more of it.
    static var hasFailed: Bool { ![0, EPIPE].contains(failure.load(ordering: .relaxed)) }

    /// What the process ends with that did its work and would end with `status`: results that are lost are the machine's
    /// fault, and are told. Nothing can be written after this.
    static func end(_ status: ExitStatus) -> ExitStatus {
        // Some file systems tell of a full disk only now.
        if close(STDOUT_FILENO) != 0, ![EBADF, EINTR].contains(errno) { note(errno) }
        guard hasFailed else { return status }
        let reason = String(cString: strerror(failure.load(ordering: .relaxed)))
        Console().message("standard output cannot be written: \(reason)")
        return .environment
    }

    private static func note(_ code: Int32) {
        _ = failure.compareExchange(expected: 0, desired: code, ordering: .relaxed)
    }
}
