/// What the first bytes of a file say that it is.
enum SniffedFormat: Hashable, Sendable {
    /// A format that Cameo can read.
    case known(ImageFormat)
    /// Something that is recognised but not read; the name is for messages.
    case foreign(String)
    /// Nothing that is recognised.
    case unknown

    /// Whether people would call it a picture.
    var isPicture: Bool {
        switch self {
        case .known: true
        case .foreign(let name): !Self.otherThings.contains(name)
        case .unknown: false
        }
    }

    private static let otherThings: Set<String> = [
        "PDF", "PostScript", "gzip data", "RIFF data", "AVI video", "MP4 video", "QuickTime video", "Matroska video",
    ]
}

extension ImageFormat {
    /// Tells the format by its content. `head` is the beginning of the file, 4096 bytes of it where there are so many.
    ///
    /// Signatures are those of the formats' specifications; ISO base media brands are those registered at mp4ra.org.
    static func sniff(_ head: Span<UInt8>) -> SniffedFormat {
        if head.matches([0xFF, 0xD8, 0xFF]) { return .known(.jpeg) }
        if head.matches([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .known(.png) }
        if head.matches("GIF87a") || head.matches("GIF89a") { return .known(.gif) }
        if head.matches("RIFF") {
            if head.matches("WEBP", at: 8) { return .known(.webp) }
            return .foreign(head.matches("AVI ", at: 8) ? "AVI video" : "RIFF data")
        }
        if head.matches("ftyp", at: 4) { return sniffBrand(head) }
        if head.matches([0x49, 0x49, 0x2A, 0]) || head.matches([0x4D, 0x4D, 0, 0x2A]) { return sniffTIFF(head) }
        if head.matches([0x49, 0x49, 0x2B, 0, 8, 0, 0, 0]) || head.matches([0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0]) {
            return .known(.tiff)
        }
        if head.matches([0xFF, 0x0A]) || head.matches([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) {
            return .known(.jxl)
        }
        if head.matches([0xFF, 0x4F, 0xFF, 0x51])
            || head.matches([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
        {
            return .known(.jp2)
        }
        if head.matches([0x1F, 0x8B]) { return .foreign("gzip data") }
        if let name = foreignSignatures.first(where: { head.matches($0.bytes, at: $0.offset) })?.name {
            return .foreign(name)
        }
        if looksLikeSVG(head) { return .known(.svg) }
        return .unknown
    }

    private static func sniffBrand(_ head: Span<UInt8>) -> SniffedFormat {
        let end = min(head.uint32(at: 0) ?? 0, head.count)
        let major = brand(head, 8)
        switch major {
        case "avif", "avis": return .known(.avif)
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return .known(.heif)
        case "crx ": return .foreign("camera raw (CR3)")
        case "qt  ": return .foreign("QuickTime video")
        default: break
        }
        // "mif1" and "msf1" leave the coding open; the compatible brands tell it.
        var others: [String] = []
        var offset = 16
        while offset <= end - 4 {
            others.append(brand(head, offset))
            offset += 4
        }
        if others.contains("avif") || others.contains("avis") { return .known(.avif) }
        if major == "mif1" || major == "msf1" || others.contains(where: { ["heic", "heix", "mif1"].contains($0) }) {
            return .known(.heif)
        }
        return .foreign("MP4 video")
    }

    private static func brand(_ head: Span<UInt8>, _ offset: Int) -> String {
        guard offset <= head.count - 4 else { return "" }
        return String(decoding: (0..<4).map { head[offset + $0] }, as: UTF8.self)
    }

    /// A camera's raw file is a TIFF whose first directory holds a small preview or whose sensor data are in another;
    /// taken for a picture, it would give the preview.
    private static func sniffTIFF(_ head: Span<UInt8>) -> SniffedFormat {
        if head.matches("CR", at: 8) { return .foreign("camera raw (CR2)") }
        let bigEndian = head[0] == 0x4D
        guard let directory = head.uint32(at: 4, bigEndian: bigEndian),
            let entries = head.uint16(at: directory, bigEndian: bigEndian)
        else { return .known(.tiff) }
        var isReduced = false
        var hasSubDirectories = false
        for entry in 0..<min(entries, 200) {
            let offset = directory + 2 + entry * 12
            guard let tag = head.uint16(at: offset, bigEndian: bigEndian) else { break }
            switch tag {
            case 0x00FE: isReduced = head.uint32(at: offset + 8, bigEndian: bigEndian) == 1
            case 0x014A: hasSubDirectories = true
            case 0xC612: return .foreign("camera raw (DNG)")
            default: break
            }
        }
        return isReduced && hasSubDirectories ? .foreign("camera raw") : .known(.tiff)
    }

    private static func looksLikeSVG(_ head: Span<UInt8>) -> Bool {
        var text = ""
        for index in 0..<min(head.count, 1024) {
            let byte = head[index]
            // Markup has no control characters besides white space; binary data has.
            if byte < 9 || (byte > 13 && byte < 32) { return false }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        let start = text.drop { $0.isWhitespace || $0 == "\u{EF}" || $0 == "\u{BB}" || $0 == "\u{BF}" }
        return start.hasPrefix("<") && (start.contains("<svg") || start.contains(":svg "))
    }

    private static let foreignSignatures: [(name: String, offset: Int, bytes: [UInt8])] = [
        ("PDF", 0, Array("%PDF".utf8)), ("PostScript", 0, Array("%!PS".utf8)), ("BMP", 0, Array("BM".utf8)),
        ("PSD", 0, Array("8BPS".utf8)), ("ICO", 0, [0, 0, 1, 0]), ("OpenEXR", 0, [0x76, 0x2F, 0x31, 0x01]),
        ("Radiance HDR", 0, Array("#?RADIANCE".utf8)), ("QOI", 0, Array("qoif".utf8)), ("DDS", 0, Array("DDS ".utf8)),
        ("XCF", 0, Array("gimp xcf".utf8)), ("FITS", 0, Array("SIMPLE  =".utf8)), ("JPEG XR", 0, [0x49, 0x49, 0xBC]),
        ("camera raw (RAF)", 0, Array("FUJIFILMCCD-RAW".utf8)), ("camera raw (RW2)", 0, [0x49, 0x49, 0x55, 0]),
        ("camera raw (ORF)", 0, Array("IIRO".utf8)), ("camera raw (ORF)", 0, Array("IIRS".utf8)),
        ("camera raw (X3F)", 0, Array("FOVb".utf8)), ("camera raw (MRW)", 0, [0, 0x4D, 0x52, 0x4D]),
        ("Matroska video", 0, [0x1A, 0x45, 0xDF, 0xA3]), ("PNM", 0, Array("P4\n".utf8)), ("PNM", 0, Array("P5\n".utf8)),
        ("PNM", 0, Array("P6\n".utf8)),
    ]
}
