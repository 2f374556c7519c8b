import Glibc
import Synchronization

/// Files that are either there as a whole or not there at all, whatever happens meanwhile.
public enum WholeFile {
    private static let counter = Atomic<UInt64>(0)
    private static let temporaryPrefix = ".cameo-"
    private static let temporarySuffix = ".tmp"

    /// Writes `bytes` to `path`, in place of what is there. A link at `path` is replaced, not followed.
    ///
    /// The bytes go into a file without a name where the file system has those, so that even a killed process leaves
    /// nothing; elsewhere into one beside the final name.
    public static func write(_ bytes: [UInt8], to path: FilePath) throws(OutputError) {
        let folder = path.parent.bytes.isEmpty ? FilePath(".") : path.parent
        let nameless = folder.withCString { open($0, openTemporary | O_WRONLY | O_CLOEXEC, 0o666) }
        if nameless >= 0 {
            defer { close(nameless) }
            try fill(nameless, bytes, path)
            if try publish(nameless, as: path) { return }
        }
        let temporary = temporaryPath(beside: path)
        let file = temporary.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666) }
        guard file >= 0 else { throw OutputError(path, errno) }
        do throws(OutputError) {
            try fill(file, bytes, path)
            guard close(file) == 0 else { throw OutputError(path, errno) }
            try rename(temporary, to: path)
        } catch {
            _ = temporary.withCString { unlink($0) }
            throw error
        }
    }

    /// Makes `path` and the folders above it.
    public static func makeFolder(_ path: FilePath) throws(OutputError) { try makeFolder(path, mode: 0o777) }

    /// The same with rights of their own for folders that are made, from which the process's mask takes away.
    static func makeFolder(_ path: FilePath, mode: mode_t) throws(OutputError) {
        if path.bytes.isEmpty { return }
        var status = stat()
        if path.withCString({ stat($0, &status) }) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return }
            throw OutputError(path, ENOTDIR)
        }
        if path.parent != path { try makeFolder(path.parent, mode: mode) }
        guard path.withCString({ mkdir($0, mode) }) == 0 || errno == EEXIST else { throw OutputError(path, errno) }
    }

    /// Makes `path`, which begins with `folder`, and the folders between them. `folder` itself is not made again where
    /// it is gone, and a link between them is not followed: what is written stays in `folder`.
    public static func makeFolder(_ path: FilePath, in folder: FilePath) throws(OutputError) {
        if path.bytes.count <= folder.bytes.count { return }
        var status = stat()
        if path.withCString({ lstat($0, &status) }) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw OutputError(path, ENOTDIR) }
            return try makeFolder(path.parent, in: folder)
        }
        try makeFolder(path.parent, in: folder)
        guard path.withCString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else { throw OutputError(path, errno) }
    }

    /// Makes `folder` if need be, and finds out whether anything can be written there.
    public static func checkFolder(_ folder: FilePath) throws(OutputError) {
        try makeFolder(folder)
        let probe = temporaryPath(beside: folder.appending("probe"))
        try write([], to: probe)
        _ = probe.withCString { unlink($0) }
    }

    /// Removes what killed processes left in `folder` itself: temporary files whose writer is gone. Those of other
    /// machines and containers, which may share the folder, are theirs.
    ///
    /// - Complexity: O(names in the folder).
    public static func removeLeftovers(in folder: FilePath) {
        for name in FolderReader.names(in: folder) ?? [] {
            let text = name.description
            guard text.hasPrefix(temporaryPrefix), text.hasSuffix(temporarySuffix) else { continue }
            let parts = text.dropFirst(temporaryPrefix.count).split(separator: "-")
            guard parts.count == 3, parts[1] == machine, let writer = Int32(parts[0]), kill(writer, 0) != 0,
                errno == ESRCH
            else { continue }
            _ = folder.appending(name).withCString { unlink($0) }
        }
    }

    /// Linux's O_TMPFILE, whose definition is too complex a macro for Swift to import.
    private static let openTemporary = O_DIRECTORY | 0o20000000

    /// Tells this machine's processes, which have numbers of their own, from those of another; and so those of one
    /// container from another's, which may share the machine's name and the folder.
    static let machine: String = {
        var names = utsname()
        uname(&names)
        let name = withUnsafeBytes(of: &names.nodename) { Array($0.prefix { $0 != 0 }) }
        var numbers = stat()
        let space = stat("/proc/self/ns/pid", &numbers) == 0 ? String(numbers.st_ino) : ""
        return String(ByteHash.hash(name + [0] + space.utf8), radix: 16)
    }()

    private static func temporaryPath(beside path: FilePath) -> FilePath {
        let number = counter.add(1, ordering: .relaxed).newValue
        return path.parent.appending("\(temporaryPrefix)\(getpid())-\(machine)-\(number)\(temporarySuffix)")
    }

    private static func fill(_ file: Int32, _ bytes: [UInt8], _ path: FilePath) throws(OutputError) {
        let code = writeAll(bytes, to: file)
        if code != 0 { throw OutputError(path, code) }
    }

    /// Gives a nameless file its name; false where the system does not let us.
    private static func publish(_ file: Int32, as path: FilePath) throws(OutputError) -> Bool {
        let source = "/proc/self/fd/\(file)"
        if path.withCString({ linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }) == 0 { return true }
        guard errno == EEXIST else { return false }
        let temporary = temporaryPath(beside: path)
        guard temporary.withCString({ linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }) == 0 else {
            return false
        }
        do throws(OutputError) {
            try rename(temporary, to: path)
        } catch {
            _ = temporary.withCString { unlink($0) }
            throw error
        }
        return true
    }

    private static func rename(_ from: FilePath, to path: FilePath) throws(OutputError) {
        let status = from.withCString { from in path.withCString { Glibc.rename(from, $0) } }
        guard status == 0 else { throw OutputError(path, errno) }
    }
}
