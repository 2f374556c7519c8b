import Foundation
import Synchronization
import Testing

@testable import Cameo

/// The pipeline together with its caches.
struct PipelineCacheTests {
    private static func picture(_ side: Int, shade: UInt8) throws -> [UInt8] {
        try PixelBuffer(size: PixelSize(square: side), filledWith: RGBColor(shade, 100, 100)).encoded(Encoding(.png))
            .bytes
    }

    private static func asset(_ path: FilePath, id: String = "a1") throws -> Asset {
        Asset(
            id: Asset.ID(id), path: path, uprightSize: nil,
            date: try #require(CaptureDate(exif: "2026:05:01 10:00:00")), dateSource: .file, bytes: 1,
            stamp: try #require(ContentStamp(path: path)))
    }

    private static func request(_ asset: Asset, _ side: Int = 40) -> ImageRequest {
        ImageRequest(asset, .thumbnail(PixelSize(square: side)), delivery: .final)
    }

    @Test("After a restart a picture comes from the store, with its bytes, and nothing is decoded")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let first = Bench(store: ThumbnailStore(folder: folder.path), isSuspended: false)
        let rendered = try await first.pipeline.image(for: Bench.request(1))
        first.pipeline.waitUntilIdle()
        let second = Bench(store: ThumbnailStore(folder: folder.path), isSuspended: false)
        let stored = try await second.pipeline.image(for: Bench.request(1))
        #expect(rendered.origin == .rendered && stored.origin == .disk)
        #expect(stored.pixels.size == rendered.pixels.size && stored.crop == rendered.crop)
        #expect(Pictures.difference(Pictures.mean(stored.pixels), Pictures.mean(rendered.pixels)) < 3)
        #expect(second.numbers.decodes == 0 && second.numbers.diskHits == 1)
        let (bytes, again) = (try rendered.encoded().bytes, try stored.encoded().bytes)
        #expect(bytes == again)
    }

    @Test("What is at hand comes as the file that it was stored as, without a decode; what is not, does not come")
    func atHand() async throws {
        let folder = try TemporaryFolder()
        let first = Bench(store: ThumbnailStore(folder: folder.path), isSuspended: false)
        #expect(first.pipeline.fileAtHand(for: Bench.request(1)) == nil)
        let rendered = try await first.pipeline.image(for: Bench.request(1)).encoded()
        first.pipeline.waitUntilIdle()
        let fromMemory = try #require(first.pipeline.fileAtHand(for: Bench.request(1)))
        #expect(fromMemory == rendered)
        let second = Bench(store: ThumbnailStore(folder: folder.path))
        let stored = try #require(second.pipeline.fileAtHand(for: Bench.request(1)))
        #expect(stored == rendered)
        #expect(second.pipeline.fileAtHand(for: Bench.request(2)) == nil)
        #expect(second.pipeline.fileAtHand(for: Bench.request(1, 33)) == nil)
        #expect(second.numbers.decodes == 0 && second.numbers.diskHits == 1 && second.numbers.requests == 3)
    }

    @Test("A stored JPEG decodes to the pixels that libvips makes of it, and a damaged one is an error")
    func decoding() throws {
        for size in [
            PixelSize(width: 256, height: 171), PixelSize(width: 1, height: 1), PixelSize(width: 33, height: 7),
        ] {
            let bytes = try Pictures.quarters(size).encoded(Encoding(.jpeg)).bytes
            let stored = StoredThumbnail(format: .jpeg, bytes: bytes, crop: PixelRect(size))
            let vips = try PixelBuffer(
                Raster.load(
                    SourceBytes(.bytes(bytes, name: "a"), limit: 1 << 20, accepts: { _ in }), LoadRequest(format: .jpeg)
                ))
            #expect(try PixelBuffer(decoding: stored) == vips)
            let half = StoredThumbnail(format: .jpeg, bytes: Array(bytes.prefix(200)), crop: stored.crop)
            #expect(throws: RenderError.self) { try PixelBuffer(decoding: half) }
        }
    }

