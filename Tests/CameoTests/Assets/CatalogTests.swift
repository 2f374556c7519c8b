import Glibc
import Testing

@testable import Cameo

/// What is remembered from one run to the next.
@Suite struct CatalogTests {
    let library = TestLibrary()

    private var file: FilePath { Catalog.path(in: library.catalog, roots: [library.root]) }

    private func exists(_ path: FilePath) -> Bool { path.withCString { access($0, F_OK) } == 0 }

    @Test func aCatalogIsMadeAndFoundAgain() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        let first = try library.open()
        #expect(first.catalogState == .unopened)
        try await first.scan()
        #expect(first.catalogState == .created)
        let second = try library.open()
        try await second.scan()
        #expect(second.catalogState == .opened)
    }

    @Test(arguments: [false, true]) func aDamagedCatalogIsSetAsideAndRebuiltAndSaysSo(isBeginning: Bool) async throws {
        for index in 0..<200 { library.write("\(index).jpg", MadeUp.jpeg(salt: "\(index)")) }
        try await library.scan()
        // A copy, since the first library may still be closing its own.
        let copied = library.catalog.appending("copied")
        let copy = Catalog.path(in: copied, roots: [library.root])
        _ = copied.withCString { mkdir($0, 0o755) }
        try Database(path: file).execute("VACUUM INTO '\(copy)'")
        let size = try #require(ContentStamp(path: copy)).size
        try #require(size > 32_768)
        let handle = copy.withCString { Glibc.open($0, O_WRONLY) }
        let junk = [UInt8](repeating: 0xA5, count: isBeginning ? 512 : Int(size) - 4096)
        _ = junk.withUnsafeBytes { pwrite(handle, $0.baseAddress, $0.count, isBeginning ? 0 : 4096) }
        close(handle)
        let open = try AssetLibrary(folders: [library.root], catalog: .folder(copied))
        #expect(try await open.scan().count == 200)
        guard case .setAside(let path, .damaged) = open.catalogState else {
            Issue.record("\(open.catalogState)")
            return
        }
        #expect(exists(path))
        let again = try AssetLibrary(folders: [library.root], catalog: .folder(copied))
        #expect(try await again.scan().count == 200)
        #expect(again.catalogState == .opened)
    }

    @Test func whatCouldNotBeSavedIsSavedWithWhatComesNext() async throws {
        library.makeFolder("sub")
        for name in ["a.jpg", "b.jpg", "sub/c.jpg"] { library.write(name, MadeUp.jpeg(salt: name)) }
        let open = try library.open()
        let ids = try await Set(open.scan().recents.map(\.id))
        // Everything that is written fails.
        let trigger = "CREATE TRIGGER full BEFORE INSERT ON files BEGIN SELECT RAISE(ABORT, 'full'); END"
        try Database(path: file).execute(trigger)
        library.write("b.jpg", MadeUp.jpeg(salt: "edited"), modified: 1_600_000_001)
        library.remove("sub/c.jpg")
        library.write("d.jpg", MadeUp.jpeg(salt: "d"))
        #expect(try await open.scan().count == 3)
        #expect(open.catalog.isBehind)
        try Database(path: file).execute("DROP TRIGGER full")
        let now = try await open.scan()
        #expect(
            !open.catalog.isBehind
                && ids.isSuperset(of: now.recents.map(\.id).filter { $0 != now.asset(named: "d.jpg")?.id }))
        let kept = try #require(try library.open().catalog.load())
        #expect(kept.records.map(\.identity) == now.table.records.map(\.identity))
    }

    @Test func aCatalogThatIsFoundDamagedAsItIsSavedKeepsAllThatIsKnown() async throws {
        for name in ["a.jpg", "b.jpg"] { library.write(name, MadeUp.jpeg(salt: name)) }
        let open = try library.open()
        try await open.scan()
        library.write("b.jpg", MadeUp.jpeg(salt: "edited"), modified: 1_600_000_001)
        let edited = try #require(try await open.scan().asset(named: "b.jpg")?.id)
        #expect(
            edited != (try await AssetLibrary(folders: [library.root], catalog: .none).scan().asset(named: "b.jpg")?.id)
        )
        // As a statement does that meets a damaged page.
        _ = open.catalog.use { (_) throws(DatabaseError) in throw DatabaseError(code: 11, text: "damaged") } as Void?
        let same = open.snapshot
        #expect(open.catalog.save(same, written: [], removed: [], old: same.table))
        #expect(try library.open().catalog.load()?.records.map(\.identity) == same.table.records.map(\.identity))
        library.write("c.jpg", MadeUp.jpeg(salt: "c"))
        let now = try await open.scan()
        let kept = try #require(try library.open().catalog.load())
        #expect(kept.records.map(\.identity) == now.table.records.map(\.identity) && kept.records.count == 3)
        #expect(try await library.scan().asset(named: "b.jpg")?.id == edited)
    }

    @Test func aCatalogOfANewerVersionIsSetAsideAndStaysWhole() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        try await library.scan()
        try Database(path: file).execute("PRAGMA user_version = 99")
        let open = try library.open()
        #expect(try await open.scan().count == 1)
        guard case .setAside(let path, .newer) = open.catalogState else {
            Issue.record("\(open.catalogState)")
            return
        }
        #expect(try Database(path: path).integer("PRAGMA user_version") == 99)
        #expect(try Database(path: path).integer("SELECT count(*) FROM files") == 1)
    }

    @Test func withoutAPlaceForACatalogALibraryWorksAllTheSame() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        library.write(library.catalog, Array("no folder".utf8))
        let open = try library.open()
        #expect(try await open.scan().count == 1)
        guard case .unavailable = open.catalogState else {
            Issue.record("\(open.catalogState)")
            return
        }
    }

    @Test func aCatalogThatAnotherProcessIsJustMakingIsWaitedFor() throws {
        let path = file
        try WholeFile.makeFolder(path.parent)
        #expect(try Making.during(path) { Catalog(path: path).use { _ in true } == true } == true)
    }

    @Test func severalLibrariesWriteOneCatalogAtOnce() async throws {
        for index in 0..<100 { library.write("\(index).jpg", MadeUp.jpeg(salt: "\(index)")) }
        let ids = try await withThrowingTaskGroup(of: [Asset.ID].self) { group in
            for _ in 0..<6 {
                group.addTask { [root = library.root, catalog = library.catalog] in
                    try await AssetLibrary(folders: [root], catalog: .folder(catalog)).scan().recents.map(\.id)
                }
            }
            return try await group.reduce(into: Set<[Asset.ID]>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        let kept = try #require(try library.open().catalog.load())
        kept.checkInvariants()
        #expect(kept.records.count == 100)
    }

    @Test func theFirstScreenIsTheNewestAndHasTheCountsOfAll() async throws {
        for index in 0..<50 {
            library.write("\(index).jpg", MadeUp.jpeg(date: "2025:06:01 10:00:\(10 + index % 50)", salt: "\(index)"))
        }
        let snapshot = try await library.scan()
        let first = try #require(try library.open().catalog.firstScreen(20))
        #expect(first.albums == Array(snapshot.albums()))
        #expect(LibrarySnapshot(first.table, pairs: []).recents.map(\.id) == snapshot.recents.suffix(20).map(\.id))
    }

    @Test func whatACatalogSaysOfItsOwnSizeIsNotBelieved() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        try await library.scan()
        let long = String(repeating: "61", count: 70_000)
        try Database(path: file).execute(
            """
            UPDATE albums SET count = 9223372036854775807;
            INSERT INTO files SELECT folder, x'\(long)', date, record FROM files;
            """)
        let kept = try #require(try library.open().catalog.load())
        kept.checkInvariants()
        #expect(kept.records.count == 1)
        #expect(try library.open().catalog.firstScreen(20)?.table.records.count == 1)
    }
}
