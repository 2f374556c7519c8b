import CHotPath
import Cameo
import Dispatch
import Glibc

/// One run of all measurements, in a folder of its own.
struct HotPath {
    private let folder: FilePath
    private let store: ThumbnailStore
    private var entries: Int
    private let photo: FilePath
    /// 256-pixel JPEGs, as files and as entries of the store.
    private let jpegs: [[UInt8]]

    private static let pictures = 500
    private static let rounds = 8
    private static let thumbnail = Rendition.thumbnail(PixelSize(square: 256))

    /// Entries of a small store.
    private static let few = 2000

    /// What is measured is made in a folder of its own, with a small store.
    init() throws {
        var template = Array("/tmp/cameo-hotpath-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw OutputError.notWritable(path: "/tmp", reason: "no folder") }
        folder = FilePath(bytes: template.map { UInt8(bitPattern: $0) })
        entries = 0
        var options = ThumbnailStore.Options()
        options.limit = 64 << 30
        options.onTrouble = { print($0) }
        store = ThumbnailStore(folder: folder.appending("store"), options: options)
        photo = folder.appending("photo.jpg")
        let large = Self.painted(PixelSize(width: 4000, height: 3000), seed: 1)
        try WholeFile.write(large.encoded(Encoding(.jpeg, quality: 90)).bytes, to: photo)
        jpegs = try (0..<Self.pictures).map { number in
            try Self.painted(PixelSize(width: 256, height: 192), seed: number).encoded(Encoding(.jpeg)).bytes
        }
        for (number, bytes) in jpegs.enumerated() {
            try WholeFile.write(bytes, to: folder.appending("\(number).jpg"))
            insert(bytes, number)
        }
        grow(to: Self.few)
        // What was written a moment ago is not kept in memory: it might be written again under the same stamp.
        sleep(3)
    }

    /// Fills the store up to `count` entries. What else is in a full store: only its number counts for finding the others.
    private mutating func grow(to count: Int) {
        for number in max(Self.pictures, entries)..<max(Self.pictures, entries, count) {
            insert(Array(jpegs[number % Self.pictures].prefix(600)), number)
            if number % 1000 == 0 { store.flush() }
        }
        store.flush()
        entries = max(Self.pictures, entries, count)
    }

    func remove() {
        for name in [
            "store/thumbnails.sqlite", "store/thumbnails.sqlite-wal", "store/thumbnails.sqlite-shm", "photo.jpg",
        ]
            + (0..<Self.pictures).map({ "\($0).jpg" })
        {
            _ = folder.appending(name).withCString { unlink($0) }
        }
        for name in [folder.appending("store"), folder] { _ = name.withCString { rmdir($0) } }
    }

    /// Measures everything and prints it, with `isLarge` the store a second time when it holds a million entries; returns
    /// the bars that were missed.
    mutating func run(isLarge: Bool) throws -> [String] {
        print("\(entries) entries in the store, \(jpegs.reduce(0) { $0 + $1.count } / jpegs.count) bytes a thumbnail\n")
        print("| what | p50 µs | p99 µs | allocations | times |\n|---|---|---|---|---|")
        var missed: [String] = []
        func bar(_ name: String, _ value: Double, _ limit: Double) {
            if value > limit { missed.append("\(name): \(Sample.text(value)), the bar is \(Sample.text(limit))") }
        }
        let (memory, misses) = try memoryHit()
        print(memory.row("memory hit (`cachedImage`)"))
        bar("memory hit, µs", memory.median, 1)
        // A thread of somebody else's may allocate while 200,000 calls run.
        bar("memory hit, allocations", memory.allocationsPerCall, 0.001)
        bar("not in memory", Double(misses), 0)
        let submit = try submit()
        print(submit.row("submit a request, queue suspended"))
        bar("submit, µs", submit.median, 5)
        let disk = diskHits()
        func show(_ disk: Hits) {
            print(disk.bytes.row("disk hit to bytes"))
            print(disk.pixels.row("disk hit to pixels"))
            print(disk.bare.row("bare: read a file, decode with libjpeg-turbo"))
            bar("disk hit to pixels / bare", disk.pixels.median / disk.bare.median, 1.2)
            bar("not in the store, or other pixels", Double(disk.misses), 0)
        }
        show(disk)
        print(try pipelineDiskHit().row("disk hit through the pipeline, request to callback"))
        print(try render().row("render of 12 megapixels, request to callback"))
        print("\ndisk hit to pixels is \(Sample.text(disk.pixels.median / disk.bare.median)) × the bare cost")
        guard isLarge else { return missed }
        grow(to: 1_000_000)
        print(
            "\n\(entries) entries in the store\n\n| what | p50 µs | p99 µs | allocations | times |\n|---|---|---|---|---|"
        )
        let large = diskHits()
        show(large)
        print("")
        for (name, before, now) in [("bytes", disk.bytes, large.bytes), ("pixels", disk.pixels, large.pixels)] {
            let ratio = now.median / before.median
            print("disk hit to \(name) takes \(Sample.text(ratio)) × what it takes of \(Self.few) entries")
            bar("disk hit to \(name), a million entries / \(Self.few)", ratio, 1.5)
        }
        return missed
    }

    /// Calls that found their picture, and how many did not.
    private func memoryHit() throws -> (Sample, misses: Int) {
        let pipeline = ImagePipeline()
        let requests = try (0..<1000).map { try ImageRequest(asset($0), Self.thumbnail, delivery: .final) }
        let queue = DispatchQueue(label: "callbacks")
        for request in requests { pipeline.start(request, on: queue) { _ in } }
        pipeline.waitUntilIdle()
        var (sample, misses) = (Sample(), 0)
        for number in 0..<200_000 {
            let request = requests[number &* 7919 % requests.count]
            if sample.measure({ pipeline.cachedImage(for: request) }) == nil { misses += 1 }
        }
        return (sample, misses)
    }

    private func submit() throws -> Sample {
        let pipeline = ImagePipeline()
        pipeline.setSuspended(true)
        var sample = Sample()
        var tasks: [ImageTask] = []
        for number in 0..<20_000 {
            let request = try ImageRequest(asset(number), Self.thumbnail, priority: .visible, delivery: .final)
            tasks.append(sample.measure { pipeline.start(request) })
        }
        tasks.forEach { $0.cancel() }
        return sample
    }

    private struct Hits {
        var bytes = Sample()
        var pixels = Sample()
        var bare = Sample()
        /// Calls that found nothing, or something else.
        var misses = 0
    }

    private func diskHits() -> Hits {
        var hits = Hits()
        for round in 0..<Self.rounds {
            for step in 0..<Self.pictures {
                // One after the other of each kind, so that whatever else the machine does meets all three.
                let number = (step &* 331 + round) % Self.pictures
                let key = key(number)
                let path = folder.appending("\(number).jpg")
                if hits.bytes.measure({ store.thumbnail(for: key) }) == nil { hits.misses += 1 }
                // Whoever comes second finds more in the processor's caches.
                var plain = step % 2 == 0 ? hits.bare.measure { Self.bareDecode(path) } : 0
                let image = hits.pixels.measure { store.thumbnail(for: key).flatMap { try? PixelBuffer(decoding: $0) } }
                if step % 2 == 1 { plain = hits.bare.measure { Self.bareDecode(path) } }
                if image?.bytes.count != plain { hits.misses += 1 }
            }
        }
        return hits
    }

    /// What any program has to do at least: open, read, decode. Returns the bytes of pixels.
    private static func bareDecode(_ path: FilePath) -> Int {
        let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        defer { close(file) }
        var status = stat()
        fstat(file, &status)
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(status.st_size))
        defer { buffer.deallocate() }
        let count = read(file, buffer, Int(status.st_size))
        var (width, height) = (Int32(0), Int32(0))
        guard count > 0, let pixels = hotpath_decode(buffer, count, &width, &height) else { return 0 }
        free(pixels)
        return Int(width) * Int(height) * 3
    }

