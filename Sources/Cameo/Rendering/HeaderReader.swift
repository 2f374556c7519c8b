import Glibc

/// Reads the header of a picture or a film with a few small reads: no decoder, no libvips.
///
/// It never fails: what is damaged, out of place or too far away is absent, as a scan over a hundred thousand files
/// needs it.
struct HeaderReader {
    var window: FileWindow
    var header = FileHeader()
    /// The EXIF data of a JPEG.
    var exif: [UInt8] = []

    /// As much as is read before anything is known.
    static let headLength = 32_768

    /// The header of the open file `file` of `count` bytes, whose first bytes are `head` and which is called `name`.
    static func read(file: Int32, count: Int, head: [UInt8], name: FilePath) -> FileHeader {
        var reader = HeaderReader(window: FileWindow(file: file, count: count, head: head))
        reader.read(name: name)
        return reader.header
    }

    /// The header of the file at `path`; nil where it is no regular file or cannot be opened.
    static func read(_ path: FilePath) -> FileHeader? {
        guard let (file, status) = try? SourceBytes.open(path) else { return nil }
        defer { close(file) }
        let count = Int(status.st_size)
        let head = FileWindow.read(file, at: 0, min(headLength, count))
        return read(file: file, count: count, head: head, name: path)
    }

    private mutating func read(name: FilePath) {
        switch ImageFormat.sniff(window.beginning.span) {
        case .known(let format): readPicture(format, name: name)
        case .foreign("QuickTime video"), .foreign("MP4 video"):
            header.form = .film
            readFilm()
        case .foreign(let title) where title.hasPrefix("camera raw"):
            header.form = .raw
            if window.beginning.span.matches("II") || window.beginning.span.matches("MM") { readTIFF() }
        case .foreign(let title) where title == "Matroska video" || title == "AVI video":
            header.form = .film
        default:
            // Films of old cameras begin with a box other than `ftyp`.
            if Self.isNamed(name, ["mov", "mp4", "m4v"]), Self.boxes.contains(window.prefix(at: 4, 4)) {
                header.form = .film
                readFilm()
            }
        }
    }

    private mutating func readPicture(_ format: ImageFormat, name: FilePath) {
        header.format = format
        header.form = .still
        switch format {
        case .jpeg:
            header.form = .jpeg
            readJPEG()
        case .png: readPNG()
        case .gif: readGIF()
        case .webp: readWebP()
        case .heif, .avif:
            if format == .heif { header.form = .heif }
            readHEIF()
        case .tiff:
            // Several makers' raw files look like any other TIFF.
            if Self.isNamed(name, Self.rawExtensions) { (header.form, header.format) = (.raw, nil) }
            readTIFF()
        // Not rendered unless asked for by name, so a picker does not offer them.
        case .jxl, .jp2, .svg: header.form = .other
        }
        if header.storedSize.map({ $0.width < 1 || $0.height < 1 }) == true { header.storedSize = nil }
    }

    private static func isNamed(_ name: FilePath, _ extensions: Set<String>) -> Bool {
        guard let suffix = name.stemAndExtension.extension else { return false }
        return extensions.contains(suffix.description.lowercased())
    }

    private static let boxes: Set<[UInt8]> = [
        Array("moov".utf8), Array("mdat".utf8), Array("wide".utf8), Array("free".utf8), Array("skip".utf8),
    ]

    private static let rawExtensions: Set<String> = [
        "dng", "cr2", "nef", "nrw", "arw", "srf", "sr2", "pef", "srw", "erf", "3fr", "iiq", "dcr", "kdc", "mef", "mos",
    ]
}
