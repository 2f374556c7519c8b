#if DEBUG
    import CGlibc
    import Glibc

    extension Misbehaviour {
        /// How many ways out are tried.
        static let attempts = 11
        /// The status that an attempt ends the process with where it was possible: the program that took its place has 0.
        static func status(ofAttempt number: Int) -> Int32 { number == 4 ? 0 : Int32(40 + number) }

        /// Tries those of `numbers`; ends with a status that tells the first that was possible, returns where none was.
        static func escape(_ name: String, _ numbers: Range<Int>) {
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
    }
#endif
