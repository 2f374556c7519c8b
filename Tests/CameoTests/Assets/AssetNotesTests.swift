import Foundation
import Testing

@testable import Cameo

/// What is remembered about assets beside the catalog's records.
struct AssetNotesTests {
    private static func stamp(_ number: Int64, isRacy: Bool = false) -> ContentStamp {
        ContentStamp(size: 1, inode: 2, modified: number, changed: number, isRacy: isRacy)
    }

    @Test("A note is found at once and by the next process, for the content that it was made of and no other")
    func lasts() throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("library.sqlite")
        let notes = AssetNotes(Catalog(path: path))
        notes.keep([1, 2, 3], .thumbHash, of: "a", Self.stamp(1))
        #expect(notes.value(.thumbHash, of: "a", Self.stamp(1)) == [1, 2, 3])
        notes.flush()
        let later = AssetNotes(Catalog(path: path))
        #expect(later.value(.thumbHash, of: "a", Self.stamp(1)) == [1, 2, 3])
        #expect(later.value(.thumbHash, of: "a", Self.stamp(2)) == nil)
        #expect(later.value(.thumbHash, of: "b", Self.stamp(1)) == nil)
        later.keep([4], .thumbHash, of: "a", Self.stamp(2))
        later.flush()
        #expect(notes.value(.thumbHash, of: "a", Self.stamp(2)) == [4])
        #expect(notes.value(.thumbHash, of: "a", Self.stamp(1)) == nil)
    }

    @Test("What may change under the same stamp is not noted, and without a catalog nothing is")
    func notKept() throws {
        let folder = try TemporaryFolder()
        let notes = AssetNotes(Catalog(path: folder.path.appending("library.sqlite")))
        notes.keep([1], .thumbHash, of: "a", Self.stamp(1, isRacy: true))
        #expect(notes.value(.thumbHash, of: "a", Self.stamp(1)) == nil)
        let nowhere = AssetNotes(Catalog(path: nil))
        nowhere.keep([1], .thumbHash, of: "a", Self.stamp(1))
        nowhere.flush()
        #expect(nowhere.value(.thumbHash, of: "a", Self.stamp(1)) == nil)
    }

    @Test("Notes about assets that are gone are dropped once they are the most")
    func pruned() throws {
        let folder = try TemporaryFolder()
        let notes = AssetNotes(Catalog(path: folder.path.appending("library.sqlite")))
        for number in 0..<1200 { notes.keep([1], .thumbHash, of: Asset.ID("\(number)"), Self.stamp(1)) }
        notes.flush()
        notes.prune(to: LibrarySnapshot(FileTable(), pairs: []))
        notes.flush()
        #expect(notes.value(.thumbHash, of: "7", Self.stamp(1)) == nil)
    }

    @Test("Where the notes are damaged, the catalog is begun anew, with all that is known")
    func damaged() async throws {
        let library = TestLibrary()
        for name in ["a.jpg", "b.jpg"] { library.write(name, MadeUp.jpeg(salt: name)) }
        do {
            let open = try library.open()
            try await open.scan()
            open.notes.keep([1], .thumbHash, of: "a", Self.stamp(1))
            open.notes.flush()
        }
        let path = Catalog.path(in: library.catalog, roots: [library.root])
        let database = try Database(path: path)
        #expect(try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
        let pageSize = try database.integer("PRAGMA page_size")
        let page = try database.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'notes'")
        let file = path.withCString { Glibc.open($0, O_WRONLY) }
        let junk = [UInt8](repeating: 0xA5, count: pageSize)
        #expect(pwrite(file, junk, pageSize, off_t((page - 1) * pageSize)) == pageSize)
        close(file)
        let open = try library.open()
        try await open.scan()
        #expect(open.notes.value(.thumbHash, of: "a", Self.stamp(1)) == nil)
        open.notes.flush()
        open.notes.keep([2], .thumbHash, of: "a", Self.stamp(1))
        open.notes.flush()
        #expect(open.notes.value(.thumbHash, of: "a", Self.stamp(1)) == [2])
        let next = try library.open()
        #expect(next.catalog.load()?.records.count == 2)
        #expect(next.notes.value(.thumbHash, of: "a", Self.stamp(1)) == [2])
    }

    @Test("Four threads keep and read notes")
    func threads() throws {
        let folder = try TemporaryFolder()
        let notes = AssetNotes(Catalog(path: folder.path.appending("library.sqlite")))
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<300 {
                let id = Asset.ID("\(thread)-\(number)")
                notes.keep([UInt8(thread), UInt8(number % 256)], .thumbHash, of: id, Self.stamp(1))
                if notes.value(.thumbHash, of: id, Self.stamp(1)) != [UInt8(thread), UInt8(number % 256)] {
                    Issue.record("\(id) is not what was kept")
                }
            }
        }
        notes.flush()
        for thread in 0..<4 {
            #expect(notes.value(.thumbHash, of: Asset.ID("\(thread)-299"), Self.stamp(1)) == [UInt8(thread), 43])
        }
    }
}
