import Glibc

/// The bytes of a source, read once. Decoders borrow them, so whoever hands them out keeps this object alive.
///
/// `@unchecked Sendable`: the storage is written by `init` alone and freed by `deinit` alone.
final class SourceBytes: @unchecked Sendable {
    /// The bytes; valid as long as this object lives.
    let buffer: UnsafeRawBufferPointer
    /// The file's stamp when it was opened; nil for bytes in memory.
    let stamp: ContentStamp?
    /// Where the bytes are not known, and read as zeros; empty for a whole source. Of a file that was read in parts, a
    /// zero stands in place of all that was left out.
    let hole: Range<Int>
    /// The file of which parts were read, to read all of it when that is wanted.
    private let rest: OpenFile?

    /// From C's allocator.
    private let allocation: UnsafeMutableRawPointer

    /// How much of a file is read before it is known to be worth reading whole.
    private static let probeLength = 4096
    /// How much of one is read before it is asked whether there is more to be read: of most progressive photos, all that
    /// their 1/8 picture is made of.
    private static let firstPart = 128 << 10

    /// What of a file has to be read.
    typealias Demand = (_ head: UnsafeRawBufferPointer, _ count: Int) -> SourceDemand

    /// A descriptor of its own on a file that somebody has open.
    private final class OpenFile: Sendable {
        let descriptor: Int32

        init?(copyOf file: Int32) {
            descriptor = fcntl(file, F_DUPFD_CLOEXEC, 0)
            if descriptor < 0 { return nil }
        }

        deinit { close(descriptor) }
    }

    /// Reads `source`, provided that `accepts` does not throw at its first bytes.
    ///
    /// - Parameter demand: What of a file has to be read, by its first bytes and its size.
    ///
    /// A file is opened once, so what was looked at is what is read. It is read rather than mapped: a mapped file
    /// that somebody truncates ends the process with SIGBUS.
    convenience init(
        _ source: ImageSource, limit: Int, demand: Demand? = nil,
        accepts: (UnsafeRawBufferPointer) throws(RenderError) -> Void
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
            try self.init(file, status, name: path.description, limit: limit, demand: demand, accepts: accepts)
        }
    }

    /// Reads a file that is open, provided that `accepts` does not throw at its first bytes.
    ///
    /// - Parameter hole: Where the file holds nothing but zeros in place of what is not known; nil where it is whole.
    convenience init(
        _ file: Int32, name: String, limit: Int, hole: Range<Int>? = nil, demand: Demand? = nil,
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
        try self.init(file, status, name: name, limit: limit, demand: demand, accepts: accepts)
    }

    private init(
        _ file: Int32, _ status: stat, name: String, limit: Int, demand: Demand?,
        accepts: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) {
        let stamp = ContentStamp(status, now: ContentStamp.now())
        // Of a file that has just changed, and may change again under the same stamp, picture and digest have to be of one
        // reading.
        let rest = demand == nil || stamp.isRacy ? nil : OpenFile(copyOf: file)
        let (read, hole) = try Self.read(
            file, status, name: name, limit: limit, demand: rest == nil ? nil : demand, accepts: accepts)
        buffer = UnsafeRawBufferPointer(read)
        allocation = read.baseAddress.unsafelyUnwrapped
        self.stamp = stamp
        self.hole = hole
        self.rest = hole.isEmpty ? nil : rest
    }

    /// All of a file of which parts were read, through the descriptor that those came through; nil where there is no more
    /// to be had.
    ///
    /// - Throws: `RenderError.unreadable` also where the file has changed meanwhile.
    func whole(name: String, limit: Int) throws(RenderError) -> SourceBytes? {
        guard let rest else { return nil }
        let whole = try SourceBytes(rest.descriptor, name: name, limit: limit) { _ in }
        // Its name may have been given to another file: that changes nothing here but the time of its last change of
        // attributes.
        guard let now = whole.stamp, now.size == stamp?.size, now.modified == stamp?.modified else {
            throw .unreadable(source: name, reason: "it changed while it was read")
        }
        return whole
    }

    /// Takes over memory that was filled, provided that `accepts` does not throw at its first bytes.
    private init(
        _ filled: UnsafeMutableRawBufferPointer, hole: Range<Int> = 0..<0,
        accepts: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) {
        buffer = UnsafeRawBufferPointer(filled)
        allocation = filled.baseAddress.unsafelyUnwrapped
        stamp = nil
        rest = nil
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
        rest = other.rest
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
        _ file: Int32, _ status: stat, name: String, limit: Int, demand: Demand?,
        accepts: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) -> (UnsafeMutableRawBufferPointer, hole: Range<Int>) {
        let size = Int(status.st_size)
        guard size > 0 else { throw .empty(source: name) }
        let whole = try allocate(min(size, max(limit, probeLength)))
        do throws(RenderError) {
            let probed = try fill(whole, from: 0, to: min(size, probeLength), of: file, name: name)
            guard probed > 0 else { throw RenderError.empty(source: name) }
            try accepts(UnsafeRawBufferPointer(rebasing: whole.prefix(probed)))
            guard size <= limit else { throw overLimit(name, size, limit) }
            var end = probed
            if let demand, let parts = try readParts(whole, &end, size, of: file, name: name, demand) { return parts }
            // A file that is being written may be shorter than it was a moment ago: what is there counts.
            end = try fill(whole, from: end, to: size, of: file, name: name)
            return (UnsafeMutableRawBufferPointer(rebasing: whole.prefix(end)), 0..<0)
        } catch {
            free(whole.baseAddress)
            throw error
        }
    }

    /// The first part of a file and its last, where `demand` says that they are enough; nil where all of it is to be read,
    /// of which the bytes before `end` are read then.
    private static func readParts(
        _ whole: UnsafeMutableRawBufferPointer, _ end: inout Int, _ size: Int, of file: Int32, name: String,
        _ demand: Demand
    ) throws(RenderError) -> (UnsafeMutableRawBufferPointer, hole: Range<Int>)? {
        var wanted = firstPart
        while wanted <= size / 2 {
            end = try fill(whole, from: end, to: wanted, of: file, name: name)
            guard end == wanted else { return nil }
            switch demand(UnsafeRawBufferPointer(rebasing: whole.prefix(end)), size) {
            case .whole: return nil
            case .head(let count): wanted = max(count, 2 * wanted)
            case .enough(let tail):
                guard end + 1 + tail < size else { return nil }
                whole[end] = 0
                let last = UnsafeMutableRawBufferPointer(rebasing: whole[end + 1..<end + 1 + tail])
                // A file that has become shorter is read as it is now.
                guard try fill(last, from: 0, to: tail, of: file, at: size - tail, name: name) == tail else {
                    return nil
                }
                return (UnsafeMutableRawBufferPointer(rebasing: whole.prefix(end + 1 + tail)), end..<end + 1)
            }
        }
        return nil
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

    /// Reads up to position `end` of memory that begins with the file's byte `offset`; returns where the file really
    /// ended.
    private static func fill(
        _ whole: UnsafeMutableRawBufferPointer, from start: Int, to end: Int, of file: Int32, at offset: Int = 0,
        name: String
    ) throws(RenderError) -> Int {
        var position = start
        while position < end {
            let got = pread(file, whole.baseAddress.unsafelyUnwrapped + position, end - position, offset + position)
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
