import Glibc

/// What a decoder does that somebody else has taken over, acted out in tests: the sandbox is to stop it.
///
/// There is none of this in a release build.
enum Misbehaviour {
    /// Misbehaves where the tests have asked for it and the source's name says how.
    static func act(on name: String) {
        #if DEBUG
            guard getenv("CAMEO_REHEARSAL") != nil else { return }
            let ways: [(String, () -> Void)] = [
                ("-crash.jpg", { raise(SIGSEGV) }), ("-spin.jpg", spin), ("-eat.jpg", eat),
                ("-exit.jpg", { exit(0) }), ("-escape.jpg", escape),
            ]
            ways.first { name.hasSuffix($0.0) }?.1()
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
            ]
            for (index, attempt) in attempts.enumerated() where attempt() { _exit(Int32(40 + index)) }
        }

        private static func execl() -> Bool {
            var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            return execv("/bin/true", &words) == 0
        }
    #endif
}
