import Glibc

/// The bytes of a source, read once. Decoders borrow them, so whoever hands them out keeps this object alive.
///
/// `@unchecked Sendable`: the storage is written by `init` alone and freed by `deinit` alone.
final class SourceBytes: @unchecked Sendable {
    /// The bytes; valid as long as this object lives.
    let buffer: UnsafeRawBufferPointer
    /// The file's stamp when it was opened; nil for bytes in memory.
    let stamp: ContentStamp?
    /// Where the bytes are not known, and read as zeros; empty for a whole source.
    let hole: Range<Int>

    /// From C's allocator.
    private let allocation: UnsafeMutableRawPointer

    /// How much of a file is read before it is known to be worth reading whole.
    private static let probeLength = 4096

    /// Reads `source`, provided that `accepts` does not throw at its first bytes.
    ///
    /// A file is opened once, so what was looked at is what is read. It is read rather than mapped: a mapped file
    /// that somebody truncates ends the process with SIGBUS.
    convenience init(
        _ source: ImageSource, limit: Int, accepts: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) {
        switch source {
        case .bytes(let bytes, let name):
            guard !bytes.isEmpty else { throw .empty(source: name) }
            guard bytes.count <= limit else { throw Self.overLimit(name, bytes.count, limit) }
            let copy = try Self.allocate(bytes.count)
            copy.copyBytes(from: bytes)
            try self.init(copy, accepts: accepts)
        case .sparse(let parts, let name):
            guard parts.count <= limit else { throw Self.overLimit(name, parts.count, limit) }
            let copy = try Self.allocate(parts.count, isZero: true)
            copy.copyBytes(from: parts.head)
            UnsafeMutableRawBufferPointer(rebasing: copy[parts.hole.upperBound...]).copyBytes(from: parts.tail)
            try self.init(copy, hole: parts.hole, accepts: accepts)
        case .file(let path):
            let (file, status) = try Self.open(path)
            defer { close(file) }
            try self.init(file, status, name: path.description, limit: limit, accepts: accepts)
        }
    }