    /// What a pipeline with `detector` brings of one picture, and where from; everything is stored.
    private static func bring(
        _ rendition: Rendition, _ detector: FaceSearchTests.Detector?, store: FilePath
    ) async throws -> PipelineImage {
        let bench = Bench(
            store: ThumbnailStore(folder: store), isSuspended: false, faces: detector.map { FaceSearch($0) })
        let image = try await bench.pipeline.image(for: ImageRequest(Bench.source(1), rendition, delivery: .final))
        bench.pipeline.waitUntilIdle()
        return image
    }

    @Test("A picture that faces placed is from the store for the detector that found them, and for no other")
    func detectors() async throws {
        let folder = try TemporaryFolder()
        func detector(_ version: String, at x: Double) -> FaceSearchTests.Detector {
            FaceSearchTests.Detector(version: version, sides: [100]) { _ in
                [DetectedFace(x: x, y: 0.3, width: 0.2, height: 0.2, confidence: 1)]
            }
        }
        let (left, right) = (detector("1", at: 0.1), detector("2", at: 0.7))
        var crops: Set<PixelRect> = []
        for detector in [left, right, nil] {
            let made = try await Self.bring(.profilePicture(24), detector, store: folder.path)
            let again = try await Self.bring(.profilePicture(24), detector, store: folder.path)
            #expect(made.origin == .rendered && again.origin == .disk && made.crop == again.crop)
            crops.insert(made.crop)
        }
        #expect(crops.count == 3)
        // What no face places is everybody's.
        _ = try await Self.bring(.thumbnail(PixelSize(square: 24)), left, store: folder.path)
        let thumbnail = try await Self.bring(.thumbnail(PixelSize(square: 24)), right, store: folder.path)
        #expect(thumbnail.origin == .disk)
    }

