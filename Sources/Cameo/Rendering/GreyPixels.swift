/// Brightness of an upright picture, transparency laid on white: one byte a pixel, rows from top to bottom without
/// gaps.
public struct GreyPixels: Hashable, Sendable {
    /// Pixels across and down.
    public let size: PixelSize
    /// `size.area` bytes.
    public let bytes: [UInt8]

    /// Pixels of these bytes.
    ///
    /// - Precondition: `bytes.count == size.area`.
    public init(size: PixelSize, bytes: [UInt8]) {
        precondition(bytes.count == size.area, "the bytes do not fill the size")
        self.size = size
        self.bytes = bytes
    }
}
