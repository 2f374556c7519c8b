import Glibc

/// The names in a folder.
public enum FolderReader {
    /// All names in `folder` but `.` and `..`, in byte order; nil where it cannot be read, and `errno` says why.
    public static func names(in folder: FilePath) -> [FilePath]? {
        guard let stream = folder.withCString({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [FilePath] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { FilePath(bytes: $0) }
            if name.bytes != [46], name.bytes != [46, 46] { names.append(name) }
        }
        return names.sorted()
    }
}
