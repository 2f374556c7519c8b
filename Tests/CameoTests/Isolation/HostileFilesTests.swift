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

    private static func bombs() throws -> [(String, [UInt8])] {
        try [
            ("64250.jpg", jpegBomb(64_250)), ("scans.jpg", scanBomb()), ("huge.png", pngBomb()),
            ("huge.gif", gifBomb(side: 65_535, frames: 1)), ("frames.gif", gifBomb(side: 64, frames: 30_000)),
        ]
    }

    /// What the command takes for the pictures in a folder.
    private struct Taken {
        /// Seconds of processor time of the command and all its workers.
        var seconds: Double
        /// Bytes: the most that any of these processes held in memory.
        var memory: Int
        var status: Int32
    }

    /// Runs the command as a program of its own, which nothing else is reckoned to.
    private static func taken(by folder: TemporaryFolder) throws -> Taken {
        let output = folder.path.description + "-out"
        let texts: [String] = [
            "cameo", "thumbnails", folder.path.description, "-o", output, "--isolate", "required", "--size", "64",
        ]
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for place in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_WRONLY, 0)
        }
        var process: pid_t = 0
        #expect(Worker.executable.withCString { posix_spawn(&process, $0, &actions, nil, &words, environ) } == 0)
        var usage = rusage()
        var status: Int32 = 0
        var memory = 0
        // Its usage has a peak of memory too, but begins with that of this process, from which it was started.
        while wait4(process, &status, WNOHANG, &usage) == 0 {
            let held = (Worker.children(of: Int(process)) + [Int(process)]).map(Worker.peak).max() ?? 0
            memory = max(memory, held)
            usleep(1000)
        }
        try? FileManager.default.removeItem(atPath: output)
        let seconds = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        return Taken(seconds: seconds, memory: memory, status: status >> 8 & 0xFF)
    }

    @Test("A bomb costs the command and its workers under half a second of processor time, and little memory in any")
    func bombsAlone() throws {
        func folder(_ name: String, _ bytes: [UInt8]) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            _ = try folder.write(bytes, to: name)
            return folder
        }
        // What the start of all the processes takes.
        let start = try Self.taken(by: folder("good.jpg", Worker.jpeg()))
        #expect(start.status == 0)
        for (name, bytes) in try Self.bombs() {
            let taken = try Self.taken(by: folder(name, bytes))
            print("\(name): \(taken.seconds - start.seconds) s, \(taken.memory >> 20) MiB")
            #expect(taken.status == 1 || name == "frames.gif")
            #expect(taken.seconds - start.seconds < 0.5 * Double(Patience.factor), "\(name)")
            #expect((1..<(Patience.isSanitized ? 1024 : 256) << 20).contains(taken.memory), "\(name)")
        }
    }

    @Test("Ten bombs at once are refused or contained, each in a moment and in little memory")
    func bombs() throws {
        let bombs = try Self.bombs()
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
        // What each costs is measured alone, above; here nothing is to wait for anything.
        #expect(time < .seconds(60))
        #expect((1..<(Patience.isSanitized ? 1024 : 256) << 20).contains(most.load(ordering: .relaxed)))
    }

    /// The places of markers in a JPEG, of which those behind the first hundred of a file repeat the same kinds.
    private static func markers(_ bytes: [UInt8]) -> [Int] {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return [] }
        return Array(bytes.indices.dropLast().lazy.filter { bytes[$0] == 0xFF && bytes[$0 + 1] > 0x01 }.prefix(100))
    }

    /// Each of `seeds` that is a JPEG, cut at each of its markers: before it, and behind its first bytes.
    private static func cuts(_ seeds: [[UInt8]]) -> [[UInt8]] {
        seeds.flatMap { bytes in
            markers(bytes).enumerated().map { number, place in Array(bytes.prefix(place + number % 5)) }
        }
    }

    /// One file broken in one way: cut short, some bytes flipped, or with another's beginning.
    private static func mutated(_ seeds: [[UInt8]], _ random: inout Seeded) -> [UInt8] {
        var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            // At a marker where there is one: that is where parsers take turns.
            let cut = markers(bytes).randomElement(using: &random) ?? Int.random(in: 0...bytes.count, using: &random)
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
    func mutations() async {
        // In a process of its own, whose memory is nobody else's.
        await #expect(processExitsWith: .success) { try HostileFilesTests.mutations() }
    }

    private static func mutations() throws {
        let seeds = Corpus.entries.compactMap { try? Data(contentsOf: URL(fileURLWithPath: $0.file.description)) }
            .filter { (100..<60_000).contains($0.count) }.map { Array($0) }
        #expect(seeds.count > 50)
        // A share of the cuts at markers in every run, all of them in the slow one.
        let cuts = Self.cuts(seeds).enumerated().filter { Self.isSlow || $0.offset % 40 == 0 }.map(\.element)
        let count = Self.isSlow ? 20_000 + cuts.count : 200 + cuts.count
        #expect(cuts.count > 50)
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
            // The most that any worker held, each time that was looked.
            var workers: [Int] = []
            for number in 0..<count {
                pipeline.submit(
                    BatchRequest(
                        .bytes(number < cuts.count ? cuts[number] : Self.mutated(seeds, &random), name: "\(number)"),
                        [rendition]
                    ) { outcome in
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
                if Self.isSlow, number % 50 == 0 {
                    workers.append(Worker.children(named: "mutated").map(Worker.resident).max() ?? 0)
                }
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
            if Self.isSlow {
                #expect(Double(late) < Double(early) * 1.25 + Double(16 << 20))
                // Medians: a look may meet the one picture that takes much.
                let thirds = [workers.prefix(workers.count / 3), workers.suffix(workers.count / 3)]
                let (first, last) = (thirds[0].sorted()[thirds[0].count / 2], thirds[1].sorted()[thirds[1].count / 2])
                print("largest worker: \(first >> 20) MiB in the first third, \(last >> 20) MiB in the last")
                #expect(first > 0 && Double(last) < Double(first) * 1.25 + Double(4 << 20))
            }
        }
        #expect(Worker.children(named: "mutated").isEmpty)
    }
}
