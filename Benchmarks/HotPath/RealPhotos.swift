import Cameo
import Dispatch

/// What the photos of a folder cost one request at a time: until something is shown, and until the picture is there.
struct RealPhotos {
    private let assets: [Asset]
    private static let rounds = 5
    private static let cell = Rendition.thumbnail(PixelSize(square: 256))

    init(folder: FilePath) async throws {
        assets = Array(try await AssetLibrary(folders: [folder], catalog: .none).scan().recents)
    }

    /// Measures every photo in turn, one kind after the other, and prints a row a kind.
    func run() {
        var samples: [String: Sample] = [:]
        let pipeline = ImagePipeline()
        // Whatever is started with the first picture is not one photo's cost.
        for asset in assets { _ = Self.wait(asset, .final, pipeline) }
        for _ in 0..<Self.rounds {
            for asset in assets {
                for delivery in [Delivery.fast, .final] {
                    var sample = Sample()
                    let image = sample.measure { Self.wait(asset, delivery, pipeline) }
                    samples["\(delivery): \(image.map { "\($0.origin)" } ?? "failed")", default: Sample()].add(sample)
                }
            }
        }
        print(
            "| \(assets.count) photos, one at a time | p50 µs | p99 µs | allocations | times |\n|---|---|---|---|---|")
        for (name, sample) in samples.sorted(by: { $0.key < $1.key }) { print(sample.row(name)) }
    }

    private static func wait(_ asset: Asset, _ delivery: Delivery, _ pipeline: ImagePipeline) -> PipelineImage? {
        let request = ImageRequest(asset, cell, priority: .visible, delivery: delivery, caching: [])
        let done = DispatchSemaphore(value: 0)
        let task = pipeline.start(request, on: DispatchQueue(label: "callbacks")) { event in
            if event.isTerminal { done.signal() }
        }
        done.wait()
        return task.lastEvent?.image
    }
}
