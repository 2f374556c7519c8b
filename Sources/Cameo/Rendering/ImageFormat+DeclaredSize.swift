extension ImageFormat {
    /// The size that the first bytes declare, for formats whose decoder would do work before it tells.
    ///
    /// HEIF and AVIF: the largest `ispe` property (ISO/IEC 23008-12, 6.5.3) of the `meta` box, looked for by its name
    /// in the first 64 KiB, since a wrong hit can only refuse a file that claims an absurd size. PNG: the `IHDR` chunk.
    func declaredSize(_ data: Span<UInt8>) -> PixelSize? {
        switch self {
        case .png:
            guard data.matches("IHDR", at: 12), let width = data.uint32(at: 16), let height = data.uint32(at: 20) else {
                return nil
            }
            return PixelSize(width: width, height: height)
        case .heif, .avif:
            var largest: PixelSize?
            for offset in 0..<min(data.count, 65_536) where data.matches("ispe", at: offset) {
                guard data.uint32(at: offset + 4) == 0, data.uint32(at: offset - 4) == 20,
                    let width = data.uint32(at: offset + 8), let height = data.uint32(at: offset + 12)
                else { continue }
                let size = PixelSize(width: width, height: height)
                if size.area > largest?.area ?? 0 { largest = size }
            }
            return largest
        default:
            return nil
        }
    }
}
