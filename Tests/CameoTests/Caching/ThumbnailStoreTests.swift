import Foundation
import Synchronization
import Testing

@testable import Cameo

struct ThumbnailStoreTests {
    static func key(_ number: Int, stamp: ContentStamp? = nil, _ change: (inout Rendition) -> Void = { _ in })
        -> RenditionKey
    {
        var rendition = Rendition.thumbnail(PixelSize(square: 64))
        change(&rendition)
        return RenditionKey(.asset(Asset.ID("n\(number)")), stamp: stamp, rendition: rendition)
    }

    /// Bytes that follow from the number, so that another's are noticed.
    static func expected(_ number: Int) -> StoredThumbnail {
        let bytes = Array("\(number)".utf8) + [UInt8](repeating: UInt8(number % 251), count: 1000 + number % 7 * 1500)
        return StoredThumbnail(format: .jpeg, bytes: bytes, crop: PixelRect(PixelSize(square: number)))
    }

    /// A clock that tests move.
    final class Clock: Sendable {
        let seconds = Atomic<Int>(1_000_000)
        func advance(_ by: Int) { seconds.add(by, ordering: .relaxed) }
    }

    static func options(limit: Int = 64 << 20, clock: Clock = Clock()) -> ThumbnailStore.Options {
        var options = ThumbnailStore.Options()
        options.limit = limit
        options.useGranularity = 0
        options.now = { clock.seconds.load(ordering: .relaxed) }
        return options
    }

