import Glibc

extension FileRecord {
    /// The panorama rule: at least twice as long as wide, and at least this long.
    private static let panoramaLength = 2000

    private static let screenshotNames = [
        "screenshot", "screen shot", "bildschirmfoto", "スクリーンショット", "capture d’écran", "capture d'écran",
        "captura de pantalla", "schermata", "skärmavbild", "снимок экрана", "截屏", "屏幕截图", "스크린샷",
    ].map { Array($0.utf8) }

    /// What the header of the open file tells, with the fingerprint of its content.
    init(file: Int32, stamp: ContentStamp, name: FilePath) {
        self.init()
        let size = Int(stamp.size)
        let head = FileWindow.read(file, at: 0, min(HeaderReader.headLength, size))
        let header = HeaderReader.read(file: file, count: size, head: head, name: name)
        set(stamp)
        form = header.form
        guard form != .other else { return }
        let tailStart = max(head.count, size - Fingerprint.endLength)
        let tail = tailStart < size ? FileWindow.read(file, at: tailStart, size - tailStart) : []
        content = Fingerprint(size: size, head: head, tail: tail)
        identity = content
        if let upright = header.uprightSize {
            width = UInt32(clamping: upright.width)
            height = UInt32(clamping: upright.height)
        }
        set(header.place)
        if let date = header.date {
            set(date)
        } else {
            set(CaptureDate(modified: stamp.modified))
            flags |= Self.datedByFile
        }
        subtypes = UInt8(Self.subtypes(header, name: name).rawValue)
    }

    private static func subtypes(_ header: FileHeader, name: FilePath) -> Asset.Subtypes {
        var subtypes: Asset.Subtypes = []
        if header.form == .raw { subtypes.insert(.raw) }
        if header.isAnimated { subtypes.insert(.animated) }
        if header.form != .film {
            let start = Array(String(decoding: name.bytes.prefix(64), as: UTF8.self).lowercased().utf8)
            if header.isScreenshot || screenshotNames.contains(where: { start.starts(with: $0) }) {
                subtypes.insert(.screenshot)
            }
            if let size = header.uprightSize {
                let (long, short) = (max(size.width, size.height), min(size.width, size.height))
                if long >= panoramaLength, long >= 2 * short, !subtypes.contains(.screenshot) {
                    subtypes.insert(.panorama)
                }
            }
        }
        return subtypes
    }
}

extension CaptureDate {
    /// The time of a file, nanoseconds since 1970, in UTC.
    init(modified: Int64) {
        let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(
            civilSeconds: rest < 0 ? seconds - 1 : seconds, nanosecond: Int(rest < 0 ? rest + 1_000_000_000 : rest),
            offsetMinutes: 0)
    }
}
