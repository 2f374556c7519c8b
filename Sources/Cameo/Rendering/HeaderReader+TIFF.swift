extension HeaderReader {
    private static let reach = 131_072

    /// Reads the first directory (TIFF 6.0) and, of a raw file, the largest picture that its directories describe.
    mutating func readTIFF() {
        let bigEndian = window.beginning.first == 0x4D
        guard let first = window.beginning.span.uint32(at: 4, bigEndian: bigEndian), first >= 8 else { return }
        // A directory's values mostly stand close to it, on either side.
        let start = first < Self.reach / 2 ? 0 : first - Self.reach / 4
        let data = window.prefix(at: start, Self.reach)
        header.take(ExifReader(data.span, from: start, directory: first, bigEndian: bigEndian))
        var directories = [ExifReader.Directory(base: -start, offset: first, bigEndian: bigEndian)]
        if header.form == .raw {
            directories += directories[0].integers(0x014A, in: data.span).map {
                ExifReader.Directory(base: -start, offset: $0, bigEndian: bigEndian)
            }
        }
        for directory in directories {
            guard let width = directory.integer(0x0100, in: data.span),
                let height = directory.integer(0x0101, in: data.span)
            else { continue }
            let size = PixelSize(width: width, height: height)
            if size.area > header.storedSize?.area ?? 0 { header.storedSize = size }
        }
    }
}
