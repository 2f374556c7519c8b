/// What Cameo wants to know of a picture's EXIF data, read from the TIFF structure that holds it.
///
/// A reader of a few tags, which never fails: what is damaged or out of place is as if it were absent, and MakerNotes
/// are not looked at. Tags are those of EXIF 2.32 and TIFF 6.0.
struct ExifReader {
    private(set) var orientation = Orientation.up
    private(set) var date: CaptureDate?
    private(set) var place: Place?
    /// Whether the user comment says so, as phones write it.
    private(set) var isScreenshot = false
    /// The embedded preview, as a range of the bytes given to `init`.
    private(set) var preview: Range<Int>?

    /// Reads a directory and what it points to in a part of a TIFF file: `data` begins at `start` of the file, the
    /// directory is at `offset` of the file. What lies in other parts is absent.
    init(_ data: Span<UInt8>, from start: Int, directory offset: Int, bigEndian: Bool) {
        let main = Directory(base: -start, offset: offset, bigEndian: bigEndian)
        read(main, in: data)
    }

    /// Reads `data`, with or without the `Exif\0\0` that JPEG puts before it.
    init(_ data: Span<UInt8>) {
        let base = data.matches("Exif") ? 6 : 0
        guard let bigEndian = data.matches("MM", at: base) ? true : data.matches("II", at: base) ? false : nil,
            let first = data.uint32(at: base + 4, bigEndian: bigEndian)
        else { return }
        let main = Directory(base: base, offset: first, bigEndian: bigEndian)
        read(main, in: data)

        guard let next = main.next(in: data), next != first else { return }
        let thumbnail = Directory(base: base, offset: next, bigEndian: bigEndian)
        if let start = thumbnail.integer(0x0201, in: data), let length = thumbnail.integer(0x0202, in: data),
            length > 4, start <= data.count - base - length, data.matches([0xFF, 0xD8], at: base + start)
        {
            preview = base + start..<base + start + length
        }
    }

    private mutating func read(_ main: Directory, in data: Span<UInt8>) {
        if let tag = main.integer(0x0112, in: data) { orientation = Orientation(tag: tag) }
        let exif = main.subdirectory(0x8769, in: data)
        isScreenshot = exif?.comment(in: data) == "Screenshot"
        date = Self.date(main: main, exif: exif, in: data)
        if let gps = main.subdirectory(0x8825, in: data) { place = Self.place(gps, in: data) }
    }

    private static func date(main: Directory, exif: Directory?, in data: Span<UInt8>) -> CaptureDate? {
        // Original, digitised, and last the file's own, each with its fraction and offset.
        let candidates: [(Directory?, date: Int, fraction: Int, offset: Int)] = [
            (exif, 0x9003, 0x9291, 0x9011), (exif, 0x9004, 0x9292, 0x9012), (main, 0x0132, 0x9290, 0x9010),
        ]
        for (directory, tag, fraction, offset) in candidates {
            guard let text = directory?.text(tag, in: data), var date = CaptureDate(exif: text) else { continue }
            if let digits = exif?.text(fraction, in: data) { date.setFraction(exif: digits) }
            if let text = exif?.text(offset, in: data) { date.setOffset(exif: text) }
            return date
        }
        return nil
    }

    private static func place(_ gps: Directory, in data: Span<UInt8>) -> Place? {
        func degrees(_ tag: Int, _ reference: Int, negative: String) -> Double? {
            guard let parts = gps.rationals(tag, in: data), parts.count == 3 else { return nil }
            let value = parts[0] + parts[1] / 60 + parts[2] / 3600
            return gps.text(reference, in: data)?.uppercased().hasPrefix(negative) == true ? -value : value
        }
        guard let latitude = degrees(2, 1, negative: "S"), let longitude = degrees(4, 3, negative: "W") else {
            return nil
        }
        return Place(latitude: latitude, longitude: longitude)
    }
}

