import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

struct CacheCommandTests {
    private static func key(_ number: Int) -> RenditionKey {
        RenditionKey(.asset(Asset.ID("n\(number)")), stamp: nil, rendition: .thumbnail(PixelSize(square: 64)))
    }

    private static func fill(_ folder: URL, _ count: Int) {
        let store = ThumbnailStore(folder: FilePath(folder.path))
        for number in 0..<count {
            let key = key(number)
            let bytes = [UInt8](repeating: UInt8(number % 250), count: 8000)
            store.insert(
                StoredThumbnail(format: .jpeg, bytes: bytes, crop: PixelRect(PixelSize(square: 9))), for: key)
        }
        store.flush()
    }

    @Test("stats, trim, verify and clear do what they say")
    func actions() throws {
        let place = try Workplace()
        Self.fill(place.output, 50)
        func run(_ arguments: String...) throws -> CommandRun {
            try CommandRun(["cache"] + arguments + ["--folder", place.output.path])
        }
        let stats = try run("stats", "--json")
        #expect(stats.status == 0 && stats.text.contains("\"entries\":50") && stats.lines.count == 1)
        #expect(try run("stats").text.hasPrefix("50 thumbnails, "))
        #expect(try run("verify").text == "50 whole, 0 dropped\n")
        let trimmed = try run("trim", "--size", "200K", "--json")
        #expect(trimmed.status == 0 && trimmed.text.hasPrefix("{\"dropped\":"))
        #expect(try run("trim", "--older-than", "1").text.hasPrefix("0 dropped, "))
        #expect(try run("clear").status == 0)
        #expect(try run("stats", "--json").text.contains("\"entries\":0"))
    }

    @Test("stats tells of the faces that were found, and clear forgets them")
    func faces() throws {
        let place = try Workplace()
        let store = FaceStore(folder: FilePath(place.output.path))
        let stamp = ContentStamp(size: 1, inode: 2, modified: 3, changed: 4, isRacy: false)
        for version in ["1", "2", "3"] { store.remember([], of: stamp, detector: version) }
        func run(_ arguments: String...) throws -> String {
            try CommandRun(["cache"] + arguments + ["--folder", place.output.path]).text
        }
        #expect(try run("stats", "--json").contains("\"faces\":{\"bytes\":"))
        #expect(try run("stats", "--json").contains("\"searches\":3"))
        #expect(try run("stats").contains("\nfaces of 3 pictures, "))
        #expect(try run("clear", "--json") == "{\"dropped\":0,\"faces\":3}\n")
        #expect(store.faces(of: stamp, detector: "1") == nil)
        #expect(try run("clear") == "0 dropped, and the faces of 0 pictures\n")
    }

    @Test("A damaged entry is found by verify, and the exit status says so")
    func damage() throws {
        let place = try Workplace()
        Self.fill(place.output, 5)
        try Database(path: FilePath(place.output.path + "/thumbnails.sqlite")).execute(
            "UPDATE images SET value = zeroblob(8000) WHERE id = 2")
        let first = try CommandRun(["cache", "verify", "--folder", place.output.path])
        #expect(first.status == 1 && first.text == "4 whole, 1 dropped\n")
        #expect(try CommandRun(["cache", "verify", "--folder", place.output.path]).status == 0)
    }

    @Test(
        "What cannot be understood is a usage error",
        arguments: [
            [], ["statz"], ["stats", "clear"], ["stats", "--size", "1M"], ["trim", "--size", "lots"],
            ["trim", "--size", "-1"], ["trim", "--size", "9999999999G"],
        ])
    func usage(arguments: [String]) throws {
        let place = try Workplace()
        let run = try CommandRun(["cache"] + arguments + ["--folder", place.output.path])
        #expect(run.status == 2 && run.text.isEmpty && !run.errors.isEmpty)
    }

    @Test(
        "A size is a number of bytes, with a unit or without",
        arguments: [
            ("0", 0), ("10000000000", 10_000_000_000), ("3k", 3072), ("10G", 10 << 30),
            ("9000000000K", 9_216_000_000_000),
        ])
    func sizes(text: String, bytes: Int) throws {
        #expect(try CacheCommand.bytes(OptionValue(text)) == bytes)
    }

    @Test("Where no folder for caches is known, one has to be said: none that all may write to is taken")
    func homeless() throws {
        let run = try CommandRun(["cache", "stats"], environment: ["HOME": "", "XDG_CACHE_HOME": ""])
        #expect(run.status == 2 && run.text.isEmpty && run.errors.contains("--folder"))
    }

