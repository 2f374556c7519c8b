import Glibc
import Testing

@testable import Cameo

/// What a scan finds, and what it reads again.
@Suite struct ScanTests {
    let library = TestLibrary()

    @Test func assetsStandByDateAndTellWhatTheirHeadersTell() async throws {
        library.write("late.jpg", MadeUp.jpeg(30, 40, date: "2025:06:02 08:00:00", orientation: 6, salt: "l"))
        library.write(
            "early.jpg",
            MadeUp.jpeg(date: "2025:06:01 23:59:59", offset: "+09:00", fraction: "5", place: (35.5, -139.25), salt: "e")
        )
        let snapshot = try await library.scan()
        #expect(snapshot.names == ["early.jpg", "late.jpg"])
        let early = snapshot.recents[0]
        #expect("\(early.date)" == "2025-06-01T23:59:59+09:00")
        #expect(early.date.nanosecond == 500_000_000)
        #expect(early.dateSource == .exif)
        #expect(early.place == Place(latitude: 35.5, longitude: -139.25))
        #expect(early.uprightSize == PixelSize(width: 40, height: 30))
        #expect(snapshot.recents[1].uprightSize == PixelSize(width: 40, height: 30))
        #expect(early.bytes == Int(early.stamp.size))
    }

    @Test func aFileWithoutADateIsDatedByItsTimeInUTC() async throws {
        library.write("a.jpg", MadeUp.jpeg(), modified: 1_700_000_000)
        let asset = try await library.scan().recents[0]
        #expect("\(asset.date)" == "2023-11-14T22:13:20+00:00")
        #expect(asset.dateSource == .file)
    }

