import Glibc

/// What tells one content of a file from the next: changes whenever the file is written, replaced or re-tagged.
///
/// It holds size, inode and both times in nanoseconds. Some file systems move their clock only every few
/// milliseconds, so a file stamped within that time of its last change may change again under the same stamp; such a
/// stamp says so in `isRacy`, as git's index does.
public struct ContentStamp: Hashable, Codable, Sendable {
    /// Bytes.
    public let size: Int64
    /// The file's number on its device.
    public let inode: UInt64
    /// Last modification of the content, in nanoseconds since 1970; the nearest there is for times outside the years
    /// 1677 to 2262.
    public let modified: Int64
    /// Last change of content or attributes, in nanoseconds since 1970.
    public let changed: Int64
    /// Whether the file had changed so shortly before it was stamped that the stamp alone proves nothing.
    public let isRacy: Bool

    /// Two seconds: the coarsest clock of a file system in use (FAT).
    private static let racyWindow: Int64 = 2_000_000_000

    init(_ status: stat, now: Int64) {
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        isRacy = max(modified, changed) > now - Self.racyWindow
    }

    /// A stamp that was kept somewhere.
    init(size: Int64, inode: UInt64, modified: Int64, changed: Int64, isRacy: Bool) {
        self.size = size
        self.inode = inode
        self.modified = modified
        self.changed = changed
        self.isRacy = isRacy
    }

    /// The stamp of the file at `path`, or nil if it cannot be looked at.
    public init?(path: FilePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        self.init(status, now: Self.now())
    }

    /// Whether `other` was taken of the same content, as far as stamps can tell.
    public func matches(_ other: ContentStamp) -> Bool {
        size == other.size && inode == other.inode && modified == other.modified && changed == other.changed
    }

    /// All by which stamps `match`, little end first: size, inode, last modification and last change.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for field in [size, Int64(bitPattern: inode), modified, changed] {
            withUnsafeBytes(of: field.littleEndian) { bytes += $0 }
        }
        return bytes
    }

    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    /// Nanoseconds since 1970. Anybody can give a file a time that is too far away for them.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (product, isOver) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isStillOver) = product.addingReportingOverflow(Int64(time.tv_nsec))
        return isOver || isStillOver ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}
