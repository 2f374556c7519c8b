/// Puts the properties of a HEIF's items into the order that the standard asks for.
///
/// ISO/IEC 23008-12, 6.5.1: descriptive properties (the size among them) come before transformative ones (rotation,
/// mirror, crop). Some AVIF writers put the rotation first; libheif then reports the size before the rotation and
/// decodes the one after it, and libvips refuses the file.
enum HEIFProperties {
    private static let transformative = ["irot", "imir", "clap"]

    /// The places in `data` to overwrite, and with what; empty where the order is right. Sizes do not change.
    static func corrections(_ data: Span<UInt8>) -> [(offset: Int, bytes: [UInt8])] {
        guard let meta = box("meta", data, 0..<data.count), let properties = box("iprp", data, meta.dropFirst(4)),
            let container = box("ipco", data, properties), let associations = box("ipma", data, properties)
        else { return [] }
        var kinds: [String] = []
        forEachBox(data, container) { kind, _ in
            kinds.append(kind)
            return true
        }
        return reordered(data, associations) { index in
            kinds.indices.contains(index - 1) && transformative.contains(kinds[index - 1])
        }
    }

    /// Moves transformative properties to the end of each item's list.
    private static func reordered(
        _ data: Span<UInt8>, _ box: Range<Int>, isTransformative: (Int) -> Bool
    ) -> [(offset: Int, bytes: [UInt8])] {
        associations(data, box).compactMap { item in
            let sorted =
                item.entries.filter { !isTransformative(index($0)) }
                + item.entries.filter { isTransformative(index($0)) }
            return sorted == item.entries ? nil : (item.offset, sorted.flatMap(\.self))
        }
    }

    /// An item's properties: where its list stands, and the list, an index of one or two bytes for each.
    private struct Association {
        let item: Int
        let offset: Int
        let entries: [[UInt8]]
    }

    /// A property's place in `ipco`, from 1; the highest bit says something else.
    private static func index(_ entry: [UInt8]) -> Int {
        entry.count == 1 ? Int(entry[0] & 0x7F) : Int(entry[0] & 0x7F) << 8 | Int(entry[1])
    }

    /// Reads an `ipma` box (ISO/IEC 23008-12, 9.3.2), as far as it is whole.
    private static func associations(_ data: Span<UInt8>, _ box: Range<Int>) -> [Association] {
        guard let flags = data.uint32(at: box.lowerBound), let items = data.uint32(at: box.lowerBound + 4) else {
            return []
        }
        let identifierWidth = flags >> 24 == 0 ? 2 : 4
        let width = flags & 1 == 0 ? 1 : 2
        var found: [Association] = []
        var offset = box.lowerBound + 8
        for _ in 0..<items {
            let start = offset + identifierWidth + 1
            guard start <= box.upperBound,
                let item = identifierWidth == 2 ? data.uint16(at: offset) : data.uint32(at: offset)
            else { break }
            let count = Int(data[start - 1])
            offset = start + count * width
            guard offset <= box.upperBound else { break }
            let entries = (0..<count).map { entry in (0..<width).map { data[start + entry * width + $0] } }
            found.append(Association(item: item, offset: start, entries: entries))
        }
        return found
    }

    /// How the primary picture's numbers are to be read where they are of high dynamic range: its `colr` property of
    /// type `nclx` (ISO/IEC 14496-12, 12.1.5), which a profile would overrule.
    ///
    /// Other items do not count: beside a standard picture, a gain map's item has a transfer of its own.
    static func transfer(_ data: Span<UInt8>) -> HDRTransfer? {
        guard let meta = box("meta", data, 0..<data.count), let primary = box("pitm", data, meta.dropFirst(4)),
            let properties = box("iprp", data, meta.dropFirst(4)), let container = box("ipco", data, properties),
            let list = box("ipma", data, properties), let version = data.uint32(at: primary.lowerBound),
            let item = version >> 24 == 0
                ? data.uint16(at: primary.lowerBound + 4) : data.uint32(at: primary.lowerBound + 4)
        else { return nil }
        let own = Set(associations(data, list).filter { $0.item == item }.flatMap(\.entries).map(index))
        var (transfer, place): (HDRTransfer?, Int) = (nil, 0)
        forEachBox(data, container) { kind, content in
            place += 1
            if own.contains(place), kind == "colr", data.matches("nclx", at: content.lowerBound),
                let primaries = data.uint16(at: content.lowerBound + 4),
                let curve = data.uint16(at: content.lowerBound + 6)
            {
                transfer = HDRTransfer(curve: curve, primaries: primaries)
            }
            return transfer == nil
        }
        return transfer
    }

    private static func box(_ kind: String, _ data: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        var found: Range<Int>?
        forEachBox(data, range) { name, content in
            if name == kind { found = content }
            return found == nil
        }
        return found
    }

    /// Calls `body` with the kind and content of each box in `range` until it returns false.
    private static func forEachBox(_ data: Span<UInt8>, _ range: Range<Int>, _ body: (String, Range<Int>) -> Bool) {
        var offset = range.lowerBound
        while offset <= range.upperBound - 8, let length = data.uint32(at: offset) {
            let kind = String(decoding: (4..<8).map { data[offset + $0] }, as: UTF8.self)
            // 0 means "to the end"; 1, a 64-bit length, is for media data, behind which nothing of interest comes.
            let end = length == 0 ? range.upperBound : offset + length
            guard length != 1, length == 0 || length >= 8, end <= range.upperBound else { return }
            if !body(kind, offset + 8..<end) { return }
            offset = end
        }
    }
}
