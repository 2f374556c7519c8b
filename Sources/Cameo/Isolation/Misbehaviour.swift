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
                ("-exit.jpg", { exit(0) }), ("-escape.jpg", escape),
                ("-blame.jpg", { () throws(RenderError) in throw .environment(reason: "the disk is full") }),
                ("-leave.jpg", { () throws(RenderError) in throw .cancelled(source: name) }),
            ]
            try ways.first { name.hasSuffix($0.0) }?.1()
        #endif
    }

    #if DEBUG
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

        /// Ends with a status that tells the first thing that was possible; returns where nothing was.
        private static func escape() {
            let attempts: [() -> Bool] = [
                { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 },
                { open("/etc/passwd", O_RDONLY) >= 0 },
                { open("/tmp/cameo-escaped", O_WRONLY | O_CREAT, 0o600) >= 0 },
                { fork() >= 0 },
                { execl() },
                { kill(getppid(), 0) == 0 },
                {
                    mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                        != MAP_FAILED
                },
                { unlink("/tmp/cameo-escaped") == 0 },
                // A limit, from an address whose low half is zero.
                {
                    let page = mmap(
                        UnsafeMutableRawPointer(bitPattern: 1 << 32), 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                    guard let page, UInt(bitPattern: page) & 0xFFFF_FFFF == 0 else { return false }
                    page.storeBytes(of: rlimit(rlim_cur: .max, rlim_max: .max), as: rlimit.self)
                    return cglibc_limit(0, page.assumingMemoryBound(to: rlimit.self)) == 0
                },
                // Somebody else's limit.
                { cglibc_limit(1, nil) == 0 },
                // Who is sent a signal when something can be read.
                { (0..<64).contains { fcntl($0, F_SETOWN, 1) == 0 || fcntl($0, F_SETFL, O_ASYNC) == 0 } },
            ]
            for (index, attempt) in attempts.enumerated() where attempt() { _exit(Int32(40 + index)) }
        }

        private static func execl() -> Bool {
            var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            return execv("/bin/true", &words) == 0
        }
    #endif
}
