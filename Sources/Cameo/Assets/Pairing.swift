/// Which files make one asset: a still and a film of one name (a Live Photo), a raw file and its JPEG.
///
/// Names are compared without the extension, bytes for bytes, within one folder.
enum Pairing {
    /// An asset's main file and another file of it, both by their places in the table.
    struct Pair: Hashable, Sendable {
        let asset: UInt32
        let companion: UInt32
    }

    /// Marks companions in `table`; returns all pairs, in the order of the assets, and the places of records that
    /// are marked otherwise than before.
    static func mark(_ table: inout FileTable) -> (pairs: [Pair], changed: [Int]) {
        var pairs: [Pair] = []
        var changed: [Int] = []
        for folder in table.folders.indices {
            let files = table.files(of: folder)
            // Most folders have neither pairs nor what could make one.
            let isConcerned = files.contains { place in
                let record = table.records[place]
                return record.form == .film || record.form == .raw || record.isCompanion
                    || record.subtypes & pairBits != 0
            }
            guard isConcerned else { continue }
            let marks = files.map { (table.records[$0].flags, table.records[$0].subtypes) }
            defer {
                changed += zip(files, marks).compactMap { place, mark in
                    mark == (table.records[place].flags, table.records[place].subtypes) ? nil : place
                }
            }
            for index in files { table.update(index, reset) }
            var byStem: [ArraySlice<UInt8>: [Int]] = [:]
            for index in files where table.records[index].form != .other {
                byStem[stem(table.name(index)), default: []].append(index)
            }
            for group in byStem.values where group.count > 1 { pair(group, in: &table, into: &pairs) }
        }
        pairs.sort { ($0.asset, $0.companion) < ($1.asset, $1.companion) }
        return (pairs, changed)
    }

    private static let pairBits = UInt8(Asset.Subtypes.live.rawValue | Asset.Subtypes.raw.rawValue)

    private static func reset(_ record: inout FileRecord) {
        record.flags &= ~FileRecord.companion
        record.subtypes &= ~pairBits
        if record.form == .raw { record.subtypes |= UInt8(Asset.Subtypes.raw.rawValue) }
    }

    private static func pair(_ group: [Int], in table: inout FileTable, into pairs: inout [Pair]) {
        func first(_ form: FileHeader.Form) -> Int? { group.first { table.records[$0].form == form } }
        let (jpeg, heif, raw, film) = (first(.jpeg), first(.heif), first(.raw), first(.film))
        // Phones film beside HEIC where they write one; cameras put the raw beside the JPEG.
        if let still = heif ?? jpeg, let film {
            join(film, to: still, .live, in: &table, into: &pairs)
        }
        if let still = jpeg ?? heif, let raw {
            join(raw, to: still, .raw, in: &table, into: &pairs)
        }
    }

    private static func join(
        _ companion: Int, to asset: Int, _ subtype: Asset.Subtypes, in table: inout FileTable, into pairs: inout [Pair]
    ) {
        table.update(companion) { $0.flags |= FileRecord.companion }
        table.update(asset) { $0.subtypes |= UInt8(subtype.rawValue) }
        pairs.append(Pair(asset: UInt32(asset), companion: UInt32(companion)))
    }

    private static func stem(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return name }
        return name[..<dot]
    }
}
