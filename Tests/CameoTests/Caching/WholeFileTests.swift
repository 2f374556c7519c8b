import Foundation
import Testing

@testable import Cameo

struct WholeFileTests {
    @Test("A file is written, replaced, and nothing else is left in its folder")
    func writes() throws {
        let folder = try TemporaryFolder()
        let target = folder.path.appending("a.jpg")
        for content in [[1, 2, 3], [UInt8](repeating: 7, count: 100_000), []] {
            try WholeFile.write(content, to: target)
            #expect(try Data(contentsOf: folder.url.appendingPathComponent("a.jpg")) == Data(content))
            #expect(FolderReader.names(in: folder.path) == ["a.jpg"])
        }
    }

    @Test("A link at the target is replaced, not followed")
    func replacesLinks() throws {
        let folder = try TemporaryFolder()
        let victim = try folder.write(Array("precious".utf8), to: "victim")
        let target = folder.path.appending("a.jpg")
        #expect(target.withCString { symlink("victim", $0) } == 0)
        try WholeFile.write([1], to: target)
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim.description)) == Data("precious".utf8))
    }

    @Test("A folder that is not there, or is no folder, is a typed error that names the path")
    func refuses() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write([1], to: "plain")
        #expect(throws: OutputError.unusableName(path: plain.description, reason: "Not a directory")) {
            try WholeFile.makeFolder(plain)
        }
        #expect(throws: OutputError.self) { try WholeFile.write([1], to: folder.path.appending("no/such/a.jpg")) }
        try WholeFile.makeFolder(folder.path.appending("x/y/z"))
        #expect(FolderReader.names(in: folder.path.appending("x/y")) == ["z"])
    }

    @Test("What a killed writer left is removed, what a living one or another machine writes is not")
    func leftovers() throws {
        let folder = try TemporaryFolder()
        let alive = ".cameo-\(getpid())-\(WholeFile.machine)-1.tmp"
        _ = try folder.write([1], to: alive)
        // The largest process number that Linux gives is 4194304.
        _ = try folder.write([1], to: ".cameo-4194305-\(WholeFile.machine)-1.tmp")
        _ = try folder.write([1], to: ".cameo-4194305-0-1.tmp")
        _ = try folder.write([1], to: ".cameo-notes.txt")
        WholeFile.removeLeftovers(in: folder.path)
        let kept: [FilePath] = [".cameo-notes.txt", ".cameo-4194305-0-1.tmp", FilePath(alive)]
        #expect(FolderReader.names(in: folder.path) == kept.sorted())
    }

    @Test("A ledger remembers across openings, and one that is damaged begins anew")
    func ledger() throws {
        let folder = try TemporaryFolder()
        for number in 0..<100 {
            let ledger = OutputLedger(folder: folder.path)
            if number > 0 { #expect(ledger.entry(FilePath("n\(number - 1)"))?.key == [UInt8(number - 1)]) }
            ledger.note(OutputLedger.Entry(key: [UInt8(number)], record: []), for: FilePath("n\(number)"))
            ledger.flush()
        }
        _ = try folder.write(Array("no database at all, but long enough to look".utf8), to: ".cameo.sqlite")
        let ledger = OutputLedger(folder: folder.path)
        #expect(ledger.entry("n1") == nil)
        ledger.note(OutputLedger.Entry(key: [1], record: [2]), for: "again")
        ledger.flush()
        #expect(OutputLedger(folder: folder.path).entry("again")?.record == [2])
    }

    @Test("A ledger that is damaged behind its first page begins anew as soon as that is found")
    func damagedLedger() throws {
        let folder = try TemporaryFolder()
        do {
            let full = OutputLedger(folder: folder.path)
            for number in 0..<2000 {
                full.note(OutputLedger.Entry(key: [1], record: Array(repeating: 2, count: 50)), for: "n\(number)")
            }
            full.flush()
        }
        let path = folder.path.appending(".cameo.sqlite")
        let pageSize = try Database(path: path).integer("PRAGMA page_size")
        let ledger = OutputLedger(folder: folder.path)
        #expect(ledger.claim("claimed"))
        let file = path.withCString { open($0, O_RDWR) }
        let length = Int(lseek(file, 0, SEEK_END)) - pageSize
        #expect(length > 10 * pageSize)
        let junk = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(pwrite(file, junk, length, off_t(pageSize)) == length)
        close(file)
        #expect(ledger.entry("n7") == nil)
        ledger.own("n7")
        ledger.note(OutputLedger.Entry(key: [3], record: []), for: "n7")
        ledger.flush()
        #expect(ledger.entry("n7")?.key == [3] && !ledger.claim("claimed"))
        let next = OutputLedger(folder: folder.path)
        #expect(next.entry("n7")?.key == [3] && next.isOwn("n7") && !next.isOwn("n8"))
    }

    @Test("A run that begins while another makes the ledger shares it")
    func sharedLedger() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try Making.during(path.appending(".cameo.sqlite")) {
            let ledger = OutputLedger(folder: path)
            ledger.own("a")
            ledger.note(OutputLedger.Entry(key: [1], record: []), for: "a")
            ledger.flush()
        }
        let ledger = OutputLedger(folder: path)
        #expect(ledger.entry("a")?.key == [1] && ledger.isOwn("a"))
    }

    @Test("A source overwritten in place within the same second, with the same size, is seen as changed")
    func stamps() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "a")
        let first = try #require(ContentStamp(path: path))
        #expect(first.isRacy)
        usleep(20_000)
        let file = path.withCString { open($0, O_WRONLY) }
        #expect(pwrite(file, [9, 9, 9], 3, 0) == 3)
        close(file)
        let second = try #require(ContentStamp(path: path))
        #expect(!second.matches(first))
    }
}
