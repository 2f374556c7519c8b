/// Takes out of an encoded file what is not needed to show it.
///
/// libvips 8.14 adds a resolution to PNG and a generated EXIF block to WebP even where it is told to strip.
enum MetadataRemoval {
    static func cleaned(_ bytes: [UInt8], _ format: Encoding.Format) -> [UInt8] {
        switch format {
        // What libvips's JPEG saver writes beside the picture is the JFIF header alone.
        case .jpeg: bytes
        case .png: png(bytes)
        case .webp: webp(bytes)
        }
    }

    /// Keeps the critical chunks (PNG, third edition, section 5.4: those whose name begins with a capital).
    private static func png(_ bytes: [UInt8]) -> [UInt8] {
        var kept = Array(bytes.prefix(8))
        var offset = 8
        while let length = bytes.span.uint32(at: offset), offset + 12 + length <= bytes.count {
            let end = offset + 12 + length
            if bytes[offset + 4] & 0x20 == 0 { kept += bytes[offset..<end] }
            offset = end
        }
        return kept
    }

    /// Keeps picture and alpha (RFC 9649, section 2.7), and the extended header only where there is alpha.
    private static func webp(_ bytes: [UInt8]) -> [UInt8] {
        var chunks: [(name: String, bytes: ArraySlice<UInt8>)] = []
        var offset = 12
        while let length = bytes.span.uint32(at: offset + 4, bigEndian: false), offset + 8 + length <= bytes.count {
            let end = min(bytes.count, offset + 8 + length + length & 1)
            chunks.append((String(decoding: bytes[offset..<offset + 4], as: UTF8.self), bytes[offset..<end]))
            offset = end
        }
        let hasAlphaChunk = chunks.contains { $0.name == "ALPH" }
        var content = Array("WEBP".utf8)
        for chunk in chunks {
            switch chunk.name {
            case "VP8 ", "VP8L", "ALPH":
                content += chunk.bytes
            case "VP8X" where hasAlphaChunk:
                var header = Array(chunk.bytes)
                // The flags: alpha stays, EXIF, XMP, profile and animation go.
                header[8] &= 0x10
                content += header
            default: break
            }
        }
        let length = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) }
        return Array("RIFF".utf8) + length + content
    }
}
