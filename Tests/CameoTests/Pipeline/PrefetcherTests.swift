import Foundation
import Testing

@testable import Cameo

struct PrefetcherTests {
    private static func assets(_ count: Int, in folder: TemporaryFolder) throws -> [Asset] {
        let date = try #require(CaptureDate(exif: "2026:05:01 10:00:00"))
        return try (0..<count).map { number in
            guard case .bytes(let bytes, _) = Bench.source(number) else { throw CancellationError() }
            let path = try folder.write(bytes, to: "\(number).png")
            return Asset(
                id: Asset.ID("n\(number)"), path: path, uprightSize: nil, date: date, dateSource: .file,
                bytes: bytes.count, stamp: try #require(ContentStamp(path: path)))
        }
    }

    private static let rendition = Rendition.thumbnail(PixelSize(square: 20))

    @Test("Two screens ahead and half a screen behind, in the direction of scrolling, the next ones first")
    func window() {
        let forwards = PrefetchWindow(.forwards).indices(around: 100..<110, count: 1000)
        #expect(forwards == Array(110..<130) + (95..<100).reversed())
        let backwards = PrefetchWindow(.backwards).indices(around: 100..<110, count: 1000)
        #expect(backwards == (80..<100).reversed() + Array(110..<115))
        #expect(PrefetchWindow(.forwards).indices(around: 0..<10, count: 12) == [10, 11])
        #expect(PrefetchWindow(.backwards).indices(around: 0..<10, count: 10) == [])
        #expect(PrefetchWindow(.forwards).indices(around: 5..<5, count: 10) == [])
        #expect(PrefetchWindow(.forwards).indices(around: 50..<60, count: 10) == [])
    }

    @Test("A window of any size is what there is of it", arguments: [1e9, 1e300, .infinity])
    func huge(screens: Double) throws {
        let window = PrefetchWindow(.forwards, ahead: screens, behind: screens)
        #expect(window.indices(around: 10..<12, count: 20) == Array(12..<20) + (0..<10).reversed())
        let metrics = GridLayout.Metrics(
            width: 300, columns: .count(3), spacing: 0, headerHeight: 0, scale: 1)
        let layout = try GridLayout(metrics, sections: [30])
        #expect(window.indices(in: layout, offset: 300, height: 300) == Array(18..<30) + (0..<9).reversed())
        for none in [-1, -Double.infinity, .nan] {
            let window = PrefetchWindow(.forwards, ahead: none, behind: none)
            #expect(window.indices(around: 10..<12, count: 20) == [])
            #expect(window.indices(in: layout, offset: 300, height: 300) == [])
        }
    }

    @Test("Fast scrolling does not go on decoding what has left the screen")
    func follow() throws {
        let folder = try TemporaryFolder()
        let assets = try Self.assets(60, in: folder)
        let bench = Bench()
        let prefetcher = Prefetcher(bench.pipeline)
        for start in stride(from: 0, to: 40, by: 4) {
            prefetcher.follow(PrefetchWindow(.forwards), of: assets, visible: start..<start + 4, Self.rendition)
            // Two screens ahead and half of one behind wait, however far the scrolling went.
            #expect(bench.pipeline.queue.backlog <= 10)
        }
        bench.run()
        #expect(bench.numbers.decodes == 10)
    }

    @Test("Of more than may wait, what is wanted first is fetched, and none pushes out another")
    func moreThanMayWait() throws {
        let folder = try TemporaryFolder()
        let assets = try Self.assets(9, in: folder)
        let bench = Bench(prefetchLimit: 4)
        let prefetcher = Prefetcher(bench.pipeline)
        for _ in 0..<2 { prefetcher.follow(assets, Self.rendition) }
        #expect(bench.pipeline.queue.backlog == 4)
        prefetcher.stop(assets[4..<9], Self.rendition)
        bench.run()
        #expect(bench.numbers.decodes == 4 && bench.numbers.cancelledBefore == 0)
    }

    @Test("Starting twice is starting once; stopping need not balance")
    func unbalanced() throws {
        let folder = try TemporaryFolder()
        let assets = try Self.assets(3, in: folder)
        let bench = Bench()
        let prefetcher = Prefetcher(bench.pipeline)
        for _ in 0..<3 { prefetcher.start(assets, Self.rendition) }
        #expect(bench.pipeline.queue.backlog == 3)
        prefetcher.stop([assets[0]], Self.rendition)
        prefetcher.stop([assets[0]], Self.rendition)
        #expect(bench.pipeline.queue.backlog == 2)
        prefetcher.stopAll()
        #expect(bench.pipeline.queue.backlog == 0)
    }

    @Test("Paused, nothing waits and nothing starts; resumed, everything does")
    func paused() throws {
        let folder = try TemporaryFolder()
        let assets = try Self.assets(4, in: folder)
        let bench = Bench()
        let prefetcher = Prefetcher(bench.pipeline)
        prefetcher.start(assets[0..<2], Self.rendition)
        prefetcher.isPaused = true
        #expect(bench.pipeline.queue.backlog == 0)
        prefetcher.start(assets[2..<4], Self.rendition)
        #expect(bench.pipeline.queue.backlog == 0)
        prefetcher.isPaused = false
        bench.run()
        #expect(bench.numbers.decodes == 4)
    }

    /// The numbers of `assets` in the order in which they are decoded.
    private static func order(_ bench: Bench, _ assets: [Asset]) -> [Int] {
        var order: [Int] = []
        while bench.pipeline.runNextStep() {
            for (number, asset) in assets.enumerated() where !order.contains(number) {
                let request = ImageRequest(asset, rendition)
                if bench.pipeline.memory.contains(
                    bench.pipeline.key(request.identity, request.stamp, rendition))
                {
                    order.append(number)
                }
            }
        }
        return order
    }

    @Test("What was paused is begun again in the order in which it was asked for last")
    func resumedOrder() async throws {
        let folder = try TemporaryFolder()
        let assets = try Self.assets(12, in: folder)
        // A file that was just written is not kept in memory.
        try await Task.sleep(for: .seconds(2.1))
        let fresh = try assets.map { asset in
            Asset(
                id: asset.id, path: asset.path, uprightSize: nil, date: asset.date, dateSource: .file,
                bytes: asset.bytes, stamp: try #require(ContentStamp(path: asset.path)))
        }
        let bench = Bench(workers: 1)
        let prefetcher = Prefetcher(bench.pipeline)
        prefetcher.start(fresh, Self.rendition)
        prefetcher.isPaused = true
        prefetcher.isPaused = false
        #expect(Self.order(bench, fresh) == Array(0..<12))
        bench.pipeline.removeAllFromMemory()
        prefetcher.isPaused = true
        prefetcher.start(fresh, Self.rendition)
        prefetcher.follow(fresh.reversed(), Self.rendition)
        prefetcher.isPaused = false
        #expect(Self.order(bench, fresh) == (0..<12).reversed())
    }

    @Test("Started, stopped, paused and resumed by four threads at once, nothing is lost", arguments: 0..<20)
    func threads(seed: Int) throws {
        let folder = try TemporaryFolder()
        let assets = try Self.assets(3, in: folder)
        let bench = Bench(prefetchLimit: 10_000)
        let prefetcher = Prefetcher(bench.pipeline)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = Seeded(seed * 4 + thread)
            for _ in 0..<300 {
                let some = [assets[Int.random(in: 0..<3, using: &random)]]
                switch Int.random(in: 0..<10, using: &random) {
                case 0: prefetcher.isPaused = Bool.random(using: &random)
                case 1: prefetcher.stopAll()
                case 2..<6: prefetcher.stop(some, Self.rendition)
                default: prefetcher.start(some, Self.rendition)
                }
            }
        }
        prefetcher.stopAll()
        #expect(bench.pipeline.queue.backlog == 0)
        prefetcher.isPaused = false
        prefetcher.start(assets, Self.rendition)
        #expect(bench.pipeline.queue.backlog == 3)
    }

    @Test("In a grid the window goes by what the grid shows: rows, headers and short last rows", arguments: [1.0, 2.0])
    func grid(scale: Double) throws {
        // Cells of 100 points in rows of 3; sections of 7 and 20; headers of 50.
        let metrics = GridLayout.Metrics(width: 300, columns: .count(3), spacing: 0, headerHeight: 50, scale: scale)
        let layout = try GridLayout(metrics, sections: [7, 20])
        // On screen: header 0, rows 0 and 1, and half of row 2, which holds cell 6 alone.
        let forwards = PrefetchWindow(.forwards, ahead: 1, behind: 0.5)
        // 300 points further: the other half of row 2, header 1 from 350, rows at 400 and 500, half of that at 600.
        #expect(forwards.indices(in: layout, offset: 0, height: 300) == Array(7..<13))
        // From 400: rows at 400, 500, 600; one screen up are the rows at 50, 150 and 250, half a screen down two more.
        let backwards = PrefetchWindow(.backwards, ahead: 1, behind: 0.5)
        #expect(
            backwards.indices(in: layout, offset: 400, height: 300)
                == Array((0..<7).reversed()) + Array(16..<22))
        #expect(forwards.indices(in: layout, offset: 5000, height: 300) == [])
        // At the end there is nothing below; half a screen up are half the row at 600 and the row at 700.
        #expect(forwards.indices(in: layout, offset: 800, height: 300) == Array((13..<19).reversed()))
    }
}
