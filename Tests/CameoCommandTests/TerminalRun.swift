import Foundation

/// The built command with a terminal before it, as somebody sees it who types.
struct TerminalRun {
    let status: Int32
    /// All that reached the terminal, with the line ends that it makes.
    let shown: String

    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, which are too complex for Swift to import.
    private static let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))

    /// The two ends of a new terminal. Once nobody has the slave any more, reading the master fails.
    static func terminal() throws -> (master: Int32, slave: Int32) {
        // What posix_openpt and its like do, which the C library shows to programs that are not GNU's on request alone.
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number): (Int32, UInt32) = (0, 0)
        guard ioctl(master, setLock, &locked) == 0, ioctl(master, getNumber, &number) == 0 else {
            close(master)
            throw CocoaError(.fileReadUnknown)
        }
        return (master, open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
    }

    /// Runs it with both standard output and standard error on the terminal, or with standard output alone there.
    init(_ arguments: [String], folder: URL? = nil, errorsToo: Bool = true) throws {
        let (master, slave) = try Self.terminal()
        defer { close(master) }
        let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        let process = CommandRun.process(arguments, folder: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = terminal
        process.standardError = errorsToo ? terminal : FileHandle.nullDevice
        try process.run()
        close(slave)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(master, &chunk, chunk.count)
            if count <= 0 { break }
            bytes += chunk[..<count]
        }
        process.waitUntilExit()
        status = process.terminationStatus
        shown = String(decoding: bytes, as: UTF8.self)
    }
}