    private func pipelineDiskHit() throws -> Sample {
        var configuration = ImagePipeline.Configuration()
        configuration.store = store
        configuration.memoryLimit = 0
        let pipeline = ImagePipeline(configuration)
        let requests = (0..<Self.pictures).map { number in
            ImageRequest(identity(number), Self.thumbnail)
        }
        return wait(for: requests + requests, pipeline)
    }

    private func render() throws -> Sample {
        let request = ImageRequest(
            .file(photo), Self.thumbnail, priority: .visible, delivery: .final, caching: [])
        return wait(for: Array(repeating: request, count: 30), ImagePipeline())
    }

    private func wait(for requests: [ImageRequest], _ pipeline: ImagePipeline) -> Sample {
        let queue = DispatchQueue(label: "callbacks")
        let done = DispatchSemaphore(value: 0)
        var sample = Sample()
        for request in requests {
            sample.measure {
                pipeline.start(request, on: queue) { event in
                    if case .failed(let error) = event { print(error) }
                    if event.isTerminal { done.signal() }
                }
                done.wait()
            }
        }
        return sample
    }

    private func insert(_ bytes: [UInt8], _ number: Int) {
        store.insert(
            StoredThumbnail(format: .jpeg, bytes: bytes, crop: PixelRect(PixelSize(width: 256, height: 192))),
            for: key(number))
    }

    private func key(_ number: Int) -> RenditionKey {
        RenditionKey(ImageRequest(identity(number), Self.thumbnail).identity, stamp: nil, rendition: Self.thumbnail)
    }

    /// A request's source whose content is known by a name, so that nothing has to be read to make its key.
    private func identity(_ number: Int) -> ImageSource { .bytes(Array("thumbnail \(number)".utf8), name: "\(number)") }

    private func asset(_ number: Int) throws -> Asset {
        let path = folder.appending("\(number % Self.pictures).jpg")
        guard let stamp = ContentStamp(path: path), let date = CaptureDate(exif: "2026:05:01 10:00:00") else {
            throw OutputError.notWritable(path: path.description, reason: "is gone")
        }
        return Asset(
            id: Asset.ID("a\(number)f3c5d7e9b1"), path: path, uprightSize: nil, date: date, dateSource: .file, bytes: 1,
            stamp: stamp)
    }

    /// Waves and grain, so that a JPEG of it has about the bytes of a photo.
    private static func painted(_ size: PixelSize, seed: Int) -> PixelBuffer {
        var bytes = [UInt8](repeating: 0, count: size.area * 3)
        var state = UInt32(truncatingIfNeeded: seed &* 2_654_435_761 | 1)
        for y in 0..<size.height {
            for x in 0..<size.width {
                state = state &* 1_664_525 &+ 1_013_904_223
                let grain = Int(state >> 28)
                let wave = Int(60 * sin(Double(x &* (1 + seed % 7)) / 17) + 60 * cos(Double(y) / 23)) + 120 + grain
                let start = (y * size.width + x) * 3
                bytes[start] = UInt8(clamping: wave)
                bytes[start + 1] = UInt8(clamping: wave / 2 + x * 120 / size.width)
                bytes[start + 2] = UInt8(clamping: 220 - wave)
            }
        }
        return PixelBuffer(size: size, channels: 3, bytes: bytes)
    }
}
