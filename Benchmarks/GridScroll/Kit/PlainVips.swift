import CPlainVips
import Cameo

/// A cell's picture by `vips_thumbnail`, without any of Cameo: what the baselines use.
enum PlainVips {
    /// Pixels of the photo at `path` for a square cell, 3 bytes each; nil where it cannot be read.
    static func cell(_ path: FilePath, side: Int) -> [UInt8]? {
        var (pixels, length, width, height) = (UnsafeMutableRawPointer?.none, 0, Int32(0), Int32(0))
        let status = path.withCString { plain_vips_cell($0, Int32(side), &pixels, &length, &width, &height) }
        defer { g_free(pixels) }
        guard status == 0, let pixels else { return nil }
        return Array(UnsafeRawBufferPointer(start: pixels, count: length))
    }
}
