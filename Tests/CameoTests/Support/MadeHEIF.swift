import Foundation

/// A HEIC or AVIF whose container is written box by box (ISO/IEC 14496-12 and 23008-12): the four quarters of
/// `Pictures.quarters`, 128 × 64 pixels as they are stored.
struct MadeHEIF: Sendable {
    enum Coding: String, Sendable, CaseIterable {
        case heic, avif

        /// Decoder configuration and picture, as x265 and libaom coded it.
        fileprivate var coded: (kind: String, property: String, configuration: String, picture: String) {
            switch self {
            case .heic: ("hvc1", "hvcC", Self.hevcConfiguration, Self.hevcPicture)
            case .avif: ("av01", "av1C", "gQAMAA==", Self.av1Picture)
            }
        }

        private static let hevcConfiguration =
            "AQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQArQgEBA3AAAAMA"
            + "kAAAAwAAAwAeoBAgQWW6kkprm4CGgwIAAAMAMgAAAwACEGIAAQAHRAHBcrAiQA=="
        private static let hevcPicture =
            "AAAAYSgBrwng4wucuq///jSf//39B5D9go06gm3/+m4+O/wIL//9V4F9XBZuDxn/bYotXIXIewvPUKj9ZgXQFH1K"
            + "oN+SLD/+zJHf8jKV/9K5BsXr7H6JWD/gytP+kEPKl/4tn8A="
        private static let av1Picture =
            "EgAKCRgZf/7ZAQ0GhDI4EePDwzKAAPCAAAAAAKKQd/5RZKnaV8PJgxjWs5P7qWdr1/wcSYeGIPZc7ykyRRsgHQnD"
            + "IcoUgWo="
    }

    var coding: Coding
    /// Quarter turns against the clock.
    var turns: UInt8?
    /// 0 where top and bottom change places, 1 where left and right do; after the turns.
    var mirror: UInt8?
    /// What EXIF data beside the picture say.
    var orientation: Int?
    /// The transfer curve, by ITU-T H.273.
    var curve: UInt8 = 13
    var primaries: UInt8 = 1

    func encoded() -> [UInt8] {
        let coded = coding.coded
        let picture = Self.bytes(coded.picture)
        let exif = orientation.map { MadeUp.big(6, 4) + Array("Exif\0\0".utf8) + Pictures.exif(orientation: $0) } ?? []
        let kind = MadeUp.box("ftyp", Array("\(coding)\0\0\0\0mif1\(coding)".utf8))
        let meta = { (start: Int) in self.meta(coded.kind, picture.count, exif.count, dataAt: start) }
        let start = kind.count + meta(0).count + 8
        return kind + meta(start) + MadeUp.box("mdat", picture + exif)
    }

    private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { Array($0) } ?? [] }

    private func meta(_ kind: String, _ pictureLength: Int, _ exifLength: Int, dataAt start: Int) -> [UInt8] {
        var items = [MadeUp.fullBox("infe", version: 2, MadeUp.big(1, 2) + [0, 0] + Array("\(kind)\0".utf8))]
        var places = [MadeUp.big(1, 2) + [0, 0, 0, 1] + MadeUp.big(start, 4) + MadeUp.big(pictureLength, 4)]
        var references: [UInt8] = []
        if exifLength > 0 {
            items.append(MadeUp.fullBox("infe", version: 2, MadeUp.big(2, 2) + [0, 0] + Array("Exif\0".utf8)))
            places.append(
                MadeUp.big(2, 2) + [0, 0, 0, 1] + MadeUp.big(start + pictureLength, 4) + MadeUp.big(exifLength, 4))
            references = MadeUp.fullBox("iref", MadeUp.box("cdsc", [0, 2, 0, 1, 0, 1]))
        }
        return MadeUp.fullBox(
            "meta",
            MadeUp.fullBox("hdlr", [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
                + MadeUp.fullBox("pitm", [0, 1])
                + MadeUp.fullBox("iloc", [0x44, 0] + MadeUp.big(places.count, 2) + places.flatMap { $0 })
                + MadeUp.fullBox("iinf", MadeUp.big(items.count, 2) + items.flatMap { $0 }) + references
                + MadeUp.box("iprp", properties))
    }

    private var properties: [UInt8] {
        let coded = coding.coded
        var list = [
            MadeUp.box(coded.property, Self.bytes(coded.configuration)),
            MadeUp.fullBox("ispe", MadeUp.big(128, 4) + MadeUp.big(64, 4)),
            MadeUp.fullBox("pixi", [3, 8, 8, 8]),
            MadeUp.box("colr", Array("nclx".utf8) + [0, primaries, 0, curve, 0, 6, 0x80]),
        ]
        if let turns { list.append(MadeUp.box("irot", [turns])) }
        if let mirror { list.append(MadeUp.box("imir", [mirror])) }
        // What changes the picture may not be passed over.
        let places = (1...UInt8(list.count)).map { $0 == 1 || $0 > 4 ? $0 | 0x80 : $0 }
        return MadeUp.box("ipco", list.flatMap { $0 })
            + MadeUp.fullBox("ipma", MadeUp.big(1, 4) + [0, 1, UInt8(places.count)] + places)
    }
}