    @Test(arguments: [(10_413_792_000, "2262-04-11"), (-10_413_792_000, "1677-09-21")])
    func aFileFromAnotherCenturyThanItsStampCanTellIsListed(seconds: Int, day: String) async throws {
        library.write("a.jpg", MadeUp.jpeg(), modified: seconds)
        library.write("b.jpg", MadeUp.jpeg(salt: "b"))
        let names = try await library.scan().recents.map {
            ($0.path.lastComponent.description, "\($0.date)".prefix(10))
        }
        #expect(names.count == 2)
        // File systems keep as much of a time as they have room for.
        var status = stat()
        _ = library.path("a.jpg").withCString { stat($0, &status) }
        if status.st_mtim.tv_sec == seconds { #expect(names.contains { $0 == "a.jpg" && $1 == day }) }
    }

    /// A folder in whose place a link to itself stands cannot be opened, by nobody.
    private func loop(_ name: String) {
        library.move(name, to: "../aside")
        _ = library.path(name).withCString { symlink($0, $0) }
    }

    @Test func aFolderThatCannotBeOpenedAnyMoreKeepsWhatWasKnown() async throws {
        library.makeFolder("sub")
        library.write("sub/a.jpg", MadeUp.jpeg(salt: "a"))
        library.write("sub/b.jpg", MadeUp.jpeg(salt: "b"))
        let table = try await library.scan().table
        let sub = library.path("sub")
        library.write("sub/new.jpg", MadeUp.jpeg(salt: "new"))
        let scanner = FolderScanner(roots: [library.root], known: table, dirty: nil)
        let (listings, before) = scanner.listings()
        loop("sub")
        var problems = before
        let chunks = FolderScanner.chunks(listings)
        let found = scanner.run(chunks[...], of: listings, problems: &problems)
        #expect(problems.map(\.path) == [sub])
        var result = FolderScanner.Result(
            listings: listings, findings: Array(repeating: [], count: listings.count), problems: problems)
        for (chunk, findings) in zip(chunks, found) { result.findings[chunk.listing] += findings }
        let update = TableUpdate(table, result)
        #expect(update.isEmpty)
        #expect(update.table.records.map(\.id) == table.records.map(\.id))
    }

    @Test func aFolderThatCannotBeListedAnyMoreIsKeptWithAllThatIsBelowIt() async throws {
        library.makeFolder("sub")
        library.makeFolder("sub/deep")
        library.write("sub/a.jpg", MadeUp.jpeg(salt: "a"))
        library.write("sub/deep/b.jpg", MadeUp.jpeg(salt: "b"))
        let sub = library.path("sub")
        let library2 = try AssetLibrary(folders: [sub], catalog: .none)
        let table = try await library2.scan().table
        loop("sub")
        let (listings, problems) = FolderScanner(roots: [sub], known: table, dirty: nil).listings()
        #expect(problems.map(\.path) == [sub])
        #expect(listings.map(\.path) == [sub, sub.appending("deep")] && listings.allSatisfy(\.isKept))
    }

    @Test func aFolderThatIsGoneIsForgottenWithoutAWord() async throws {
        library.makeFolder("sub")
        library.write("sub/a.jpg", MadeUp.jpeg())
        let table = try await library.scan().table
        let scanner = FolderScanner(roots: [library.root], known: table, dirty: nil)
        let (listings, _) = scanner.listings()
        library.move("sub", to: "../aside")
        var problems: [LibraryProblem] = []
        let found = scanner.run(FolderScanner.chunks(listings)[...], of: listings, problems: &problems)
        #expect(problems.isEmpty && found.allSatisfy(\.isEmpty))
    }

    @Test func anUnchangedFileIsNotReadAgain() async throws {
        library.write("a.jpg", MadeUp.jpeg(salt: "a"))
        let open = try library.open()
        // Until its stamp has settled, a file is looked at again.
        try await Task.sleep(for: .seconds(2.1))
        let first = try await open.scan()
        #expect(try await open.scan() === first)
        // A scan that had read the file would have seen a time that no file has.
        var table = first.table
        table.update(0) { $0.seconds = 42 }
        open.catalog.save(LibrarySnapshot(table, pairs: []), written: [0], removed: [], old: first.table)
        #expect(try await library.scan().recents[0].date.civilSeconds == 42)
    }

    @Test func whatIsNoPictureIsPassedOver() async throws {
        library.write("notes.jpg", Array("no picture".utf8))
        library.write("empty.jpg", [])
        library.write("drawing.svg", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
        library.write(".hidden.jpg", MadeUp.jpeg())
        library.makeFolder("folder.jpg")
        _ = library.path("pipe.jpg").withCString { mkfifo($0, 0o644) }
        let snapshot = try await library.scan()
        #expect(snapshot.count == 0)
        #expect(snapshot.problems.isEmpty)
    }

    @Test func aPictureByAnyNameIsAnAsset() async throws {
        library.write("photo.txt", MadeUp.jpeg())
        library.write(library.root.appending(FilePath(bytes: [0xFF, 10, 0x2D])), MadeUp.jpeg(salt: "odd"))
        #expect(try await library.scan().count == 2)
    }

    @Test func aLoopOfLinksEndsAndAFolderReachedTwiceCountsOnce() async throws {
        library.makeFolder("a")
        library.write("a/a.jpg", MadeUp.jpeg())
        for link in ["a/up", "b"] {
            _ = library.path(link).withCString { symlink(link == "b" ? "a" : "..", $0) }
        }
        #expect(try await library.scan().count == 1)
        let both = try AssetLibrary(folders: [library.root, library.path("a")], catalog: .none)
        #expect(try await both.scan().count == 1)
    }

    @Test func aRootThatIsGoneFailsAndForgetsNothing() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        let open = try library.open()
        try await open.scan()
        let away = FilePath(bytes: library.root.bytes + Array("-away".utf8))
        _ = library.root.withCString { from in away.withCString { rename(from, $0) } }
        await #expect(throws: LibraryError.self) { try await open.scan() }
        #expect(open.snapshot.count == 1)
        _ = away.withCString { from in library.root.withCString { rename(from, $0) } }
        #expect(try await library.scan().count == 1)
    }

    @Test func whatIsNoFolderIsRefused() throws {
        library.write("a.jpg", MadeUp.jpeg())
        #expect(throws: LibraryError.noFolders) { try AssetLibrary(folders: []) }
        #expect(throws: LibraryError.self) { try AssetLibrary(folders: [library.path("none")]) }
        #expect(throws: LibraryError.notAFolder(path: library.path("a.jpg").description)) {
            try AssetLibrary(folders: [library.path("a.jpg")])
        }
    }

    @Test func subtypesComeFromNameHeaderAndShape() async throws {
        library.write("Screenshot 1.jpg", MadeUp.jpeg(salt: "1"))
        library.write("Bildschirmfoto 2.jpg", MadeUp.jpeg(salt: "2"))
        library.write("スクリーンショット 3.jpg", MadeUp.jpeg(salt: "3"))
        library.write("phone.jpg", MadeUp.jpeg(comment: "Screenshot", salt: "4"))
        library.write("wide.jpg", MadeUp.jpeg(4000, 2000))
        library.write("tall.jpg", MadeUp.jpeg(1000, 2000))
        library.write("small.jpg", MadeUp.jpeg(1999, 500))
        library.write("stands.gif", MadeUp.gif(frames: 1))
        library.write("moves.gif", MadeUp.gif(frames: 2))
        let albums = try await library.scan().albums()
        func names(_ album: SmartAlbum) async throws -> Set<String> {
            Set(try await library.scan().assets(of: .smart(album)).map { $0.path.stemAndExtension.stem.description })
        }
        #expect(albums.map(\.title) == ["Recents", "Panoramas", "Screenshots", "Animated", "photos"])
        #expect(try await names(.screenshots) == ["Screenshot 1", "Bildschirmfoto 2", "スクリーンショット 3", "phone"])
        #expect(try await names(.panoramas) == ["wide", "tall"])
        #expect(try await names(.animated) == ["moves"])
    }
}