    @Test("Asking what is kept makes no folder")
    func nothing() throws {
        let place = try Workplace()
        let folder = place.url.appendingPathComponent("none")
        let run = try CommandRun(["cache", "stats", "--json", "--folder", folder.path])
        #expect(run.status == 0 && run.text.contains("\"entries\":0"))
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("What is kept where nothing can be written is told all the same")
    func readOnly() throws {
        let place = try Workplace()
        guard let disk = try SmallDisk(at: place.output, kilobytes: 4096) else { return }
        defer { disk.unmount() }
        let folder = place.output.path + "/100% é?#"
        #expect(try CommandRun(["cache", "verify", "--folder", folder]).status == 0)
        try #require(disk.makeReadOnly())
        let run = try CommandRun(["cache", "stats", "--json", "--folder", folder])
        #expect(run.status == 0 && run.text.contains("\"entries\":0,"), "\(run.errors)")
    }

    @Test("Thumbnails that lie where nothing can be written are served")
    func servedReadOnly() throws {
        let place = try Workplace()
        guard let disk = try SmallDisk(at: place.output, kilobytes: 4096) else { return }
        defer { disk.unmount() }
        Self.fill(place.output, 5)
        // The store is closed for good when the write that it had put off has found nothing to do.
        let log = place.output.path + "/thumbnails.sqlite-wal"
        for _ in 0..<12_000 where FileManager.default.fileExists(atPath: log) { usleep(5000) }
        // The log is gone a moment before the file is closed.
        let isReadOnly = (0..<1000).contains { _ in
            if disk.makeReadOnly() { return true }
            usleep(5000)
            return false
        }
        try #require(!FileManager.default.fileExists(atPath: log) && isReadOnly)
        let store = ThumbnailStore(folder: FilePath(place.output.path))
        for number in 0..<5 { #expect(store.thumbnail(for: Self.key(number))?.bytes.count == 8000) }
        // One that is put in is not kept, and spoils nothing.
        store.insert(
            StoredThumbnail(format: .jpeg, bytes: [1], crop: PixelRect(PixelSize(square: 9))), for: Self.key(9))
        store.flush()
        #expect(store.thumbnail(for: Self.key(9)) == nil && store.thumbnail(for: Self.key(1)) != nil)
    }

    /// A store whose file is damaged: all of it, or all but the first page.
    private static func damagedStore(_ place: Workplace, from first: Int) throws {
        fill(place.output, 300)
        let file = place.output.appendingPathComponent("thumbnails.sqlite")
        try ThumbnailStore(folder: FilePath(place.output.path)).trim()
        var bytes = [UInt8](try Data(contentsOf: file))
        for index in first..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try Data(bytes).write(to: file)
    }

    @Test(
        "verify says that a file is damaged and where it lies now, and the exit status says so", arguments: [0, 4096])
    func verifyDamaged(first: Int) throws {
        let place = try Workplace()
        try Self.damagedStore(place, from: first)
        let run = try CommandRun(["cache", "verify", "--folder", place.output.path])
        #expect(run.status == 1 && run.lines.first == "0 whole, 0 dropped", "\(run.text)")
        #expect(run.text.contains("thumbnails.sqlite.damaged"))
        #expect(run.errors.contains("was damaged"))
        let again = try CommandRun(["cache", "verify", "--folder", place.output.path])
        #expect(again.status == 0 && again.errors.isEmpty)
    }

    @Test("clear clears a damaged file too, and one that was set aside", arguments: [0, 4096])
    func clearDamaged(first: Int) throws {
        let place = try Workplace()
        try Self.damagedStore(place, from: first)
        let run = try CommandRun(["cache", "clear", "--folder", place.output.path])
        #expect(run.status == 0 && run.text == "0 dropped, and the faces of 0 pictures\n", "\(run.errors)")
        #expect(run.errors.contains("was damaged"))
        let left = try FileManager.default.contentsOfDirectory(atPath: place.output.path)
        #expect(!left.contains { $0.contains("damaged") })
        #expect(try CommandRun(["cache", "stats", "--folder", place.output.path]).status == 0)
    }

    @Test("A folder that cannot be one is the environment's fault")
    func environment() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg")
        let run = try CommandRun(["cache", "stats", "--folder", file.path])
        #expect(run.status == 3 && run.text.isEmpty)
    }
}
