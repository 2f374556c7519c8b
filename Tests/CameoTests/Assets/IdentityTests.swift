import Glibc
import Testing

@testable import Cameo

/// What an asset keeps through what happens to its file.
@Suite struct IdentityTests {
    let library = TestLibrary()

    @Test func aRenamedFileIsTheSameAsset() async throws {
        library.write("a.jpg", MadeUp.jpeg(salt: "a"))
        let id = try #require(try await library.scan().asset(named: "a.jpg")?.id)
        library.move("a.jpg", to: "b.jpg")
        #expect(try await library.scan().asset(named: "b.jpg")?.id == id)
    }

    @Test func aFileMovedToAnotherFolderIsTheSameAsset() async throws {
        library.write("a.jpg", MadeUp.jpeg(salt: "a"))
        let id = try #require(try await library.scan().asset(named: "a.jpg")?.id)
        library.makeFolder("below")
        library.move("a.jpg", to: "below/a.jpg")
        let after = try await library.scan()
        #expect(after.recents.map(\.id) == [id])
        #expect(after.recents[0].path == library.path("below/a.jpg"))
    }

    @Test func aLostCatalogChangesNoIdentifierOfAnUneditedFile() async throws {
        library.write("a.jpg", MadeUp.jpeg(salt: "a"))
        let id = try await library.scan().recents[0].id
        let other = try AssetLibrary(folders: [library.root], catalog: .none)
        #expect(try await other.scan().recents[0].id == id)
    }

    @Test func twoIdenticalFilesAreTwoAssetsAndTheFirstByPathHasThePlainName() async throws {
        library.write("b.jpg", MadeUp.jpeg())
        library.write("a.jpg", MadeUp.jpeg())
        let snapshot = try await library.scan()
        let (a, b) = (try #require(snapshot.asset(named: "a.jpg")), try #require(snapshot.asset(named: "b.jpg")))
        #expect(a.id.value.count == 32)
        #expect(b.id.value == a.id.value + "x2")
        #expect(snapshot.asset(b.id) == b)
    }

    @Test func aTwinKeepsItsNameWhenTheOtherGoesOrIsRenamed() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        library.write("b.jpg", MadeUp.jpeg())
        let first = try await library.scan()
        let (a, b) = (try #require(first.asset(named: "a.jpg")?.id), try #require(first.asset(named: "b.jpg")?.id))
        library.move("a.jpg", to: "z.jpg")
        let second = try await library.scan()
        #expect(second.asset(named: "z.jpg")?.id == a)
        #expect(second.asset(named: "b.jpg")?.id == b)
        library.remove("z.jpg")
        #expect(try await library.scan().recents.map(\.id) == [b])
    }

    @Test func twinsThatAreRenamedTogetherAreToldApartByTheirInodes() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        library.write("b.jpg", MadeUp.jpeg())
        let first = try await library.scan()
        let (a, b) = (try #require(first.asset(named: "a.jpg")?.id), try #require(first.asset(named: "b.jpg")?.id))
        library.move("a.jpg", to: "y.jpg")
        library.move("b.jpg", to: "x.jpg")
        let second = try await library.scan()
        #expect(second.asset(named: "y.jpg")?.id == a)
        #expect(second.asset(named: "x.jpg")?.id == b)
    }

    @Test func filesThatExchangeTheirNamesExchangeNothingElse() async throws {
        library.write("a.jpg", MadeUp.jpeg(salt: "a"))
        library.write("b.jpg", MadeUp.jpeg(salt: "b"))
        let first = try await library.scan()
        let (a, b) = (try #require(first.asset(named: "a.jpg")?.id), try #require(first.asset(named: "b.jpg")?.id))
        library.move("a.jpg", to: "t.jpg")
        library.move("b.jpg", to: "a.jpg")
        library.move("t.jpg", to: "b.jpg")
        let second = try await library.scan()
        #expect(second.asset(named: "a.jpg")?.id == b)
        #expect(second.asset(named: "b.jpg")?.id == a)
    }

    @Test func aSourceOverwrittenInPlaceWithTheSameSizeAndTimeIsSeenAsChangedAndKeepsItsIdentifier() async throws {
        library.write("a.jpg", MadeUp.jpeg(salt: "one"))
        let before = try await library.scan().recents[0]
        library.write("a.jpg", MadeUp.jpeg(salt: "two"))
        let snapshot = try await library.scan()
        #expect(snapshot.recents[0].id == before.id)
        #expect(!snapshot.recents[0].stamp.matches(before.stamp))
        #expect(snapshot.table.records[0].content != snapshot.table.records[0].identity)
    }

    @Test func aFileThatWasJustWrittenIsLookedAtAgainThoughItsStampIsTheSame() async throws {
        // The system's clock is not waited for: to a scan, what was written in an hour is as fresh.
        library.write("a.jpg", MadeUp.jpeg(salt: "a"), modified: time(nil) + 3600)
        let snapshot = try await library.scan()
        #expect(snapshot.recents[0].stamp.isRacy)
        #expect(!snapshot.table.records[0].isCurrent(snapshot.recents[0].stamp))
    }

    @Test func anEditorThatSavesByReplacingKeepsTheIdentifier() async throws {
        library.write("a.jpg", MadeUp.jpeg(salt: "one"))
        let id = try await library.scan().recents[0].id
        library.write("a.tmp", MadeUp.jpeg(salt: "edited"))
        library.move("a.tmp", to: "a.jpg")
        #expect(try await library.scan().recents.map(\.id) == [id])
    }

    @Test func aFileMovedOverAnotherBringsItsOwnIdentifier() async throws {
        library.write("a.jpg", MadeUp.jpeg(salt: "a"))
        library.write("b.jpg", MadeUp.jpeg(salt: "b"))
        let a = try #require(try await library.scan().asset(named: "a.jpg")?.id)
        library.move("a.jpg", to: "b.jpg")
        #expect(try await library.scan().recents.map(\.id) == [a])
    }

    @Test func aHundredCopiesAreAHundredAssets() async throws {
        for index in 0..<100 { library.write("\(index).jpg", MadeUp.jpeg()) }
        let snapshot = try await library.scan()
        snapshot.table.checkInvariants()
        #expect(Set(snapshot.recents.map(\.id)).count == 100)
    }

    @Test func identifiersReadBackAsTheyAreWritten() {
        var record = FileRecord()
        record.identity = Fingerprint(high: 5, low: .max)
        for twin: UInt32 in [0, 2, 70_000] {
            record.twin = twin
            #expect(Identity(record.id) == Identity(record))
        }
        for text in ["", "xyz", String(repeating: "0", count: 31), String(repeating: "0", count: 32) + "x1"] {
            #expect(Identity(Asset.ID(text)) == nil)
        }
    }
}