    @Test("What was put in is there at once, after it was written, and after a restart")
    func keeps() throws {
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        for number in 0..<200 { store.insert(Self.expected(number), for: Self.key(number)) }
        for number in 0..<200 { #expect(store.thumbnail(for: Self.key(number)) == Self.expected(number)) }
        store.flush()
        for number in 0..<200 { #expect(store.thumbnail(for: Self.key(number)) == Self.expected(number)) }
        let again = ThumbnailStore(folder: folder.path)
        for number in 0..<200 { #expect(again.thumbnail(for: Self.key(number)) == Self.expected(number)) }
        #expect(again.thumbnail(for: Self.key(1000)) == nil)
        #expect(try again.stats().entries == 200)
        #expect(try again.verify().isClean)
    }

    @Test("A key that differs only in what a careless one leaves out is another entry")
    func keys() throws {
        let changes: [(inout Rendition) -> Void] = [
            { _ in }, { $0.size.width = 65 }, { $0.size.height = 65 }, { $0.mode = .fill }, { $0.shape = .circle },
            { $0.focus = .top }, { $0.focus = .point(x: 1, y: 2) }, { $0.focus = .point(x: 2, y: 1) },
            { $0.focus = .rectangle(PixelRect(x: 1, y: 2, width: 3, height: 4)) }, { $0.background = .white },
            { $0.background = .black }, { $0.ring = Rendition.Ring(width: 2, color: .white) },
            { $0.ring = Rendition.Ring(width: 2.5, color: .white) },
            { $0.ring = Rendition.Ring(width: 2, color: .black) }, { $0.enlarges = true },
            { $0.encoding.quality = 81 }, { $0.turn = .right }, { $0.encoding.format = .png },
            { $0.encoding.format = .jpeg },
        ]
        let keys = changes.map { Self.key(1, $0) }
        #expect(Set(keys).count == changes.count)
        #expect(Set(keys.map { $0.material() }).count == changes.count)
        #expect(Set(keys.map { ThumbnailTable.key($0.material()) }).count == changes.count)
        // A property that is added to these has to be added to the key, and to the list above.
        #expect(Mirror(reflecting: Rendition.thumbnail(PixelSize(square: 1))).children.count == 9)
        #expect(Mirror(reflecting: Encoding()).children.count == 2)
        #expect(keys[0].material(engine: "1") != keys[0].material(engine: "2"))
    }

    @Test("The detector is part of the key of what faces place, and of nothing else")
    func detectors() {
        func keys(_ rendition: Rendition) -> [RenditionKey] {
            [nil, "", "a", "b"].map { RenditionKey(.content("c"), stamp: nil, rendition: rendition, detector: $0) }
        }
        let placed = keys(.profilePicture(64))
        #expect(Set(placed).count == 4 && Set(placed.map { $0.material() }).count == 4)
        #expect(RenditionKey(placed[2], rendition: .profilePicture(32)).detector == "a")
        let fit = Rendition(size: PixelSize(square: 64), focus: .faces())
        for rendition in [.thumbnail(PixelSize(square: 64)), .profilePicture(64, focus: .upper), fit] {
            let same = keys(rendition)
            #expect(Set(same).count == 1 && Set(same.map { $0.material() }).count == 1)
            #expect(RenditionKey(placed[2], rendition: rendition) == same[0])
        }
    }

    @Test("An overwritten file never shows its old picture; a racy stamp is the same content as a settled one")
    func stamps() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "a")
        let first = try #require(ContentStamp(path: path))
        usleep(20_000)
        _ = try folder.write([4, 5, 6], to: "a")
        let second = try #require(ContentStamp(path: path))
        let store = ThumbnailStore(folder: folder.path)
        store.insert(Self.expected(1), for: Self.key(1, stamp: first))
        #expect(store.thumbnail(for: Self.key(1, stamp: second)) == nil)
        store.insert(Self.expected(2), for: Self.key(1, stamp: second))
        // A late, older result does not replace the newer one.
        store.insert(Self.expected(3), for: Self.key(1, stamp: first))
        #expect(store.thumbnail(for: Self.key(1, stamp: second)) == Self.expected(2))
    }

    @Test("Asking what a store holds makes neither a folder nor a file")
    func stats() throws {
        let folder = try TemporaryFolder()
        var options = ThumbnailStore.Options()
        options.limit = 5000
        let store = ThumbnailStore(folder: folder.path.appending("none"), options: options)
        var nothing = ThumbnailStore.Stats()
        nothing.limit = 5000
        #expect(try store.stats() == nothing)
        #expect(FolderReader.names(in: folder.path) == [])
    }

    @Test("Folders that are made for caches are their owner's alone")
    func rights() throws {
        let folder = try TemporaryFolder()
        func rights(_ name: String) -> mode_t? {
            var status = stat()
            return folder.path.appending(FilePath(name)).withCString { stat($0, &status) } == 0
                ? status.st_mode & 0o777 : nil
        }
        let store = ThumbnailStore(folder: folder.path.appending("a/thumbnails"))
        store.insert(Self.expected(1), for: Self.key(1))
        store.flush()
        let stamp = ContentStamp(size: 1, inode: 1, modified: 1, changed: 1, isRacy: false)
        FaceStore(folder: folder.path.appending("b/faces")).remember([], of: stamp, detector: "a")
        #expect(Catalog(path: folder.path.appending("c/d/library.sqlite")).use { _ in true } == true)
        for name in ["a", "a/thumbnails", "b", "b/faces", "c", "c/d"] { #expect(rights(name) == 0o700, "\(name)") }
    }

    @Test("The limit is hard: the file never holds more, and what was not used for longest goes first")
    func limit() throws {
        let folder = try TemporaryFolder()
        let clock = Clock()
        let limit = 2 << 20
        let store = ThumbnailStore(folder: folder.path, options: Self.options(limit: limit, clock: clock))
        for number in 0..<1500 {
            store.insert(Self.expected(number), for: Self.key(number))
            clock.advance(1)
            if number % 20 == 0 {
                // Somebody comes back to the first ones all the time.
                for kept in 0..<min(5, number) { #expect(store.thumbnail(for: Self.key(kept)) == Self.expected(kept)) }
                store.flush()
                #expect(try store.stats().usedBytes <= limit)
            }
        }
        store.flush()
        let size = try #require(ContentStamp(path: store.path)).size
        #expect(size <= Int64(limit + 256 << 10) && size > limit / 2)
        #expect(store.thumbnail(for: Self.key(1499)) == Self.expected(1499))
        #expect(store.thumbnail(for: Self.key(20)) == nil)
        store.limit = limit / 4
        #expect(try store.stats().usedBytes <= limit / 4)
        #expect(try #require(ContentStamp(path: store.path)).size <= Int64(limit / 4))
        #expect(try store.verify().isClean)
    }

    @Test("A store of a limit too small for anything holds nothing, and says nothing")
    func tiny() throws {
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path, options: Self.options(limit: 0))
        store.insert(Self.expected(1), for: Self.key(1))
        store.flush()
        #expect(store.thumbnail(for: Self.key(1)) == nil)
    }

    @Test("What is over the maximum age is not shown, and goes with the next write or trim")
    func age() throws {
        let folder = try TemporaryFolder()
        let clock = Clock()
        var options = Self.options(clock: clock)
        options.maximumAge = 100
        let store = ThumbnailStore(folder: folder.path, options: options)
        store.insert(Self.expected(1), for: Self.key(1))
        store.flush()
        clock.advance(100)
        #expect(store.thumbnail(for: Self.key(1)) != nil)
        clock.advance(1)
        #expect(store.thumbnail(for: Self.key(1)) == nil)
        store.insert(Self.expected(2), for: Self.key(2))
        store.flush()
        #expect(try store.stats().entries == 1)
        #expect(try store.trim(olderThan: -1) == 1)
    }

    @Test("Clearing leaves nothing and gives the room back")
    func clear() throws {
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        for number in 0..<300 { store.insert(Self.expected(number), for: Self.key(number)) }
        try store.clear()
        #expect(try store.stats().entries == 0)
        #expect(store.thumbnail(for: Self.key(1)) == nil)
        #expect(try #require(ContentStamp(path: store.path)).size < 64 << 10)
    }

    @Test("Reading many times writes no row each time")
    func quietReads() throws {
        let folder = try TemporaryFolder()
        let clock = Clock()
        var options = Self.options(clock: clock)
        options.useGranularity = 60
        // What was noted is not written while the test looks.
        options.delay = 3_600_000
        let store = ThumbnailStore(folder: folder.path, options: options)
        store.insert(Self.expected(1), for: Self.key(1))
        store.flush()
        for _ in 0..<100 { _ = store.thumbnail(for: Self.key(1)) }
        #expect(store.state.withLock { $0.used.isEmpty })
        clock.advance(60)
        for _ in 0..<100 { _ = store.thumbnail(for: Self.key(1)) }
        #expect(store.state.withLock { $0.used.count } == 1)
    }

    @Test("A batch is on the disk when it is committed: SQLite syncs each commit, which it calls 2 (full)")
    func syncedCommits() throws {
        let folder = try TemporaryFolder()
        let table = try ThumbnailTable(path: folder.path.appending("thumbnails.sqlite"))
        #expect(try table.database.integer("PRAGMA synchronous") == 2)
    }

    @Test("Four threads read and write one store")
    func threads() throws {
        let folder = try TemporaryFolder()
        var options = Self.options(limit: 1 << 20)
        options.onTrouble = { Issue.record("\($0)") }
        let store = ThumbnailStore(folder: folder.path, options: options)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = Seeded(thread)
            for _ in 0..<500 {
                let number = Int.random(in: 0..<300, using: &random)
                if let found = store.thumbnail(for: Self.key(number)), found != Self.expected(number) {
                    Issue.record("another's bytes")
                }
                store.insert(Self.expected(number), for: Self.key(number))
            }
        }
        #expect(try store.verify().isClean)
    }
}
