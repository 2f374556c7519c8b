import CGlibc
import Glibc

/// What a decoder does that somebody else has taken over, acted out in tests: the sandbox is to stop it.
///
/// There is none of this in a release build.
enum Misbehaviour {
    /// Misbehaves where the tests have asked for it and the source's name says how.
    static func act(on name: String) throws(RenderError) {
        #if DEBUG
            guard getenv("CAMEO_REHEARSAL") != nil else { return }
            let ways: [(String, () throws(RenderError) -> Void)] = [
                ("-crash.jpg", { raise(SIGSEGV) }), ("-spin.jpg", spin), ("-eat.jpg", eat),
                ("-exit.jpg", { exit(0) }), ("-escape.jpg", { escape(name, 0..<attempts) }),
                ("-blame.jpg", { () throws(RenderError) in throw .environment(reason: "the disk is full") }),
                ("-leave.jpg", { () throws(RenderError) in throw .cancelled(source: name) }),
            ]
            try ways.first { name.hasSuffix($0.0) }?.1()
            if let one = (0..<attempts).first(where: { name.hasSuffix("-escape\($0).jpg") }) {
                escape(name, one..<one + 1)
            }
        #endif
    }

    /// Whether this worker is to go without its sandbox, so that tests see what it keeps from happening: those that are
    /// started under this name.
    static var goesWithoutSandbox: Bool {
        #if DEBUG
            guard getenv("CAMEO_REHEARSAL") != nil else { return false }
            let file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return false }
            defer { close(file) }
            return FileWindow.read(file, at: 0, 16) == Array("\(nameWithoutSandbox)\n".utf8)
        #else
            return false
        #endif
    }

    #if DEBUG
        static let nameWithoutSandbox = "unboxed"
        /// How many ways out are tried.
        static let attempts = 11
        /// The status that an attempt ends the process with where it was possible: the program that took its place has 0.
        static func status(ofAttempt number: Int) -> Int32 { number == 4 ? 0 : Int32(40 + number) }

        private static func spin() {
            while true {}
        }

        private static func eat() {
            var held: [UnsafeMutableRawPointer] = []
            while let block = malloc(16 << 20) {
                memset(block, 7, 16 << 20)
                held.append(block)
            }
        }

        /// Tries those of `numbers`; ends with a status that tells the first that was possible, returns where none was.
        private static func escape(_ name: String, _ numbers: Range<Int>) {
            let beside = name + ".escaped"
            let ways: [() -> Bool] = [
                { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 },
                { open("/etc/passwd", O_RDONLY) >= 0 },
                { open(beside, O_WRONLY | O_CREAT, 0o600) >= 0 },
                { fork() >= 0 },
                { execl() },
                { kill(getppid(), 0) == 0 },
                {
                    mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                        != MAP_FAILED
                },
                { unlink(beside) == 0 },
                { (32..<47).contains { setLimit(fromPlace: 1 << $0) } },
                // Somebody else's limit.
                { cglibc_limit(getppid(), nil) == 0 },
                // Who is sent a signal when something can be read.
                { (0..<64).contains { fcntl($0, F_SETOWN, 1) == 0 || fcntl($0, F_SETFL, O_ASYNC) == 0 } },
            ]
            for number in numbers where ways[number]() { _exit(status(ofAttempt: number)) }
        }

        /// Sets a limit that is told from an address whose low half is zero.
        private static func setLimit(fromPlace place: UInt) -> Bool {
            let page = mmap(
                UnsafeMutableRawPointer(bitPattern: place), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0)
            guard let page, UInt(bitPattern: page) & 0xFFFF_FFFF == 0 else { return false }
            page.storeBytes(of: rlimit(rlim_cur: .max, rlim_max: .max), as: rlimit.self)
            return cglibc_limit(0, page.assumingMemoryBound(to: rlimit.self)) == 0
        }

        private static func execl() -> Bool {
            var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            return execv("/bin/true", &words) == 0
        }
    #endif
}
