/// The files of a library: folders in the order of their paths, in each the files in the order of their names.
///
/// A value that is never changed once it is handed out. About 150 bytes a file.
struct FileTable: Sendable {
    private(set) var folders: [FilePath] = []
    private(set) var records: [FileRecord] = []
    /// All names behind one another.
    private(set) var names: [UInt8] = []
    /// Where each folder's records begin, and at last where they end.
    private(set) var starts: [Int] = [0]

    /// Makes room for as many files.
    mutating func reserve(_ count: Int) {
        records.reserveCapacity(count)
        names.reserveCapacity(count * 20)
    }

    /// Whether a name may be so many bytes long: as long as Linux lets names be.
    static func isName(_ length: Int) -> Bool { (1...255).contains(length) }

    /// Begins the next folder, whose path comes after those before.
    mutating func append(folder: FilePath) {
        folders.append(folder)
        starts.append(records.count)
    }

    /// Adds a file to the folder begun last.
    mutating func append(_ record: FileRecord, name: some Collection<UInt8>) {
        var record = record
        record.folder = UInt32(folders.count - 1)
        record.nameStart = UInt32(names.count)
        record.nameLength = UInt16(name.count)
        names.append(contentsOf: name)
        records.append(record)
        starts[starts.count - 1] = records.count
    }

    mutating func update(_ index: Int, _ body: (inout FileRecord) -> Void) { body(&records[index]) }

    /// The records of a folder.
    func files(of folder: Int) -> Range<Int> { starts[folder]..<starts[folder + 1] }

    /// The bytes of a file's name.
    func name(_ index: Int) -> ArraySlice<UInt8> {
        let record = records[index]
        return names[Int(record.nameStart)..<Int(record.nameStart) + Int(record.nameLength)]
    }

    /// The path of a file.
    func path(_ index: Int) -> FilePath {
        folders[Int(records[index].folder)].appending(FilePath(bytes: name(index)))
    }

    /// The place of the folder at `path`. O(log folders).
    func folder(at path: FilePath) -> Int? {
        var range = 0..<folders.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if folders[middle] == path { return middle }
            range = folders[middle] < path ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// The place of a folder's file. O(1) where it is at `guess`, else O(log files).
    func file(named name: UnsafeRawBufferPointer, in folder: Int, near guess: Int) -> Int? {
        names.withUnsafeBytes { names in
            func found(_ index: Int) -> UnsafeRawBufferPointer {
                let start = Int(records[index].nameStart)
                return UnsafeRawBufferPointer(rebasing: names[start..<start + Int(records[index].nameLength)])
            }
            var range = files(of: folder)
            if range.contains(guess), found(guess).equals(name) { return guess }
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                let other = found(middle)
                if other.equals(name) { return middle }
                range = other.precedes(name) ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return nil
        }
    }

    /// Stops where the order or the bookkeeping is broken; for tests.
    func checkInvariants() {
        precondition(starts.count == folders.count + 1 && starts.first == 0 && starts.last == records.count)
        precondition(zip(folders, folders.dropFirst()).allSatisfy { $0 < $1 }, "folders are in order")
        for folder in folders.indices {
            for index in files(of: folder) {
                precondition(records[index].folder == UInt32(folder))
                if index > starts[folder] {
                    precondition(name(index - 1).lexicographicallyPrecedes(name(index)), "names are in order")
                }
            }
        }
        let ids = records.lazy.filter { $0.form != .other }.map { Identity($0) }
        precondition(Set(ids).count == ids.count, "no two files have one identifier")
    }
}
