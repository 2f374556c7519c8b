import Foundation
import Synchronization
import Testing

@testable import Cameo

/// What can go wrong with the file of a store, and that rendering goes on.
struct ThumbnailStoreTroubleTests {
    private static func key(_ number: Int) -> RenditionKey { ThumbnailStoreTests.key(number) }
    private static func expected(_ number: Int) -> StoredThumbnail { ThumbnailStoreTests.expected(number) }

    /// Notes what a store says.
    final class Ear: Sendable {
        let said = Mutex<[StoreError]>([])

        var options: ThumbnailStore.Options {
            var options = ThumbnailStore.Options()
            options.onTrouble = { [self] error in said.withLock { $0.append(error) } }
            return options
        }

        func hears(_ count: Int) -> Bool {
            // Threads may be busy with other tests for long.
            for _ in 0..<12_000 where said.withLock({ $0.count }) < count { usleep(5000) }
            return said.withLock { $0.count } == count
        }
    }

    @Test("A torn or altered entry is found, dropped and made again")
    func altered() throws {
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        for number in 0..<10 { store.insert(Self.expected(number), for: Self.key(number)) }
        store.flush()
        let database = try Database(path: store.path)
        try database.execute("UPDATE images SET value = zeroblob(length(value)) WHERE id = 3")
        try database.execute("UPDATE images SET value = substr(value, 1, 100) WHERE id = 4")
        try database.execute("UPDATE images SET checksum = checksum + 1 WHERE id = 5")
        let wrong = (0..<10).filter { store.thumbnail(for: Self.key($0)) != Self.expected($0) }
        #expect(wrong.count == 3)
        for number in wrong { #expect(store.thumbnail(for: Self.key(number)) == nil) }
        store.flush()
        #expect(try store.stats().entries == 7)
        for number in wrong { store.insert(Self.expected(number), for: Self.key(number)) }
        for number in 0..<10 { #expect(store.thumbnail(for: Self.key(number)) == Self.expected(number)) }
        #expect(try store.verify().isClean)
    }

    @Test("verify finds what nobody asked for and drops it")
    func verify() throws {
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        for number in 0..<600 { store.insert(Self.expected(number), for: Self.key(number)) }
        store.flush()
        let database = try Database(path: store.path)
        try database.execute("UPDATE images SET value = zeroblob(500) WHERE id % 100 = 1")
        try database.execute("UPDATE images SET material = x'00' WHERE id % 100 = 2")
        try database.execute("DELETE FROM images WHERE id = 77")
        try database.execute("INSERT INTO images (material, checksum, value) VALUES (x'00', 1, x'00')")
        let first = try store.verify()
        #expect(first.whole == 587 && first.dropped == 14)
        #expect(try store.verify() == ThumbnailStore.Verification(whole: 587))
    }

    @Test("Two keys of one hash are never taken for each other")
    func collision() throws {
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        store.insert(Self.expected(1), for: Self.key(1))
        store.flush()
        // What a collision would look like: the hash of key 1 leads to the entry of another.
        let other = Self.key(2).material()
        try Database(path: store.path).statement("UPDATE images SET material = ?").run([other])
        #expect(store.thumbnail(for: Self.key(1)) == nil)
        #expect(store.thumbnail(for: Self.key(2)) == nil)
    }

    @Test("A damaged file is set aside, a new one begun, and it is said once", arguments: [0, 1])
    func damaged(kind: Int) throws {
        let folder = try TemporaryFolder()
        do {
            let store = ThumbnailStore(folder: folder.path)
            for number in 0..<300 { store.insert(Self.expected(number), for: Self.key(number)) }
            try store.trim()
        }
        let file = folder.url.appendingPathComponent("thumbnails.sqlite")
        var bytes = [UInt8](try Data(contentsOf: file))
        // All of it, or all but the first page.
        for index in kind * 4096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try Data(bytes).write(to: file)
        let ear = Ear()
        let store = ThumbnailStore(folder: folder.path, options: ear.options)
        for number in 0..<300 {
            #expect(store.thumbnail(for: Self.key(number)) == nil)
            store.insert(Self.expected(number), for: Self.key(number))
        }
        store.flush()
        for number in 0..<300 { store.insert(Self.expected(number), for: Self.key(number)) }
        store.flush()
        #expect(ear.hears(1))
        for number in 0..<300 { #expect(store.thumbnail(for: Self.key(number)) == Self.expected(number)) }
        #expect(try store.verify().isClean)
        #expect(FolderReader.names(in: folder.path)?.contains("thumbnails.sqlite.damaged") == true)
    }

    /// Does `change` to the tables of `store` behind the back of an index.
    private func change(_ store: ThumbnailStore, behind index: String, _ change: String) throws {
        func database() throws -> Database {
            let database = try Database(path: store.path)
            try database.execute("PRAGMA writable_schema = ON; PRAGMA recursive_triggers = ON")
            return database
        }
        var row: (root: Int, sql: [UInt8])?
        try database().statement("SELECT rootpage, sql FROM sqlite_schema WHERE name = '\(index)'").run(
            [Database.Value]()
        ) { row = ($0.integer(0), $0.bytes(1)) }
        let (root, sql) = try #require(row)
        try database().execute("DELETE FROM sqlite_schema WHERE name = '\(index)'")
        try database().execute(change)
        try database().execute(
            """
            INSERT INTO sqlite_schema VALUES
                ('index', '\(index)', 'entries', \(root), '\(String(decoding: sql, as: UTF8.self))')
            """)
    }

    @Test(
        "Where an index is not that of its table, the file is set aside", arguments: ["trim", "clear", "use", "verify"])
    func misindexed(what: String) async throws {
        let folder = try TemporaryFolder()
        do {
            let store = ThumbnailStore(folder: folder.path)
            for number in 0..<10 { store.insert(Self.expected(number), for: Self.key(number)) }
            store.flush()
            let entry = "INSERT INTO entries SELECT x'00', id + 100, size, 0, made FROM entries WHERE id = 1"
            try change(
                store, behind: "entries_by_use", what == "trim" ? "DELETE FROM entries WHERE id = 1" : entry)
        }
        let ear = Ear()
        var options = ear.options
        options.useGranularity = -1
        let store = ThumbnailStore(folder: folder.path, options: options)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            switch what {
            case "trim": _ = try? store.trim(to: 0)
            case "clear": #expect(throws: Never.self) { try store.clear() }
            case "verify": #expect((try? store.verify())?.damage.isEmpty == false)
            default:
                store.state.withLock { $0.broken = [101] }
                store.flush()
            }
            done.signal()
        }
        try #require(await Task.detached { done.wait(timeout: .now() + .seconds(30)) }.value == .success)
        #expect(ear.hears(1))
        for number in 0..<10 { store.insert(Self.expected(number), for: Self.key(number)) }
        store.flush()
        for number in 0..<10 { #expect(store.thumbnail(for: Self.key(number)) == Self.expected(number)) }
        #expect(try store.verify() == ThumbnailStore.Verification(whole: 10))
        let isAside = FolderReader.names(in: folder.path)?.contains("thumbnails.sqlite.damaged") == true
        #expect(isAside == (what != "clear"))
    }

    @Test("A database of another program is left alone, and it is said once")
    func foreign() throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("thumbnails.sqlite")
        try Database(path: path).execute("CREATE TABLE precious (x); INSERT INTO precious VALUES (1)")
        let before = try Data(contentsOf: URL(fileURLWithPath: path.description))
        let ear = Ear()
        let store = ThumbnailStore(folder: folder.path, options: ear.options)
        for number in 0..<100 {
            store.insert(Self.expected(number), for: Self.key(number))
            _ = store.thumbnail(for: Self.key(number + 1000))
        }
        store.flush()
        #expect(ear.hears(1))
        #expect(ear.said.withLock { $0 } == [.foreign(path: path.description)])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path.description)) == before)
        #expect(throws: StoreError.self) { try store.verify() }
    }

    @Test("Where no file can be made, there are no thumbnails, and it is said once")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write([1], to: "plain")
        let ear = Ear()
        let store = ThumbnailStore(folder: plain.appending("cache"), options: ear.options)
        for number in 0..<100 {
            store.insert(Self.expected(number), for: Self.key(number))
            _ = store.thumbnail(for: Self.key(number + 1000))
        }
        store.flush()
        #expect(ear.hears(1))
    }

    @Test("On a full disk what is there can still be read, and it is said once")
    func full() throws {
        let folder = try TemporaryFolder()
        let ear = Ear()
        let store = ThumbnailStore(folder: folder.path, options: ear.options)
        for number in 0..<20 { store.insert(Self.expected(number), for: Self.key(number)) }
        store.flush()
        // A file that may not grow fails as a full disk does.
        let pages = store.writing.sync { try? store.writerTable()?.database.integer("PRAGMA max_page_count = 1") }
        #expect(pages ?? 0 > 0)
        for number in 100..<300 { store.insert(Self.expected(number), for: Self.key(number)) }
        store.flush()
        for number in 300..<400 { store.insert(Self.expected(number), for: Self.key(number)) }
        store.flush()
        #expect(ear.hears(1))
        #expect(ear.said.withLock { $0 } == [.diskFull(path: store.path.description)])
        for number in 0..<20 { #expect(store.thumbnail(for: Self.key(number)) == Self.expected(number)) }
    }
}
