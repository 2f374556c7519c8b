import Cameo
import Glibc

/// The folder that inputs are read from, where one was given: whatever way leads out of it is not taken.
struct InputRoot {
    let folder: FilePath

    /// Linux's O_PATH, which names a file and opens nothing.
    private static let place: Int32 = 0o10_000_000

    /// Whether what `path` leads to now lies in the folder.
    func holds(_ path: FilePath) -> Bool {
        guard let real = path.real, let root = folder.real else { return false }
        return real.lies(in: root)
    }

    /// Whether the file that was read and then had `stamp` is the one that `path` leads to now, and lies in the folder.
    ///
    /// It is asked once more after reading: between `holds` and the opening, a link on the way may have been given another
    /// target. The file is held while it is looked at, so that its place and its stamp are of one and the same.
    func holds(_ path: FilePath, read stamp: ContentStamp?) -> Bool {
        let file = path.withCString { open($0, Self.place | O_CLOEXEC) }
        guard file >= 0, let root = folder.real else { return false }
        defer { close(file) }
        let name = FilePath("/proc/self/fd/\(file)")
        guard let stamp, let now = ContentStamp(path: name), now.matches(stamp) else { return false }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = name.withCString { readlink($0, &target, target.count) }
        let real = FilePath(bytes: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) })
        return real.lies(in: root)
    }
}
