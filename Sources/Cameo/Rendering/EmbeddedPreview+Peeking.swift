import Glibc

extension EmbeddedPreview {
    /// What the beginning of a file tells of its preview.
    enum Peek {
        /// The preview.
        case found(DecodedBase)
        /// There is none that shows the picture, a JPEG of this upright size and so many bytes.
        case none(PixelSize, bytes: Int)
        /// Only opening the file can tell.
        case unknown
    }

    /// Looks for a preview in the first kilobytes of the file at `path`, where JPEG has it. The rest of the file, which
    /// may have to come from a disk, is not read.
    static func peek(_ path: FilePath) -> Peek {
        guard Vips.isStarted, let (file, status) = try? SourceBytes.open(path) else { return .unknown }
        defer { close(file) }
        let count = Int(status.st_size)
        let head = FileWindow.read(file, at: 0, min(HeaderReader.headLength, count))
        guard case .known(.jpeg) = ImageFormat.sniff(head.span) else { return .unknown }
        var reader = HeaderReader(window: FileWindow(file: file, count: count, head: head))
        reader.readJPEG()
        guard let upright = reader.header.uprightSize else { return .unknown }
        guard let range = ExifReader(reader.exif.span).preview,
            let base = base(Array(reader.exif[range]), orientation: reader.header.orientation, upright: upright)
        else { return .none(upright, bytes: count) }
        return .found(base)
    }
}
