extension HeaderReader {
    private static let metaLimit = 1 << 20

    /// Reads the `meta` box (ISO/IEC 23008-12): the primary item's size and turns, and the EXIF item.
    ///
    /// The container's rotation and mirror are what counts; the orientation in the EXIF data is not applied again.
    mutating func readHEIF() {
        let brand = window.prefix(at: 8, 4)
        header.isAnimated = ["avis", "msf1", "hevc", "hevx"].contains(String(decoding: brand, as: UTF8.self))
        let top = boxes(in: 0..<window.count, limit: 50)
        guard let meta = top.first(where: { $0.kind == "meta" })?.content, meta.count > 4, meta.count <= Self.metaLimit
        else {
            return readSequenceSize(top)
        }
        let parts = boxes(in: meta.dropFirst(4))
        func part(_ kind: String) -> Range<Int>? { parts.first { $0.kind == kind }?.content }
        let primary = part("pitm").flatMap { itemNumber(at: $0.lowerBound) }
        if let properties = part("iprp") { readProperties(properties, primary: primary) }
        if let place = exifPlace(parts) {
            let data = window.prefix(at: place.offset, min(place.length, 131_072))
            // Four bytes tell where behind them the TIFF header is.
            if let skip = data.span.uint32(at: 0), skip < data.count {
                header.take(ExifReader(Array(data.dropFirst(4 + skip)).span), orientation: false)
            }
        }
        if header.storedSize == nil { readSequenceSize(top) }
    }

    /// Where in the file the EXIF item lies, by the boxes of the `meta` box.
    private mutating func exifPlace(_ parts: [Box]) -> (offset: Int, length: Int)? {
        func part(_ kind: String) -> Range<Int>? { parts.first { $0.kind == kind }?.content }
        guard let infos = part("iinf"), let locations = part("iloc"), let item = exifItem(infos) else { return nil }
        return location(of: item, in: locations, itemData: part("idat"))
    }

    /// The end of the `meta` box and of the EXIF data, or of what has to be read to find them; nil where that is no way
    /// to the header: where boxes are not as nearly all writers have them, media data last.
    mutating func metaExtent() -> Int? {
        var (offset, meta): (Int, Box?) = (0, nil)
        while offset < window.count {
            guard let box = boxes(in: offset..<window.count, limit: 1).first else {
                return offset + 16 > window.beginning.count ? offset + 16 : nil
            }
            if box.kind == "meta" { meta = box }
            if box.kind == "mdat", meta == nil || box.content.upperBound < window.count { return nil }
            if box.kind == "moov" { return nil }
            offset = box.content.upperBound
        }
        guard let meta = meta?.content, meta.count > 4, meta.count <= Self.metaLimit else { return nil }
        // Sizes are looked for in so much.
        let end = max(meta.upperBound, min(65_536, window.count))
        guard meta.upperBound <= window.beginning.count else { return end }
        let parts = boxes(in: meta.dropFirst(4))
        guard let infos = parts.first(where: { $0.kind == "iinf" })?.content else { return nil }
        if exifItem(infos) == nil { return end }
        return exifPlace(parts).map { max(end, $0.offset + $0.length) }
    }

    private mutating func readSequenceSize(_ top: [Box]) {
        guard let movie = top.first(where: { $0.kind == "moov" })?.content else { return }
        readMovie(movie)
    }

    /// The number in a full box whose version tells its width.
    private mutating func itemNumber(at offset: Int) -> Int? {
        window.byte(at: offset) == 0 ? window.uint16(at: offset + 4) : window.uint32(at: offset + 4)
    }

    private mutating func readProperties(_ range: Range<Int>, primary: Int?) {
        guard let container = box("ipco", in: range) else { return }
        let properties = boxes(in: container, limit: 2000)
        var indexes: [Int]?
        for list in boxes(in: range) where list.kind == "ipma" && indexes == nil {
            indexes = associations(list.content, of: primary)
        }
        let own = (indexes ?? Array(properties.indices)).filter(properties.indices.contains).map { properties[$0] }
        var size: PixelSize?
        for property in own where property.kind == "ispe" {
            guard let width = window.uint32(at: property.content.lowerBound + 4),
                let height = window.uint32(at: property.content.lowerBound + 8)
            else { continue }
            let found = PixelSize(width: width, height: height)
            if found.area > size?.area ?? 0 { size = found }
        }
        var turns = 0
        for property in own where indexes != nil {
            switch property.kind {
            case "irot": turns += Int(window.byte(at: property.content.lowerBound) ?? 0) & 3
            case "clap":
                // It is of the picture as those before it left it.
                guard let whole = size, let aperture = cleanAperture(property.content) else { continue }
                let part = turns & 1 == 0 ? aperture : aperture.transposed
                size = PixelSize(width: min(part.width, whole.width), height: min(part.height, whole.height))
            default: break
            }
        }
        header.storedSize = size
        header.orientation = [.up, .left, .down, .right][turns & 3]
    }

    /// How large a part of the picture is to be shown (ISO/IEC 14496-12, 12.1.4): two fractions, rounded as libheif
    /// rounds them.
    private mutating func cleanAperture(_ range: Range<Int>) -> PixelSize? {
        func side(_ offset: Int) -> Int? {
            guard let top = window.uint32(at: range.lowerBound + offset),
                let bottom = window.uint32(at: range.lowerBound + offset + 4), bottom > 0
            else { return nil }
            let side = (top + bottom / 2) / bottom
            return side > 0 ? side : nil
        }
        guard let width = side(0), let height = side(8) else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// Indexes, from 0, of the properties of `item`.
    private mutating func associations(_ range: Range<Int>, of item: Int?) -> [Int]? {
        guard let item, let flags = window.uint32(at: range.lowerBound),
            let count = window.uint32(at: range.lowerBound + 4)
        else {
            return nil
        }
        let isWide = flags >> 24 != 0
        let width = flags & 1 == 0 ? 1 : 2
        var offset = range.lowerBound + 8
        for _ in 0..<count {
            guard offset < range.upperBound,
                let number = isWide ? window.uint32(at: offset) : window.uint16(at: offset),
                let entries = window.byte(at: offset + (isWide ? 4 : 2))
            else { return nil }
            let start = offset + (isWide ? 5 : 3)
            offset = start + Int(entries) * width
            guard number == item, let data = window.bytes(at: start, Int(entries) * width) else { continue }
            return (0..<Int(entries)).map { entry in
                let value =
                    width == 1 ? Int(data[entry] & 0x7F) : (Int(data[entry * 2] & 0x7F) << 8 | Int(data[entry * 2 + 1]))
                return value - 1
            }
        }
        return nil
    }

    private mutating func exifItem(_ range: Range<Int>) -> Int? {
        let countWidth = window.byte(at: range.lowerBound) == 0 ? 2 : 4
        guard range.count > 4 + countWidth else { return nil }
        for info in boxes(in: range.dropFirst(4 + countWidth), limit: 2000) where info.kind == "infe" {
            guard let version = window.byte(at: info.content.lowerBound), version >= 2 else { continue }
            let isWide = version > 2
            let start = info.content.lowerBound + 4
            guard let kind = window.bytes(at: start + (isWide ? 6 : 4), 4), kind.elementsEqual("Exif".utf8) else {
                continue
            }
            return isWide ? window.uint32(at: start) : window.uint16(at: start)
        }
        return nil
    }
}
