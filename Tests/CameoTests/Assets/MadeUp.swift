/// Headers of files that no camera wrote, small and valid as far as a header goes.
enum MadeUp {
    /// A JPEG up to its frame header, with what is given in its EXIF data. `salt` makes contents differ.
    static func jpeg(
        _ width: Int = 40, _ height: Int = 30, date: String? = nil, offset: String? = nil, fraction: String? = nil,
        place: (Double, Double)? = nil, comment: String? = nil, orientation: Int = 1, salt: String = ""
    ) -> [UInt8] {
        let exif = tiff(
            date: date, offset: offset, fraction: fraction, place: place, comment: comment, orientation: orientation)
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1] + big(exif.count + 8, 2) + Array("Exif\0\0".utf8) + exif
        bytes += [0xFF, 0xC0, 0, 17, 8] + big(height, 2) + big(width, 2) + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        return bytes + [0xFF, 0xDA, 0, 2] + Array(salt.utf8) + [0xFF, 0xD9]
    }

    /// EXIF data with a camera's note of its own: its type, how many values it claims, and the bytes of them or of where
    /// they are.
    static func exif(date: String, orientation: Int, note: (type: Int, count: Int, value: [UInt8])?) -> [UInt8] {
        tiff(date: date, orientation: orientation, note: note)
    }

    /// A DNG: a TIFF with the tag that only DNG has.
    static func dng(_ width: Int, _ height: Int, date: String? = nil, salt: String = "") -> [UInt8] {
        tiff(
            date: date,
            extra: [(0x0100, 4, 1, big(width, 4)), (0x0101, 4, 1, big(height, 4)), (0xC612, 1, 4, [1, 4, 0, 0])])
            + Array(salt.utf8)
    }

    /// A QuickTime film of one track.
    static func film(_ width: Int, _ height: Int, seconds: Int = 0, salt: String = "") -> [UInt8] {
        let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { big($0, 4) }
        let header = [UInt8](repeating: 0, count: 40) + matrix + big(width << 16, 4) + big(height << 16, 4)
        let movie = box("mvhd", [0, 0, 0, 0] + big(seconds, 4) + [UInt8](repeating: 0, count: 92))
        return box("ftyp", Array("qt  \0\0\0\0qt  ".utf8)) + box("mdat", Array(salt.utf8))
            + box("moov", movie + box("trak", box("tkhd", header)))
    }

    /// A GIF of so many frames of one pixel.
    static func gif(frames: Int) -> [UInt8] {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            + (0..<frames).flatMap { _ in frame } + [0x3B]
    }

    /// A HEIC up to its media data: the properties of its one item, those named in `order` after the size.
    static func heif(
        _ width: Int, _ height: Int, aperture: (Int, Int, Int, Int), turns: UInt8, order: [String]
    ) -> [UInt8] {
        let clap = [aperture.0, aperture.1, aperture.2, aperture.3, 0, 1, 0, 1].flatMap { big($0, 4) }
        let size = box("ispe", big(0, 4) + big(width, 4) + big(height, 4))
        let container = box("ipco", size + box("clap", clap) + box("irot", [turns]))
        let places = [UInt8(1)] + order.map { $0 == "clap" ? 2 : 3 }
        let list = box("ipma", big(0, 4) + big(1, 4) + big(1, 2) + [UInt8(places.count)] + places)
        let item = box("pitm", big(0, 4) + big(1, 2))
        return box("ftyp", Array("heic\0\0\0\0heic".utf8))
            + box("meta", big(0, 4) + item + box("iprp", container + list))
    }

    static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(kind.utf8) + content
    }

    static func fullBox(_ kind: String, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        box(kind, [version, 0, 0, 0] + content)
    }

    static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])

    private static func text(_ tag: Int, _ text: String) -> Entry {
        (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
    }

    private static func tiff(
        date: String? = nil, offset: String? = nil, fraction: String? = nil, place: (Double, Double)? = nil,
        comment: String? = nil, orientation: Int = 1, extra: [(Int, Int, Int, [UInt8])] = [],
        note: (type: Int, count: Int, value: [UInt8])? = nil
    ) -> [UInt8] {
        var exif: [Entry] = []
        if let note { exif.append((0x927C, note.type, note.count, note.value)) }
        if let date { exif.append(text(0x9003, date)) }
        if let offset { exif.append(text(0x9011, offset)) }
        if let comment {
            exif.append((0x9286, 7, comment.utf8.count + 8, Array("ASCII\0\0\0".utf8) + Array(comment.utf8)))
        }
        if let fraction { exif.append(text(0x9291, fraction)) }
        var gps: [Entry] = []
        if let (latitude, longitude) = place {
            gps = [
                text(1, latitude < 0 ? "S" : "N"), (2, 5, 3, degrees(latitude)), text(3, longitude < 0 ? "W" : "E"),
                (4, 5, 3, degrees(longitude)),
            ]
        }
        let main: [Entry] = extra.map { ($0.0, $0.1, $0.2, $0.3) } + [(0x0112, 3, 1, big(orientation, 2))]
        let mainLength = 2 + (main.count + 2) * 12 + 4
        let exifBytes = directory(exif, at: 8 + mainLength)
        let gpsStart = 8 + mainLength + exifBytes.count
        let pointers: [Entry] = [(0x8769, 4, 1, big(8 + mainLength, 4)), (0x8825, 4, 1, big(gpsStart, 4))]
        return Array("MM\0*".utf8) + big(8, 4) + directory(main + pointers, at: 8) + exifBytes
            + directory(gps, at: gpsStart)
    }

    private static func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
        var bytes = big(entries.count, 2)
        var values: [UInt8] = []
        let end = start + 2 + entries.count * 12 + 4
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            bytes += big(entry.tag, 2) + big(entry.type, 2) + big(entry.count, 4)
            if entry.value.count <= 4 {
                bytes += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            } else {
                bytes += big(end + values.count, 4)
                values += entry.value
            }
        }
        return bytes + [0, 0, 0, 0] + values
    }

    private static func degrees(_ value: Double) -> [UInt8] {
        big(Int((abs(value) * 1e7).rounded()), 4) + big(10_000_000, 4) + big(0, 4) + big(1, 4) + big(0, 4) + big(1, 4)
    }
}
