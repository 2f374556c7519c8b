import Glibc

/// The names in one folder, in byte order.
struct FolderListing: Sendable {
    let path: FilePath
    /// Where the table that was known before has this folder, if it has it.
    let known: Int?
    /// Whether the folder is to be taken over as it was known.
    var isKept = false
    /// All names behind one another, and where each stands, in order. Not slices: workers that copy those would
    /// quarrel over one reference count.
    private(set) var bytes: [UInt8] = []
    private(set) var names: [Range<Int>] = []
    /// Which folder was read; nil for one that is taken over.
    private(set) var identity: FileIdentity?

    init(path: FilePath, known: Int?, isKept: Bool = false) {
        self.path = path
        self.known = known
        self.isKept = isKept
    }

    /// A name by its place.
    func name(_ index: Int) -> FilePath { FilePath(bytes: bytes[names[index]]) }

    /// The folder could not be read, or not to its end; the code is the system's.
    struct Unreadable: Error {
        let code: Int32
    }

    /// Reads the folder; returns the names of what may be folders in it.
    ///
    /// - Parameter roots: What a link leads to is looked at only where it lies in one of these.
    mutating func read(
        inside roots: [FilePath]
    ) throws(Unreadable) -> (subfolders: [FilePath], identity: FileIdentity) {
        guard let stream = path.withCString({ opendir($0) }) else { throw Unreadable(code: errno) }
        defer { closedir(stream) }
        var status = stat()
        guard fstat(dirfd(stream), &status) == 0 else { throw Unreadable(code: errno) }
        var ends: [Int] = []
        var subfolders: [FilePath] = []
        while let entry = try FolderReader.next(stream) {
            let name = FolderReader.name(entry)
            // Hidden files are no photos; "." and ".." are among them.
            guard let first = name.first, first != UInt8(ascii: ".") else { continue }
            switch Int32(entry.pointee.d_type) {
            case 4: subfolders.append(FilePath(bytes: name))
            case 8:
                bytes.append(contentsOf: name)
                ends.append(bytes.count)
            case 0, 10:
                var status = stat()
                let target = path.appending(FilePath(bytes: name))
                guard let real = target.real, roots.contains(where: { real.lies(in: $0) }),
                    target.withCString({ stat($0, &status) }) == 0
                else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    subfolders.append(FilePath(bytes: name))
                } else if status.st_mode & S_IFMT == S_IFREG {
                    bytes.append(contentsOf: name)
                    ends.append(bytes.count)
                }
            default: continue
            }
        }
        var begin = 0
        names.reserveCapacity(ends.count)
        for end in ends {
            names.append(begin..<end)
            begin = end
        }
        bytes.withUnsafeBytes { bytes in
            names.sort {
                UnsafeRawBufferPointer(rebasing: bytes[$0]).precedes(UnsafeRawBufferPointer(rebasing: bytes[$1]))
            }
        }
        let identity = FileIdentity(status)
        self.identity = identity
        return (subfolders.sorted(), identity)
    }
}

extension UnsafeRawBufferPointer {
    /// Byte order, as `memcmp` has it; the shorter first where one begins the other.
    func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let a = baseAddress, let b = other.baseAddress else { return count < other.count }
        let order = memcmp(a, b, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }

    /// Whether both hold the same bytes.
    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let a = baseAddress, let b = other.baseAddress else { return count == other.count }
        return memcmp(a, b, count) == 0
    }
}
