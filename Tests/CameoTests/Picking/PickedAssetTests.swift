import Foundation
import Synchronization
import Testing

@testable import Cameo

/// What a pick gives.
@Suite struct PickedAssetTests {
    private func asset(_ name: String) throws -> Asset {
        let path = Corpus.sample(name)
        let size = try OpenedImage(.file(path)).header.uprightSize
        return MemoryLibrary.asset(name, path: path, size: size)
    }

    private func session(of asset: Asset) throws -> CropSession {
        var session = try CropSession(
            picture: try #require(asset.uprightSize), viewport: LayoutSize(width: 300, height: 500))
        session.zoom(to: 2.5, at: LayoutPoint(x: 40, y: 180))
        return session
    }

    @Test("The original comes back byte for byte")
    func original() async throws {
        let asset = try asset("By the Sea/Lavender road.JPG")
        let bytes = try await PickedAsset(asset).originalBytes()
        #expect(try Data(bytes) == Data(contentsOf: URL(fileURLWithPath: asset.path.description)))
    }

    @Test(
        """
        The crop rectangle lies inside the picture, in its own pixels, and agrees with the edited picture to the pixel
        """)
    func agrees() async throws {
        // Stored sideways: the crop is in pixels of the upright picture all the same.
        let asset = try asset("Eight Ways Up/6 Turned left.jpg")
        let session = try session(of: asset)
        let picked = PickedAsset(asset, crop: session)
        let crop = try #require(picked.crop)
        #expect(crop.lies(inside: try #require(asset.uprightSize)))
        #expect(picked.isEdited)
        let full = Rendition(size: PixelSize(square: 4000))
        let edited = try await picked.editedImage(full)
        #expect(edited.image.crop == crop && edited.image.pixels.size == crop.size)
        let whole = try await picked.image(full).image.pixels
        #expect(whole.size == asset.uprightSize)
        let cut = Pictures.painted(crop.size) { x, y in whole[crop.x + x, crop.y + y] }
        #expect(edited.image.pixels == cut)
    }

    @Test("A pick says whether anything was edited")
    func says() throws {
        let asset = try asset("Portraits/Mei.jpg")
        let size = try #require(asset.uprightSize)
        let plain = PickedAsset(asset)
        #expect(!plain.isEdited && plain.edit == nil && plain.crop == PixelRect(size))
        let aspect = Double(size.width) / Double(size.height)
        var session = try CropSession(
            picture: size, viewport: LayoutSize(width: 10, height: 10), mask: .free(aspect: aspect))
        #expect(!PickedAsset(asset, crop: session).isEdited)
        session.turn()
        #expect(PickedAsset(asset, crop: session).isEdited)
    }

    @Test("The edited picture is rendered from the original, not from what was on screen")
    func fromOriginal() async throws {
        let asset = try asset("City/Tokyo at dusk.jpg")
        var session = try session(of: asset)
        session.zoom(to: 8)
        try session.setViewport(LayoutSize(width: 20, height: 20))
        let picked = PickedAsset(asset, crop: session)
        let crop = try #require(picked.crop)
        // Far more pixels than the viewport had, and the same part at any size.
        let large = try await picked.editedImage(Rendition(size: crop.size, mode: .fill))
        #expect(large.image.pixels.size == crop.size)
        for side in [32, 64, 128] {
            let small = try await picked.editedImage(.profilePicture(side, shape: .rectangle))
            #expect(small.image.crop == crop)
            for (a, b) in zip(Pictures.mean(small.image.pixels), Pictures.mean(large.image.pixels)) {
                #expect(abs(a - b) < 2)
            }
        }
    }

    @Test("The first, degraded picture is never delivered as the picked one")
    func neverDegraded() async throws {
        // Its embedded preview has black bars; the picture asked for is smaller than the preview.
        let asset = try asset("Lake Weekend/Balloon over the orchard.jpg")
        let small = try await PickedAsset(asset).image(.thumbnail(PixelSize(square: 100)))
        let size = try #require(asset.uprightSize)
        #expect(small.image.pixels.size == size.fitted(into: PixelSize(square: 100), enlarging: false))
        let whole = try await PickedAsset(asset).image(.thumbnail(size)).image.pixels
        for (a, b) in zip(Pictures.mean(small.image.pixels), Pictures.mean(whole)) { #expect(abs(a - b) < 2) }
        #expect(small.warnings == [])
    }

    @Test("Results come in pick order even when their pictures arrive in another")
    func order() async throws {
        // The first takes longest.
        let names = ["City/Tokyo at dusk.jpg", "Stickers and Screens/Paper boat.png", "Portraits/Mei.jpg"]
        let assets = try names.map(asset)
        let library = MemoryLibrary(assets)
        let picker = Picker(PickerConfiguration(limit: 0), library: library)
        for asset in assets { try picker.pick(asset.id) }
        let picked = try picker.finish().assets
        #expect(picked.map(\.id.value) == names)
        let pictures = await picked.editedImages(.thumbnail(PixelSize(square: 3000)))
        #expect(try pictures.map { try $0.get().image.pixels.size } == assets.map { $0.uprightSize })
    }

    @Test("One picture that fails does not stop the others")
    func failure() async throws {
        let good = try asset("Portraits/Mei.jpg")
        let gone = MemoryLibrary.asset("gone", path: "/nowhere/gone.jpg")
        let pictures = await [PickedAsset(gone), PickedAsset(good)].editedImages(.thumbnail(PixelSize(square: 9)))
        #expect(throws: PickingError.self) { try pictures[0].get() }
        #expect(throws: Never.self) { try pictures[1].get() }
    }

    @Test("A cancelled task ends with cancelled at once, whatever its work does; work that has not begun never does")
    func cancelledWork() async throws {
        let work = BlockingWork(threads: 1)
        let release = DispatchSemaphore(value: 0)
        let hasSecondBegun = Mutex(false)
        let begun = AsyncStream<Void>.makeStream()
        let cancelled = PickingError.render(.cancelled(source: "x"))
        let first = Task {
            try await work.run(cancelled: cancelled) { _ throws(PickingError) in
                begun.continuation.yield()
                release.wait()
                return 1
            }
        }
        for await _ in begun.stream.prefix(1) {}
        let second = Task {
            try await work.run(cancelled: cancelled) { _ throws(PickingError) in
                hasSecondBegun.withLock { $0 = true }
                return 2
            }
        }
        second.cancel()
        first.cancel()
        await #expect(throws: PickingError.self) { try await second.value }
        await #expect(throws: PickingError.self) { try await first.value }
        release.signal()
        // It comes behind the second.
        #expect(try await work.run(cancelled: cancelled) { _ throws(PickingError) in 3 } == 3)
        #expect(hasSecondBegun.withLock { $0 } == false)
    }

    @Test("Cancelled tasks have their picture or end with cancelled")
    func cancelled() async throws {
        let picked = PickedAsset(try asset("City/Tokyo at dusk.jpg"))
        let tasks = (0..<12).map { _ in Task { try await picked.image(.thumbnail(PixelSize(square: 2000))) } }
        for task in tasks { task.cancel() }
        for task in tasks {
            // One that was done before it was cancelled may have its picture.
            guard case .failure(let error) = await task.result else { continue }
            guard case .render(.cancelled) = error as? PickingError else {
                Issue.record("\(error)")
                continue
            }
        }
    }

    @Test("A crop made on one picture is not applied to another that took its place")
    func replaced() async throws {
        let asset = try asset("Portraits/Mei.jpg")
        let session = try session(of: asset)
        let other = MemoryLibrary.asset("x", path: Corpus.sample("Portraits/Jonas.jpg"), size: asset.uprightSize)
        let picked = PickedAsset(other, crop: session)
        await #expect(throws: PickingError.changed("x")) {
            try await picked.editedImage(.thumbnail(PixelSize(square: 50)))
        }
    }

    @Test("A picker remembers the crop of each asset, in any viewport, and after it was dropped")
    func remembered() throws {
        let (one, two) = (try asset("Portraits/Mei.jpg"), try asset("Portraits/Jonas.jpg"))
        let picker = Picker(PickerConfiguration(limit: 0), library: MemoryLibrary([one, two]))
        let session = try session(of: one)
        picker.setCrop(session, for: one.id)
        for asset in [one, two, one] { try picker.toggle(asset.id) }
        try picker.pick(one.id)
        let wide = LayoutSize(width: 900, height: 300)
        #expect(try picker.cropSession(for: one.id, viewport: wide).edit == session.edit)
        #expect(try !picker.cropSession(for: two.id, viewport: wide).canReset)
        let assets = try picker.finish().assets
        #expect(assets.map(\.id) == [two.id, one.id])
        #expect(assets.map(\.edit) == [nil, session.edit])
    }
}
