import Glibc

extension FilePath {
    /// The same place without links, `.` and `..`; nil where there is nothing.
    package var real: FilePath? {
        guard let resolved = withCString({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return FilePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// Whether it is `folder` or lies in it, both without links: by their components, not by their letters.
    package func lies(in folder: FilePath) -> Bool {
        bytes == folder.bytes || folder.bytes == Array("/".utf8) || bytes.starts(with: folder.bytes + "/".utf8)
    }
}