    /// Reads a file that is open, provided that `accepts` does not throw at its first bytes.
    ///
    /// - Parameter hole: Where the file holds nothing but zeros in place of what is not known; nil where it is whole.
    convenience init(
        _ file: Int32, name: String, limit: Int, hole: Range<Int>? = nil,
        accepts: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(source: name, reason: errorText(errno)) }
        if let hole {
            let size = Int(status.st_size)
            guard size <= limit else { throw Self.overLimit(name, size, limit) }
            let copy = try Self.allocate(size, isZero: true)
            // What is not known takes no memory as long as nobody writes to it.
            for part in [0..<hole.lowerBound, hole.upperBound..<size] {
                copy[part].copyBytes(from: FileWindow.read(file, at: part.lowerBound, part.count))
            }
            try self.init(copy, hole: hole, accepts: accepts)
            return
        }
        try self.init(file, status, name: name, limit: limit, accepts: accepts)
    }

    private init(
        _ file: Int32, _ status: stat, name: String, limit: Int,
        accepts: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) {
        let read = try Self.read(file, status, name: name, limit: limit, accepts: accepts)
        buffer = UnsafeRawBufferPointer(read)
        allocation = read.baseAddress.unsafelyUnwrapped
        stamp = ContentStamp(status, now: ContentStamp.now())
        hole = 0..<0
    }

    /// Takes over memory that was filled, provided that `accepts` does not throw at its first bytes.
    private init(
        _ filled: UnsafeMutableRawBufferPointer, hole: Range<Int> = 0..<0,
        accepts: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) {
        buffer = UnsafeRawBufferPointer(filled)
        allocation = filled.baseAddress.unsafelyUnwrapped
        stamp = nil
        self.hole = hole
        // From here on `deinit` frees what was taken over.
        try accepts(UnsafeRawBufferPointer(rebasing: buffer.prefix(Self.probeLength)))
    }

    /// A copy of `other` with some bytes replaced.
    init(_ other: SourceBytes, corrected corrections: [(offset: Int, bytes: [UInt8])]) throws(RenderError) {
        let copy = try Self.allocate(other.buffer.count)
        copy.copyMemory(from: other.buffer)
        for (offset, bytes) in corrections {
            UnsafeMutableRawBufferPointer(rebasing: copy[offset..<offset + bytes.count]).copyBytes(from: bytes)
        }
        buffer = UnsafeRawBufferPointer(copy)
        allocation = copy.baseAddress.unsafelyUnwrapped
        stamp = other.stamp
        hole = other.hole
    }

    deinit { free(allocation) }

    /// Memory of `count` bytes. Of a large block of zeros no page is there before it is written to.
    private static func allocate(
        _ count: Int, isZero: Bool = false
    ) throws(RenderError) -> UnsafeMutableRawBufferPointer {
        guard let start = isZero ? calloc(max(1, count), 1) : malloc(max(1, count)) else {
            throw .environment(reason: "no memory for a source of \(count) bytes")
        }
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    /// Whether the first `end` bytes are known.
    func isKnown(to end: Int) -> Bool { hole.isEmpty || end <= hole.lowerBound }

    private static func read(
        _ file: Int32, _ status: stat, name: String, limit: Int,
        accepts: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) -> UnsafeMutableRawBufferPointer {
        let size = Int(status.st_size)
        guard size > 0 else { throw .empty(source: name) }
        let whole = try allocate(min(size, max(limit, probeLength)))
        do throws(RenderError) {
            let probed = try fill(whole, from: 0, to: min(size, probeLength), of: file, name: name)
            guard probed > 0 else { throw RenderError.empty(source: name) }
            try accepts(UnsafeRawBufferPointer(rebasing: whole.prefix(probed)))
            guard size <= limit else { throw overLimit(name, size, limit) }
            // A file that is being written may be shorter than it was a moment ago: what is there counts.
            let end = try fill(whole, from: probed, to: size, of: file, name: name)
            return UnsafeMutableRawBufferPointer(rebasing: whole.prefix(end))
        } catch {
            free(whole.baseAddress)
            throw error
        }
    }

    /// Opens a regular file, without waiting for anybody at the other end of a pipe.
    static func open(_ path: FilePath) throws(RenderError) -> (file: Int32, status: stat) {
        let name = path.description
        var status = stat()
        // Looked at before it is opened: opening some devices does something.
        guard path.withCString({ stat($0, &status) }) == 0 else {
            throw .unreadable(source: name, reason: errorText(errno))
        }
        try requireRegular(status, name: name)
        let file = path.withCString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard file >= 0 else { throw .unreadable(source: name, reason: errorText(errno)) }
        guard fstat(file, &status) == 0 else {
            close(file)
            throw .unreadable(source: name, reason: errorText(errno))
        }
        do throws(RenderError) {
            try requireRegular(status, name: name)
        } catch {
            close(file)
            throw error
        }
        return (file, status)
    }

    private static func requireRegular(_ status: stat, name: String) throws(RenderError) {
        let what: String
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: what = "it is a folder"
        case S_IFIFO: what = "it is a named pipe"
        case S_IFSOCK: what = "it is a socket"
        case S_IFCHR, S_IFBLK: what = "it is a device"
        default: what = "it is no regular file"
        }
        throw .unreadable(source: name, reason: what)
    }

    /// Reads up to position `end`; returns where the file really ended.
    private static func fill(
        _ whole: UnsafeMutableRawBufferPointer, from start: Int, to end: Int, of file: Int32, name: String
    ) throws(RenderError) -> Int {
        var position = start
        while position < end {
            let got = Glibc.read(file, whole.baseAddress.unsafelyUnwrapped + position, end - position)
            if got > 0 {
                position += got
            } else if got == 0 {
                break
            } else if errno != EINTR {
                throw .unreadable(source: name, reason: errorText(errno))
            }
        }
        return position
    }

    static func overLimit(_ name: String, _ size: Int, _ limit: Int) -> RenderError {
        .tooLarge(source: name, reason: "\(size) bytes, the limit is \(limit)")
    }
}
