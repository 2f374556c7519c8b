import Glibc

/// What one file or folder is, under whatever name.
package struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    private let inode: UInt64

    /// The identity of what `status` tells of.
    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// The identity of what `path` leads to; nil where there is nothing.
    package init?(_ path: FilePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }
}
