/// A table with what a scan found worked into it.
struct TableUpdate {
    let table: FileTable
    /// Places, in the new table, of files that are new or were read again.
    let written: [Int]
    /// Places, in the old table, of files that are gone.
    let removed: [Int]

    var isEmpty: Bool { written.isEmpty && removed.isEmpty }

    /// Works `result` into `old`. O(files).
    init(_ old: FileTable, _ result: FolderScanner.Result) {
        var isSeen = [Bool](repeating: false, count: old.records.count)
        var assigner = Self.assigner(old, result, &isSeen)
        removed = isSeen.indices.filter { !isSeen[$0] }

        var reads: [(listing: Int, index: Int, record: FileRecord, former: FileRecord?)] = []
        for listing in result.findings.indices {
            for (index, found) in result.findings[listing].enumerated() {
                guard case .read(let record, let place) = found.finding, record.form != .other else { continue }
                reads.append((listing, index, record, place.map { old.records[$0] }))
            }
        }
        var isNamed = [Bool](repeating: false, count: reads.count)
        for index in reads.indices {
            guard let former = reads[index].former, Self.isInPlace(former, reads[index].record) else { continue }
            (reads[index].record.identity, reads[index].record.twin) = (former.identity, former.twin)
            assigner.claim(reads[index].record)
            isNamed[index] = true
        }
        // Those whose inode proves the move come first.
        for needsInode in [true, false] {
            for index in reads.indices where !isNamed[index] {
                if needsInode, !assigner.hasDisplacedInode(of: reads[index].record) { continue }
                isNamed[index] = assigner.moved(&reads[index].record)
            }
        }
        for index in reads.indices where !isNamed[index] {
            guard let former = reads[index].former else { continue }
            isNamed[index] = assigner.inherit(&reads[index].record, from: former)
        }
        for index in reads.indices where !isNamed[index] { assigner.name(&reads[index].record) }

        (table, written) = Self.assemble(old, result, reads.map { ($0.listing, $0.index, $0.record) })
    }

    private static func isInPlace(_ former: FileRecord, _ record: FileRecord) -> Bool {
        former.form != .other && (former.inode == record.inode || former.content == record.content)
    }

    private static func assigner(_ old: FileTable, _ result: FolderScanner.Result, _ isSeen: inout [Bool])
        -> IdentityAssigner
    {
        var displaced: [FileRecord] = []
        var kept: [Int] = []
        var reads: Set<Fingerprint> = []
        for (listing, findings) in zip(result.listings, result.findings) {
            if listing.isKept, let place = listing.known {
                for file in old.files(of: place) {
                    isSeen[file] = true
                    kept.append(file)
                }
                continue
            }
            for found in findings {
                switch found.finding {
                case .known(let place):
                    isSeen[place] = true
                    kept.append(place)
                case .read(let record, let place?):
                    isSeen[place] = true
                    reads.formUnion([record.content, old.records[place].identity])
                    if !isInPlace(old.records[place], record) { displaced.append(old.records[place]) }
                case .read(let record, nil): reads.insert(record.content)
                }
            }
        }
        for place in isSeen.indices where !isSeen[place] { displaced.append(old.records[place]) }
        return IdentityAssigner(kept: kept.lazy.map { old.records[$0] }, displaced: displaced, reads: reads)
    }

    private static func assemble(
        _ old: FileTable, _ result: FolderScanner.Result, _ named: [(listing: Int, index: Int, record: FileRecord)]
    ) -> (FileTable, [Int]) {
        var table = FileTable()
        table.reserve(old.records.count + named.count)
        var written: [Int] = []
        var next = 0
        for (place, listing) in result.listings.enumerated() {
            table.append(folder: listing.path)
            if listing.isKept, let known = listing.known {
                for file in old.files(of: known) { table.append(old.records[file], name: old.name(file)) }
                continue
            }
            for (index, found) in result.findings[place].enumerated() {
                switch found.finding {
                case .known(let file): table.append(old.records[file], name: listing.bytes[listing.names[found.name]])
                case .read(let record, _):
                    written.append(table.records.count)
                    if next < named.count, named[next].listing == place, named[next].index == index {
                        table.append(named[next].record, name: listing.bytes[listing.names[found.name]])
                        next += 1
                    } else {
                        table.append(record, name: listing.bytes[listing.names[found.name]])
                    }
                }
            }
        }
        return (table, written)
    }
}