    @Test("What a failing detector left to the fallback is not stored")
    func failingDetector() async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let failing = FaceSearchTests.Detector { (_) throws(FaceDetectionError) in
                throw FaceDetectionError(reason: "out of order")
            }
            let image = try await Self.bring(.profilePicture(24), failing, store: folder.path)
            #expect(image.origin == .rendered && image.warnings == [.facesNotSearched])
        }
    }

    @Test("Circles keep their transparency in the store")
    func circles() async throws {
        let folder = try TemporaryFolder()
        let request = ImageRequest(Bench.source(1), .profilePicture(48), delivery: .final)
        var seen: [PixelBuffer] = []
        for _ in 0..<2 {
            let bench = Bench(store: ThumbnailStore(folder: folder.path), isSuspended: false)
            seen.append(try await bench.pipeline.image(for: request).pixels)
            bench.pipeline.waitUntilIdle()
        }
        #expect(seen[0] == seen[1] && seen[1].channels == 4)
    }

    @Test("The same key for the same photo after a restart, when the library is reached by another path")
    func otherPath() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try Self.picture(80, shade: 50), to: "photos/a.png")
        _ = symlink("photos", folder.path.description + "/link")
        try await Task.sleep(for: .milliseconds(2100))
        var origins: [PipelineImage.Origin] = []
        for name in ["photos", "link"] {
            let library = try AssetLibrary(
                folders: [folder.path.appending(name)], catalog: .folder(folder.path.appending("catalog")))
            let asset = try #require(try await library.scan().recents.first)
            let bench = Bench(store: ThumbnailStore(folder: folder.path), isSuspended: false)
            origins.append(try await bench.pipeline.image(for: Self.request(asset)).origin)
            bench.pipeline.waitUntilIdle()
            library.notes.flush()
        }
        #expect(origins == [.rendered, .disk])
    }

    @Test("A file overwritten in place within the same second never shows its old picture")
    func overwritten() async throws {
        let folder = try TemporaryFolder()
        let bench = Bench(store: ThumbnailStore(folder: folder.path.appending("cache")), isSuspended: false)
        for shade: UInt8 in [40, 120, 200, 90] {
            let file = try folder.write(try Self.picture(80, shade: shade), to: "a.png")
            for request in [
                Self.request(try Self.asset(file)),
                ImageRequest(.file(file), .thumbnail(PixelSize(square: 40)), delivery: .final),
            ] {
                let image = try await bench.pipeline.image(for: request)
                #expect(abs(Pictures.mean(image.pixels)[0] - Double(shade)) < 2)
            }
        }
    }

    @Test("A late, older result never replaces a newer one")
    func lateResult() async throws {
        //  old request ── open (old content) ─┬──────────────── kept under the old stamp
        //  file                               └─ overwritten
        //  new request                            └─ start ──── the new content
        let folder = try TemporaryFolder()
        let file = try folder.write(try Self.picture(80, shade: 40), to: "a.png")
        let old = try Self.asset(file)
        try await Task.sleep(for: .milliseconds(2100))
        let bench = Bench()
        let task = bench.pipeline.start(Self.request(old))
        let newBytes = Data(try Self.picture(80, shade: 200))
        bench.at(.didDecode) {
            // In place, as an editor that keeps the inode does.
            _ = FileManager.default.createFile(atPath: file.description, contents: newBytes)
        }
        bench.run()
        #expect(task.lastEvent?.image != nil)
        let new = try await bench.pipeline.image(for: Self.request(try Self.asset(file)))
        #expect(abs(Pictures.mean(new.pixels)[0] - 200) < 2)
    }

    @Test("A truncated picture is shown with its warning and never kept in the store")
    func truncated() async throws {
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        let whole = try Pictures.quarters(PixelSize(square: 400)).encoded(Encoding(.jpeg)).bytes
        let bench = Bench(store: store, isSuspended: false)
        let request = ImageRequest(
            .bytes(Array(whole.prefix(whole.count / 2)), name: "half.jpg"), .thumbnail(PixelSize(square: 64)),
            delivery: .final)
        #expect(try await bench.pipeline.image(for: request).warnings.contains(.truncated))
        bench.pipeline.waitUntilIdle()
        #expect(try store.stats().entries == 0)
    }

    @Test("A damaged entry of the store is rendered again, and right the next time")
    func damagedEntry() async throws {
        let folder = try TemporaryFolder()
        for round in 0..<3 {
            let store = ThumbnailStore(folder: folder.path)
            let bench = Bench(store: store, isSuspended: false)
            let image = try await bench.pipeline.image(for: Bench.request(1))
            bench.pipeline.waitUntilIdle()
            #expect(image.origin == (round < 2 ? .rendered : .disk))
            if round == 0 { try Database(path: store.path).execute("UPDATE images SET checksum = 0") }
        }
    }

    @Test("A store that cannot be used stops nothing")
    func noStore() async throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write([1], to: "plain")
        let bench = Bench(store: ThumbnailStore(folder: plain.appending("x")), isSuspended: false)
        #expect(try await bench.pipeline.image(for: Bench.request(1)).origin == .rendered)
    }

    @Test("A request that does not want the caches neither reads nor fills them")
    func options() async throws {
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        let bench = Bench(store: store, isSuspended: false)
        var request = Bench.request(1)
        request.caching = []
        for _ in 0..<2 { #expect(try await bench.pipeline.image(for: request).origin == .rendered) }
        bench.pipeline.waitUntilIdle()
        #expect(try store.stats().entries == 0 && bench.pipeline.memory.count == 0)
        // Nor does a frame loop get what another request has left there.
        _ = try await bench.pipeline.image(for: Bench.request(1))
        #expect(bench.pipeline.cachedImage(for: Bench.request(1)) != nil)
        #expect(bench.pipeline.cachedImage(for: request) == nil)
    }

    @Test("Who shares the work of one that wants no cache has the picture kept; who wants none is not served from one")
    func sharedOptions() async throws {
        //  without   ── open ── decode ─┬────────── finished
        //  all                          └─ joins ── finished, kept in memory and store
        let folder = try TemporaryFolder()
        let store = ThumbnailStore(folder: folder.path)
        let bench = Bench(store: store)
        var without = Bench.request(1)
        without.caching = []
        let first = bench.pipeline.start(without)
        bench.at(.willDecode) { _ = bench.pipeline.start(Bench.request(1)) }
        bench.run()
        #expect(first.lastEvent?.image?.origin == .rendered && bench.numbers.decodes == 1)
        #expect(try bench.pipeline.memory.count == 1 && store.stats().entries == 1)

        for forgets in [false, true] {
            bench.pipeline.queue.isSuspended = true
            if forgets { bench.pipeline.removeAllFromMemory() }
            var disk = Bench.request(1)
            disk.caching = [.readsDisk]
            let tasks = [without, disk, without].map { bench.pipeline.start($0) }
            bench.run()
            #expect(tasks.map { $0.lastEvent?.image?.origin } == [.rendered, .disk, .rendered])
        }
        #expect(bench.numbers.decodes == 3)
    }

    @Test("Pictures in memory count with their files' bytes, whenever those come", arguments: [true, false])
    func costs(stores: Bool) async throws {
        let folder = try TemporaryFolder()
        var costs: [Int] = []
        for round in 0..<2 {
            let store = stores ? ThumbnailStore(folder: folder.path) : nil
            let bench = Bench(store: store, isSuspended: false)
            let image = try await bench.pipeline.image(for: Bench.request(1))
            bench.pipeline.waitUntilIdle()
            if stores {
                #expect(image.origin == (round == 0 ? .rendered : .disk))
            } else {
                #expect(bench.pipeline.memory.cost == image.pixels.bytes.count + 256)
            }
            let file = try image.encoded().bytes
            #expect(bench.pipeline.memory.cost == image.pixels.bytes.count + file.count + 256)
            #expect(bench.pipeline.memory.checkInvariants() == nil)
            costs.append(bench.pipeline.memory.cost)
        }
        #expect(costs[0] == costs[1])
    }

    /// Tells what a test wants it to.
    private final class Pressure: MemoryPressureObserving {
        private let handler = Mutex<(@Sendable (MemoryPressure) -> Void)?>(nil)
        func start(_ handler: @escaping @Sendable (MemoryPressure) -> Void) { self.handler.withLock { $0 = handler } }
        func stop() { handler.withLock { $0 = nil } }
        var isWatching: Bool { handler.withLock { $0 != nil } }
        func tell(_ pressure: MemoryPressure) { handler.withLock { $0 }?(pressure) }
    }

    @Test("Memory pressure trims each pipeline of one configuration, and goes on doing so when another one is gone")
    func pressure() async throws {
        let made = Mutex<[Pressure]>([])
        var configuration = ImagePipeline.Configuration()
        configuration.pressure = {
            let pressure = Pressure()
            made.withLock { $0.append(pressure) }
            return pressure
        }
        let first = ImagePipeline(configuration)
        var second: ImagePipeline? = ImagePipeline(configuration)
        #expect(second != nil)
        for number in 0..<8 { _ = try await first.image(for: Bench.request(number)) }
        let observers = made.withLock { $0 }
        #expect(observers.count == 2 && observers.allSatisfy(\.isWatching))
        second = nil
        #expect(observers[0].isWatching && !observers[1].isWatching)
        let full = first.memory.cost
        observers[0].tell(.critical)
        #expect(first.memory.cost <= full / 2 && first.memory.cost > 0)
    }

    @Test("Errors say what is the matter, and everybody who waited hears them")
    func errors() async throws {
        let bench = Bench()
        let request = ImageRequest(
            .bytes(Array("no picture at all".utf8), name: "text"), .thumbnail(PixelSize(square: 9)))
        let diaries = (0..<3).map { _ in Diary(bench.pipeline.start(request)) }
        bench.run()
        #expect(diaries.map(\.words) == Array(repeating: ["failed"], count: 3) && bench.numbers.failed == 3)
        await #expect(throws: PipelineError.render(.notAnImage(source: "text"))) {
            try await bench.pipeline.image(for: request)
        }
    }
}