extension ExifReader {
    /// One image file directory: a list of tagged values.
    struct Directory {
        let base: Int
        let offset: Int
        let bigEndian: Bool

        private static let entryLimit = 1000

        /// The directory that the value of `tag` points to.
        func subdirectory(_ tag: Int, in data: Span<UInt8>) -> Directory? {
            integer(tag, in: data).map { Directory(base: base, offset: $0, bigEndian: bigEndian) }
        }

        /// The offset of the directory that follows.
        func next(in data: Span<UInt8>) -> Int? {
            guard let count = data.uint16(at: base + offset, bigEndian: bigEndian),
                let next = data.uint32(at: base + offset + 2 + count * 12, bigEndian: bigEndian), next > 0
            else { return nil }
            return next
        }

        /// The first value of `tag` where it is a whole number.
        func integer(_ tag: Int, in data: Span<UInt8>) -> Int? {
            guard let (type, _, value) = entry(tag, in: data) else { return nil }
            switch type {
            case 1: return data.indices.contains(value) ? Int(data[value]) : nil
            case 3: return data.uint16(at: value, bigEndian: bigEndian)
            case 4, 13: return data.uint32(at: value, bigEndian: bigEndian)
            default: return nil
            }
        }

        /// The values of `tag` where they are a few offsets.
        func integers(_ tag: Int, in data: Span<UInt8>) -> [Int] {
            guard let (type, count, value) = entry(tag, in: data), type == 4 || type == 13, count <= 16 else {
                return []
            }
            return (0..<count).compactMap { data.uint32(at: value + $0 * 4, bigEndian: bigEndian) }
        }

        /// The value of `tag` where it is text, without what follows its first zero.
        func text(_ tag: Int, in data: Span<UInt8>) -> String? {
            guard let (type, count, value) = entry(tag, in: data), type == 2 || type == 7, count <= 256 else {
                return nil
            }
            var bytes: [UInt8] = []
            for index in value..<value + count where data.indices.contains(index) {
                if data[index] == 0 { break }
                bytes.append(data[index])
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The user comment, without the eight bytes that name its coding.
        func comment(in data: Span<UInt8>) -> String? {
            guard let (type, count, value) = entry(0x9286, in: data), type == 7, count > 8, count <= 256,
                value >= 0, value <= data.count - count
            else { return nil }
            let bytes = (value + 8..<value + count).map { data[$0] }.filter { $0 != 0 }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The values of `tag` where they are fractions with denominators other than 0.
        func rationals(_ tag: Int, in data: Span<UInt8>) -> [Double]? {
            guard let (type, count, value) = entry(tag, in: data), type == 5, count <= 16 else { return nil }
            var result: [Double] = []
            for index in 0..<count {
                guard let top = data.uint32(at: value + index * 8, bigEndian: bigEndian),
                    let bottom = data.uint32(at: value + index * 8 + 4, bigEndian: bigEndian), bottom != 0
                else { return nil }
                result.append(Double(top) / Double(bottom))
            }
            return result
        }

        /// Type, count and place of the value of `tag`.
        private func entry(_ tag: Int, in data: Span<UInt8>) -> (type: Int, count: Int, value: Int)? {
            guard let entries = data.uint16(at: base + offset, bigEndian: bigEndian) else { return nil }
            for index in 0..<min(entries, Self.entryLimit) {
                let entry = base + offset + 2 + index * 12
                guard let found = data.uint16(at: entry, bigEndian: bigEndian) else { return nil }
                guard found == tag else { continue }
                guard let type = data.uint16(at: entry + 2, bigEndian: bigEndian),
                    let count = data.uint32(at: entry + 4, bigEndian: bigEndian), count > 0, count <= data.count,
                    let pointer = data.uint32(at: entry + 8, bigEndian: bigEndian)
                else { return nil }
                let widths = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
                let length = count * (type < widths.count ? widths[type] : 1)
                return (type, count, length <= 4 ? entry + 8 : base + pointer)
            }
            return nil
        }
    }
}
