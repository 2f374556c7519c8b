import Foundation
import Testing

@testable import Cameo

/// A picker on a real library of folders.
struct LibraryPickingTests {
    private static func library() throws -> (TemporaryFolder, AssetLibrary) {
        let folder = try TemporaryFolder()
        for (number, name) in ["a/1.png", "a/2.png", "b/3.png"].enumerated() {
            let picture = Pictures.quarters(PixelSize(width: 20 + number, height: 20))
            _ = try folder.write(picture.encoded(Encoding(.png)).bytes, to: name)
        }
        return (folder, try AssetLibrary(folders: [folder.path], catalog: .none))
    }

    @Test("A library gives a picker everything, its albums and its moments")
    func sources() async throws {
        let (folder, library) = try Self.library()
        defer { withExtendedLifetime(folder) {} }
        _ = try await library.scan()
        let everything = library.groups(of: .all)
        #expect(everything.map(\.title) == ["Recents"] && library.assetIDs(in: everything[0].id).count == 3)
        let albums = library.groups(of: .albums)
        #expect(albums.map(\.title) == ["Recents", "a", "b"])
        #expect(albums.map { library.assetIDs(in: $0.id).count } == [3, 2, 1])
        let moments = library.groups(of: .moments)
        #expect(moments.map { library.assetIDs(in: $0.id).count }.reduce(0, +) == 3)
        #expect(library.assetIDs(in: AssetGroup.ID(.albums, "folder:0")).isEmpty)
    }

    @Test("Assets removed from disk leave the selection, and what is left survives the change")
    func vanishing() async throws {
        let (folder, library) = try Self.library()
        _ = try await library.scan()
        let picker = Picker(PickerConfiguration(limit: 0, source: .albums), library: library)
        let all = try #require(picker.groups.first)
        #expect(picker.pickAll(in: all.id).count == 3)
        let gone = try #require(picker.assets(in: all.id).first { $0.path.description.hasSuffix("2.png") })
        try FileManager.default.removeItem(atPath: folder.url.appendingPathComponent("a/2.png").path)
        _ = try await library.scan()
        picker.libraryDidChange()
        #expect(picker.selection.ids.count == 2 && !picker.selection.ids.contains(gone.id))
        #expect(picker.groups.map(\.title) == ["Recents", "a", "b"])
    }

    @Test("An identifier has one spelling: in another nothing is picked, and no place is kept for it")
    func spelling() async throws {
        let (folder, library) = try Self.library()
        defer { withExtendedLifetime(folder) {} }
        let id = try #require(try await library.scan().recents.first?.id)
        let picker = Picker(PickerConfiguration(limit: 1), library: library)
        let others = [id.value.uppercased(), "+" + id.value.dropFirst(), id.value + "x02", id.value + "x+2"]
        for other in others where other != id.value {
            #expect(throws: PickingError.notOffered(Asset.ID(other))) { try picker.pick(Asset.ID(other)) }
        }
        try picker.pick(id)
        #expect(picker.selection.ids == [id])
    }

    @Test("A crop goes with the picture that it was made on, whether that is picked by then or later")
    func anotherPicture() async throws {
        let (folder, library) = try Self.library()
        _ = try await library.scan()
        let picker = Picker(PickerConfiguration(limit: 0), library: library)
        let assets = picker.assets(in: picker.groups[0].id)
        let kept = try #require(assets.first { $0.path.description.hasSuffix("1.png") })
        let others = assets.filter { $0.id != kept.id }
        let viewport = LayoutSize(width: 100, height: 100)
        var before: [Asset.ID: CropSession] = [:]
        for asset in assets {
            before[asset.id] = try picker.cropSession(for: asset.id, viewport: viewport)
            picker.setCrop(before[asset.id], for: asset.id)
        }
        for asset in [kept, others[0]] { try picker.pick(asset.id) }
        let picture = Pictures.quarters(PixelSize(width: 33, height: 44))
        for asset in others {
            try Data(picture.encoded(Encoding(.png)).bytes).write(
                to: URL(fileURLWithPath: asset.path.description), options: [])
        }
        _ = try await library.scan()
        // Also where nobody has said yet that the library has changed.
        try picker.pick(others[1].id)
        #expect(!picker.isCropped(others[1].id) && picker.isCropped(others[0].id))
        picker.drop(others[1].id)
        picker.setCrop(before[others[1].id], for: others[1].id)
        picker.libraryDidChange()
        #expect(picker.selection.ids == [kept.id, others[0].id])
        #expect(picker.isCropped(kept.id) && others.allSatisfy { !picker.isCropped($0.id) })
        withExtendedLifetime(folder) {}
    }

    @Test("A picked asset that is renamed on disk stays picked")
    func renamed() async throws {
        let (folder, library) = try Self.library()
        _ = try await library.scan()
        let picker = Picker(PickerConfiguration(limit: 1), library: library)
        let asset = try #require(picker.assets(in: picker.groups[0].id).first)
        try picker.pick(asset.id)
        let target = folder.url.appendingPathComponent("renamed.png")
        try FileManager.default.moveItem(at: URL(fileURLWithPath: asset.path.description), to: target)
        _ = try await library.scan()
        picker.libraryDidChange()
        #expect(picker.selection.ids == [asset.id])
        #expect(library.asset(for: asset.id)?.path.lastComponent == "renamed.png")
    }
}
