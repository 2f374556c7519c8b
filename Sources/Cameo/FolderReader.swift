import Glibc

/// The names in a folder.
package enum FolderReader {
    /// All names in `folder` but `.` and `..`, in byte order; nil where it cannot be read to its end, and `errno` says
    /// why.
    package static func names(in folder: FilePath) -> [FilePath]? {
        guard let stream = folder.withCString({ opendir($0) }) else { return nil }
        var names: [FilePath] = []
        do throws(FolderListing.Unreadable) {
            while let entry = try next(stream) {
                let name = FilePath(bytes: Self.name(entry))
                if name.bytes != [46], name.bytes != [46, 46] { names.append(name) }
            }
        } catch {
            closedir(stream)
            errno = error.code
            return nil
        }
        closedir(stream)
        return names.sorted()
    }

    /// The next entry; nil at the end. That an entry cannot be read is no end.
    static func next(_ stream: OpaquePointer) throws(FolderListing.Unreadable) -> UnsafeMutablePointer<dirent>? {
        errno = 0
        guard let entry = readdir(stream) else {
            if errno != 0 { throw FolderListing.Unreadable(code: errno) }
            return nil
        }
        return entry
    }

    /// The bytes of an entry's name, valid until the next is read. The entry is shorter than its type says: only the name
    /// up to the zero may be touched.
    static func name(_ entry: UnsafeMutablePointer<dirent>) -> UnsafeRawBufferPointer {
        let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
        return UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
    }
}
