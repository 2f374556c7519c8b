import Foundation

/// A file system that is soon full. Only root can have one.
struct SmallDisk {
    let path: String

    /// Mounts it; nil, with a word, where that is not possible.
    init?(at url: URL, kilobytes: Int) throws {
        path = url.path
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        guard Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path]) else {
            print("skipped: no file system can be mounted here")
            return nil
        }
    }

    /// Whether one can be mounted here, as found out once.
    static let isPossible: Bool = {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("cameo-disk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        guard let disk = try? SmallDisk(at: url, kilobytes: 64) else { return false }
        disk.unmount()
        return true
    }()

    /// From now on nothing can be written there.
    func makeReadOnly() -> Bool { Self.run("/bin/mount", ["-o", "remount,ro", path]) }

    func unmount() { _ = Self.run("/bin/umount", [path]) }

    private static func run(_ command: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
