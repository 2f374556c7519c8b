/// Libraries of any size that exist in a catalog alone, for benchmarks.
package enum SyntheticLibrary {
    /// Writes a catalog into `folder` for a library at `root`, of `count` photos, a thousand to a folder.
    ///
    /// The same count gives the same photos: over ten years and a few dozen places, four of five with a place.
    package static func write(count: Int, root: FilePath, catalog folder: FilePath) -> Bool {
        var random = Generator(state: 0x9E37_79B9_7F4A_7C15)
        var table = FileTable()
        table.append(folder: root)
        var seconds: Int64 = 1_450_000_000
        let step = max(1, 315_000_000 / Int64(count))
        for index in 0..<count {
            if index % 1000 == 0 { table.append(folder: root.appending("Folder \(padded(index / 1000))")) }
            // Mostly in order, as cameras count, but for one in ten.
            seconds += Int64(random.next() % UInt64(2 * step))
            var record = FileRecord()
            record.form = .jpeg
            record.content = Fingerprint(high: random.next(), low: random.next())
            record.identity = record.content
            record.size = 2_000_000 + Int64(index)
            record.inode = UInt64(index) + 1000
            record.modified = seconds * 1_000_000_000
            record.changed = record.modified
            (record.width, record.height) = (4032, 3024)
            record.set(
                CaptureDate(
                    civilSeconds: random.next() % 10 == 0 ? seconds - Int64(random.next() % 100_000_000) : seconds,
                    offsetMinutes: 60))
            if random.next() % 5 != 0 {
                let town = Double(index / 300 % 40)
                record.set(Place(latitude: 40 + town / 4, longitude: town / 2 + Double(random.next() % 1000) / 1e5))
            }
            if random.next() % 50 == 0 { record.subtypes = UInt8(Asset.Subtypes.panorama.rawValue) }
            table.append(record, name: "IMG_\(padded(index)).JPG".utf8)
        }
        let catalog = Catalog(path: Catalog.path(in: folder, roots: [root]))
        let snapshot = LibrarySnapshot(table, pairs: [])
        return catalog.save(snapshot, written: Array(table.records.indices), removed: [], old: FileTable())
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }

    /// SplitMix64.
    private struct Generator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
