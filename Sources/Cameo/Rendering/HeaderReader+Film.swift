extension HeaderReader {
    /// Reads the `moov` box wherever it is (ISO/IEC 14496-12; QuickTime File Format for what Apple adds).
    mutating func readFilm() {
        guard let movie = box("moov", in: 0..<window.count) else { return }
        readMovie(movie)
    }

    mutating func readMovie(_ movie: Range<Int>) {
        for part in boxes(in: movie) {
            switch part.kind {
            case "mvhd": header.date = creation(part.content) ?? header.date
            case "trak": readTrack(part.content)
            case "udta": readUserData(part.content)
            case "meta": readMetadata(part.content)
            default: break
            }
        }
    }

    /// Seconds since 1904 in UTC, 0 where the writer had no clock.
    private mutating func creation(_ range: Range<Int>) -> CaptureDate? {
        let isLong = window.byte(at: range.lowerBound) == 1
        guard let seconds = window.uint32(at: range.lowerBound + (isLong ? 8 : 4)), seconds > 2_082_844_800 else {
            return nil
        }
        return CaptureDate(civilSeconds: Int64(seconds) - 2_082_844_800, offsetMinutes: 0)
    }

    private mutating func readTrack(_ track: Range<Int>) {
        guard let range = box("tkhd", in: track) else { return }
        let matrix = range.lowerBound + (window.byte(at: range.lowerBound) == 1 ? 52 : 40)
        // Width and height are 16.16 fixed point; only the matrix's first four numbers turn the picture.
        guard let width = window.uint32(at: matrix + 36), let height = window.uint32(at: matrix + 40),
            matrix + 44 <= range.upperBound,
            let a = window.uint32(at: matrix), let b = window.uint32(at: matrix + 4)
        else { return }
        let size = PixelSize(width: width >> 16, height: height >> 16)
        guard size.width > 0, size.height > 0, size.area > header.storedSize?.area ?? 0 else { return }
        header.storedSize = size
        switch (a, b) {
        case (0, 0x0001_0000): header.orientation = .right
        case (0, 0xFFFF_0000): header.orientation = .left
        case (0xFFFF_0000, 0): header.orientation = .down
        default: header.orientation = .up
        }
    }

    /// Cameras other than Apple's write the place as `©xyz`, behind a length and a language.
    private mutating func readUserData(_ range: Range<Int>) {
        for part in boxes(in: range) where window.bytes(at: part.content.lowerBound - 4, 4) == [0xA9, 0x78, 0x79, 0x7A]
        {
            let text = window.prefix(at: part.content.lowerBound + 4, min(64, max(0, part.content.count - 4)))
            header.place = Place(iso6709: String(decoding: text, as: UTF8.self)) ?? header.place
        }
    }

    /// Apple's metadata: a list of keys, and values by their numbers.
    private mutating func readMetadata(_ range: Range<Int>) {
        guard let keys = box("keys", in: range), let values = box("ilst", in: range), keys.count > 8 else { return }
        let names = boxes(in: keys.dropFirst(8)).map {
            String(decoding: window.prefix(at: $0.content.lowerBound, min(80, $0.content.count)), as: UTF8.self)
        }
        for value in boxes(in: values) {
            guard let number = window.uint32(at: value.content.lowerBound - 4), names.indices.contains(number - 1),
                let data = box("data", in: value.content), data.count > 8
            else { continue }
            let text = String(decoding: window.prefix(at: data.lowerBound + 8, min(64, data.count - 8)), as: UTF8.self)
            switch names[number - 1] {
            case "com.apple.quicktime.location.ISO6709": header.place = Place(iso6709: text) ?? header.place
            case "com.apple.quicktime.creationdate": header.date = CaptureDate(iso8601: text) ?? header.date
            default: break
            }
        }
    }
}

extension Place {
    /// Reads decimal degrees as ISO 6709 writes them: `+47.3700+008.5400+408.000/`.
    init?(iso6709 text: String) {
        var numbers: [Double] = []
        var current = ""
        for character in text + "/" {
            if character == "+" || character == "-" || !(character.isNumber || character == ".") {
                if let value = Double(current) { numbers.append(value) }
                current = String(character)
                if character == "/" { break }
            } else {
                current.append(character)
            }
        }
        guard numbers.count >= 2 else { return nil }
        self.init(latitude: numbers[0], longitude: numbers[1])
    }
}

extension CaptureDate {
    /// Reads `2026-05-01T10:00:00+0900`.
    init?(iso8601 text: String) {
        self.init(exif: String(text.prefix(19)))
        let zone = text.dropFirst(19)
        if zone.hasPrefix("Z") {
            offsetMinutes = 0
        } else if zone.count >= 5 {
            let digits = zone.filter { $0.isNumber }
            setOffset(exif: "\(zone.prefix(1))\(digits.prefix(2)):\(digits.dropFirst(2).prefix(2))")
        }
    }
}
