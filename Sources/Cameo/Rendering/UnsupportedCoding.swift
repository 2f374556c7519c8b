/// Codings that libvips's loaders do not read although they read the container: known by their headers.
enum UnsupportedCoding {
    /// The name of the coding that explains why a file of `format` could not be decoded; nil where none does.
    static func name(_ data: Span<UInt8>, _ format: ImageFormat) -> String? {
        switch format {
        case .tiff: tiff(data)
        case .jp2: jp2(data).interleavedTileParts
        default: nil
        }
    }

    /// A coding that libvips reads wrongly without a word, so that it must be refused beforehand.
    static func misreadName(_ data: Span<UInt8>, _ format: ImageFormat) -> String? {
        format == .jp2 ? jp2(data).offset : nil
    }

    /// Tags and values of TIFF 6.0, sections 8, 21 and 22.
    private static func tiff(_ data: Span<UInt8>) -> String? {
        let bigEndian = data.matches("MM")
        guard let first = data.uint32(at: 4, bigEndian: bigEndian) else { return nil }
        let directory = ExifReader.Directory(base: 0, offset: first, bigEndian: bigEndian)
        let compression = directory.integer(0x0103, in: data) ?? 1
        if compression == 6 { return "TIFF with old-style JPEG" }
        // Subsampled chroma: the default of YCbCr is 2 by 2 where the tag is absent.
        if directory.integer(0x0106, in: data) == 6, compression != 7 { return "TIFF with subsampled chroma" }
        return nil
    }

    /// ITU-T T.800: the SIZ segment (A.5.1) and the SOT segments (A.4.2).
    private static func jp2(_ data: Span<UInt8>) -> (offset: String?, interleavedTileParts: String?) {
        var start = 0
        while start < min(data.count, 65_536), !data.matches([0xFF, 0x4F, 0xFF, 0x51], at: start) { start += 1 }
        let hasOffset = (data.uint32(at: start + 16) ?? 0) != 0 || (data.uint32(at: start + 20) ?? 0) != 0
        var isInterleaved = false
        var previous: Int?
        for position in start..<max(start, data.count - 12) where data.matches([0xFF, 0x90, 0, 10], at: position) {
            let (tile, part) = (data.uint16(at: position + 4), Int(data[position + 10]))
            if part > 0, tile != previous { isInterleaved = true }
            previous = tile
        }
        return (
            hasOffset ? "JPEG 2000 with an image offset" : nil,
            isInterleaved ? "JPEG 2000 with interleaved tile-parts" : nil
        )
    }
}
