import Foundation
import JPEGReference
import Synchronization
import Testing

@testable import Cameo

/// Files made to be expensive, and files broken in every way that comes to mind, through the isolated pipeline.
@Suite(.serialized) struct HostileFilesTests {
    private static let isSlow = ProcessInfo.processInfo.environment["CAMEO_SLOW_TESTS"] != nil

    private static func pipeline(_ executable: FilePath = Worker.executable) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration()
        configuration.memoryLimit = 0
        configuration.pressure = nil
        configuration.isolation = .required
        configuration.workerExecutable = executable
        configuration.options.formats = Set(ImageFormat.allCases)
        configuration.options.limits.seconds = 10
        return ImagePipeline(configuration)
    }

    /// Big-endian bytes.
    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> ($0 * 8) & 255) }
    }

    private static func jpegBomb(_ side: Int) throws -> [UInt8] {
        var bytes = try #require(MadeJPEG(width: 64, height: 64).encoded())
        let frame = try #require(bytes.indices.dropLast(9).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: big(side, 2) + big(side, 2))
        return bytes
    }

    /// A progressive JPEG whose last scan comes a thousand times.
    private static func scanBomb() throws -> [UInt8] {
        var made = MadeJPEG(width: 1200, height: 900)
        made.isProgressive = true
        let bytes = try #require(made.encoded())
        let scan = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        let body = bytes[scan..<bytes.count - 2]
        return Array(bytes.prefix(bytes.count - 2)) + (0..<1000).flatMap { _ in body } + [0xFF, 0xD9]
    }

    private static func pngBomb() throws -> [UInt8] {
        var bytes = try PixelBuffer(size: PixelSize(square: 8), filledWith: .white).encoded(Encoding(.png)).bytes
        bytes.replaceSubrange(16..<24, with: big(60_000, 4) + big(60_000, 4))
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes[12..<29] {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        bytes.replaceSubrange(29..<33, with: big(Int(~sum), 4))
        return bytes
    }

    private static func gifBomb(side: Int, frames: Int) -> [UInt8] {
        let size = [UInt8(side & 255), UInt8(side >> 8)]
        var bytes = Array("GIF89a".utf8) + size + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        for _ in 0..<frames {
            bytes += [0x21, 0xF9, 4, 0, 1, 0, 0, 0, 0x2C, 0, 0, 0, 0] + size + size + [0, 2, 2, 0x4C, 0x01, 0]
        }
        return bytes + [0x3B]
    }

    @Test("Ten bombs at once are refused or contained, each in a moment and in little memory")
    func bombs() throws {
        let bombs: [(String, [UInt8])] = try [
            ("64250.jpg", Self.jpegBomb(64_250)), ("scans.jpg", Self.scanBomb()), ("huge.png", Self.pngBomb()),
            ("huge.gif", Self.gifBomb(side: 65_535, frames: 1)), ("frames.gif", Self.gifBomb(side: 64, frames: 30_000)),
        ]
        let folder = try TemporaryFolder()
        let pipeline = Self.pipeline(try Worker.executable(named: "bombed", in: folder))
        let outcomes = Mutex<[String: String]>([:])
        let most = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)
        let watcher = Thread {
            while !isDone.load(ordering: .relaxed) {
                let largest = Worker.children(named: "bombed").map(Worker.resident).max() ?? 0
                if largest > most.load(ordering: .relaxed) { most.store(largest, ordering: .relaxed) }
                usleep(2000)
            }
        }
        watcher.start()
        let start = ContinuousClock.now
        for round in 0..<2 {
            for (name, bytes) in bombs {
                pipeline.submit(
                    BatchRequest(.bytes(bytes, name: "\(round) \(name)"), [.thumbnail(PixelSize(square: 64))]) {
                        outcome in
                        let word =
                            switch outcome {
                            case .success: "picture"
                            case .failure(let error): error.kind
                            }
                        outcomes.withLock { $0["\(round) \(name)"] = word }
                    })
            }
        }
        pipeline.waitUntilIdle()
        isDone.store(true, ordering: .relaxed)
        let time = ContinuousClock.now - start
        let words = outcomes.withLock { $0 }
        #expect(words.count == 10)
        for round in 0..<2 {
            for name in ["64250.jpg", "scans.jpg", "huge.png", "huge.gif"] {
                #expect(words["\(round) \(name)"] == "tooLarge", "\(name)")
            }
            #expect(["picture", "tooLarge", "corrupt"].contains(words["\(round) frames.gif"]))
        }
        print("ten bombs: \(time), the largest worker \(most.load(ordering: .relaxed) >> 20) MiB")
        // Half a second each on a machine that does nothing else; this one may.
        #expect(time < .seconds(60))
        #expect((1..<256 << 20).contains(most.load(ordering: .relaxed)))
    }

    /// One file broken in one way: cut short, some bytes flipped, or with another's beginning.
    private static func mutated(_ seeds: [[UInt8]], _ random: inout Seeded) -> [UInt8] {
        var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            // At a marker where there is one: that is where parsers take turns.
            let markers = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] > 0x01 }
            let cut = markers.randomElement(using: &random) ?? Int.random(in: 0...bytes.count, using: &random)
            bytes = Array(bytes.prefix(cut + Int.random(in: 0...4, using: &random)))
        case 1:
            let other = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let head = Int.random(in: 8...512, using: &random)
            bytes = Array(other.prefix(head) + bytes.dropFirst(head))
        case 2:
            // In the headers, where a byte means much.
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<min(600, bytes.count), using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        default:
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        return bytes
    }

    @Test(
        "Broken in every way, each file ends in a picture or a typed error, and its good neighbours stay as they are",
        .disabled(if: Corpus.isAbsent, "the corpus is not here"))
    func mutations() throws {
        let seeds = Corpus.entries.compactMap { try? Data(contentsOf: URL(fileURLWithPath: $0.file.description)) }
            .filter { (100..<60_000).contains($0.count) }.map { Array($0) }
        #expect(seeds.count > 50)
        let count = Self.isSlow ? 20_000 : 300
        let good = try Pictures.quarters(PixelSize(width: 90, height: 60)).encoded(Encoding(.jpeg)).bytes
        let rendition = Rendition.thumbnail(PixelSize(square: 48))
        let wanted = try Renderer().render(.bytes(good, name: "good"), [rendition]).images[0].pixels
        let folder = try TemporaryFolder()
        let executable = try Worker.executable(named: "mutated", in: folder)
        do {
            let pipeline = Self.pipeline(executable)
            let kinds = Mutex<[String: Int]>([:])
            let wrong = Atomic<Int>(0)
            var random = Seeded(11)
            var (early, late) = (0, 0)
            for number in 0..<count {
                pipeline.submit(
                    BatchRequest(.bytes(Self.mutated(seeds, &random), name: "\(number)"), [rendition]) { outcome in
                        let word =
                            switch outcome {
                            case .success: "picture"
                            case .failure(let error): error.kind
                            }
                        kinds.withLock { $0[word, default: 0] += 1 }
                    })
                if number % 25 == 0 {
                    pipeline.submit(
                        BatchRequest(.bytes(good, name: "good"), [rendition]) { outcome in
                            if (try? outcome.get().result.images[0].pixels) != wanted {
                                wrong.add(1, ordering: .relaxed)
                            }
                        })
                }
                if number == count / 4 { early = Worker.resident(Int(getpid())) }
            }
            pipeline.waitUntilIdle()
            late = Worker.resident(Int(getpid()))
            let own = Worker.children(named: "mutated")
            let ends = kinds.withLock { $0 }
            print("\(count) broken files: \(ends.sorted { $0.key < $1.key })")
            #expect(ends.values.reduce(0, +) == count && wrong.load(ordering: .relaxed) == 0)
            // The environment is never at fault for a broken file.
            #expect(ends["environment"] == nil && ends["cancelled"] == nil)
            #expect((2...8).contains(own.count))
            if Self.isSlow { #expect(Double(late) < Double(early) * 1.25 + Double(16 << 20)) }
        }
        #expect(Worker.children(named: "mutated").isEmpty)
    }
}
