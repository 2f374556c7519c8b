import Testing

@testable import Cameo

/// Files that make one asset.
@Suite struct PairingTests {
    let library = TestLibrary()

    @Test func aStillAndAFilmOfOneNameAreALivePhoto() async throws {
        library.write("IMG_1.JPG", MadeUp.jpeg(salt: "1"))
        library.write("IMG_1.MOV", MadeUp.film(640, 480))
        let snapshot = try await library.scan()
        let asset = try #require(snapshot.recents.first)
        #expect(snapshot.count == 1)
        #expect(asset.kind == .image)
        #expect(asset.subtypes == .live)
        #expect(asset.companions == [library.path("IMG_1.MOV")])
        #expect(asset.bytes == MadeUp.jpeg(salt: "1").count + MadeUp.film(640, 480).count)
        #expect(snapshot.assets(of: .smart(.videos)).isEmpty)
    }

    @Test func aRawFileAndItsJPEGAreOneAssetAndEachAloneIsOne() async throws {
        library.write("DSC_1.DNG", MadeUp.dng(6000, 4000, salt: "1"))
        library.write("DSC_1.JPG", MadeUp.jpeg(salt: "1"))
        library.write("DSC_2.DNG", MadeUp.dng(6000, 4000, salt: "2"))
        let snapshot = try await library.scan()
        #expect(Set(snapshot.names) == ["DSC_1.JPG", "DSC_2.DNG"])
        #expect(snapshot.assets(of: .smart(.raw)).count == 2)
        #expect(snapshot.asset(named: "DSC_2.DNG")?.uprightSize == PixelSize(width: 6000, height: 4000))
    }

    @Test func aFilmAloneIsAVideoWithItsDateInUTC() async throws {
        library.write("clip.mov", MadeUp.film(1920, 1080, seconds: 2_082_844_800 + 1_700_000_000))
        let asset = try await library.scan().recents[0]
        #expect(asset.kind == .video)
        #expect(asset.uprightSize == PixelSize(width: 1920, height: 1080))
        #expect("\(asset.date)" == "2023-11-14T22:13:20+00:00")
        #expect(asset.dateSource == .exif)
    }

    @Test func aPairMayComeAndGoWithoutItsFilesBeingReadAgain() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        let id = try await library.scan().recents[0].id
        library.write("a.mov", MadeUp.film(640, 480))
        let paired = try await library.scan()
        #expect(paired.recents.map(\.id) == [id])
        #expect(paired.recents[0].subtypes == .live)
        library.remove("a.mov")
        #expect(try await library.scan().recents[0].subtypes == [])
    }

    @Test func filesOfOneNameInTwoFoldersAreNoPair() async throws {
        library.makeFolder("below")
        library.write("a.jpg", MadeUp.jpeg())
        library.write("below/a.mov", MadeUp.film(640, 480))
        #expect(try await library.scan().count == 2)
    }

    @Test func aCatalogTellsPairsOnTheFirstScreen() async throws {
        library.write("a.jpg", MadeUp.jpeg())
        library.write("a.mov", MadeUp.film(640, 480))
        try await library.scan()
        let first = try #require(try library.open().catalog.firstScreen(10))
        #expect(first.table.records.count == 1)
        #expect(first.albums.map(\.count) == [1, 1, 1])
    }
}
