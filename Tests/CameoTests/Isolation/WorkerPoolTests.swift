import FaceDetection
import Foundation
import JPEGReference
import Synchronization
import Testing

@testable import Cameo

/// Pictures that are decoded in other processes, and what becomes of those that attack the decoder.
@Suite(.serialized) struct WorkerPoolTests {
    @Test("Decoded elsewhere, a picture is the same to the byte, with its header, its blur and its preview")
    func same() throws {
        let photos = FileManager.default.enumerator(
            at: Corpus.repository.appendingPathComponent("Samples/Photos"), includingPropertiesForKeys: nil)
        let renditions: [Rendition] = [
            .thumbnail(PixelSize(square: 64)), .profilePicture(40, focus: .attention),
            .thumbnail(PixelSize(square: 20)),
        ]
        let (pool, local) = (Worker.pool(), LocalOpening(renderer: Renderer()))
        var count = 0
        for case let url as URL in photos ?? .init() where !url.hasDirectoryPath {
            let source = ImageSource.file(FilePath(url.path))
            guard let here = try? local.open(source, for: renditions) else { continue }
            let there = try pool.open(source, for: renditions)
            #expect(there.header == here.header && there.stamp == here.stamp && there.cost == here.cost)
            let made = try here.render(renditions, watch: RenderWatch(), hashes: true)
            let got = try there.render(renditions, watch: RenderWatch(), hashes: true)
            #expect(got.images == made.images && got.warnings == made.warnings && got.thumbHash == made.thumbHash)
            for standIn in [StandIn.embeddedPreview, .eighth] {
                #expect(there.standIns(for: renditions, by: standIn) == here.standIns(for: renditions, by: standIn))
            }
            #expect(try there.digest() == here.digest())
            count += 1
        }
        #expect(count > 20)
    }

    @Test("Of a source in parts, pictures and errors are the same there too")
    func sparse() throws {
        var made = MadeJPEG(width: 1200, height: 900)
        made.isProgressive = true
        let bytes = try #require(made.encoded())
        let known = Array(bytes.prefix(bytes.count / 4))
        let parts = try #require(SparseBytes(head: known, tail: bytes.suffix(1024), count: bytes.count))
        let (source, box) = (ImageSource.sparse(parts, name: "it"), [Rendition.thumbnail(PixelSize(square: 64))])
        let there = try Worker.pool().open(source, for: box)
        let here = try LocalOpening(renderer: Renderer()).open(source, for: box)
        #expect(there.header == here.header && there.cost == here.cost)
        let whole = try Renderer().render(.bytes(bytes, name: "it"), box)
        #expect(try there.render(box, watch: RenderWatch(), hashes: false).images == whole.images)
        let incomplete = RenderError.incomplete(source: "it")
        #expect(Worker.error { () throws(RenderError) in _ = try there.digest() } == incomplete)
        let large = [Rendition.thumbnail(PixelSize(square: 500))]
        #expect(
            Worker.error { () throws(RenderError) in
                _ = try there.render(large, watch: RenderWatch(), hashes: false)
            } == incomplete)
    }

    @Test(
        "However much is asked of one picture at once, it is done, and the same as here",
        arguments: [256, 1000, 3000])
    func many(count: Int) throws {
        let renditions = (0..<count).map { number in
            Rendition(
                size: PixelSize(width: 1 + number % 60, height: 1 + number / 60), mode: .fill,
                focus: .rectangle(PixelRect(x: number % 30, y: number % 20, width: 20, height: 15)))
        }
        // More than a message may hold, one way at least.
        let asked = WorkerRequest.settings(WorkerSettings(options: RenderOptions(), renditions: renditions)).bytes
        #expect(count == 256 || asked.count > WorkerChannel.messageLimit)
        let source = ImageSource.bytes(try Worker.jpeg(), name: "a.jpg")
        let there = try Worker.pool().open(source, for: renditions)
        let here = try LocalOpening(renderer: Renderer()).open(source, for: renditions)
        let got = try there.render(renditions, watch: RenderWatch(), hashes: true)
        #expect(try got.images == here.render(renditions, watch: RenderWatch(), hashes: true).images)
        // The same worker goes on with less.
        #expect(try there.render([renditions[9]], watch: RenderWatch(), hashes: false).images.count == 1)
    }

    @Test("What cannot be said to a worker is called that, and no crash; of four thousand faces some are said")
    func unsayable() throws {
        let (pool, bytes) = (Worker.pool(), try Worker.jpeg())
        // An old file: a stamp that proves nothing is never asked for.
        let file = Corpus.sample("Portraits/Amara.jpg")
        let long = String(repeating: "n", count: WorkerChannel.messageLimit)
        let error = Worker.error { () throws(RenderError) in _ = try pool.open(.bytes(bytes, name: long), for: []) }
        #expect(error?.kind == "tooLarge" && "\(error.map { "\($0)" } ?? "")".contains("cannot be told so much"))
        let faces = FaceSearch(NoFaces(), memory: TooManyFaces())
        let crowded = WorkerPool(
            executable: Worker.executable, options: RenderOptions(), faces: faces, isRequired: true, onWeakness: nil)
        let opened = try crowded.open(.file(file), for: [])
        let renditions = [Rendition.profilePicture(20, focus: .faces())]
        let made = try opened.render(renditions, watch: RenderWatch(), hashes: false)
        #expect(made.images[0].focus == .faces())
        #expect(try crowded.open(.file(file), for: []).header.storedSize.width == 1600)
    }

    private struct NoFaces: FaceDetecting {
        // The workers find some, and are believed where the version is theirs.
        var version: String { FrontalFaceDetector().version }
        var searchSides: [Int] { [400] }
        func faces(in picture: GreyPixels) -> [DetectedFace] { [] }
    }

    private struct TooManyFaces: FaceRemembering {
        func faces(of stamp: ContentStamp, detector version: String) -> [DetectedFace]? {
            Array(repeating: DetectedFace(x: 0.1, y: 0.1, width: 0.1, height: 0.1, confidence: 0.123), count: 4096)
        }
        func remember(_ faces: [DetectedFace], of stamp: ContentStamp, detector version: String) {}
    }

    @Test("Bytes in memory go the same way, and errors come back as they are")
    func errors() throws {
        let pool = Worker.pool()
        let opened = try pool.open(.bytes(Worker.jpeg(), name: "a.jpg"), for: [])
        #expect(opened.stamp == nil && opened.header.storedSize == PixelSize(width: 60, height: 40))
        #expect(
            Worker.error { () throws(RenderError) in _ = try pool.open(.bytes([1, 2, 3], name: "b"), for: []) }
                == .notAnImage(source: "b"))
        #expect(
            Worker.error { () throws(RenderError) in _ = try pool.open(.bytes([], name: "c"), for: []) }
                == .empty(source: "c"))
        let none = Worker.error { () throws(RenderError) in _ = try pool.open(.file("/none"), for: []) }
        #expect(none?.kind == "unreadable")
        let bad = Rendition(
            size: PixelSize(square: 10), mode: .fill, focus: .rectangle(PixelRect(x: 500, y: 0, width: 5, height: 5)))
        let outside = Worker.error { () throws(RenderError) in
            _ = try opened.render([bad], watch: RenderWatch(), hashes: false)
        }
        #expect(outside?.kind == "invalidRendition")
    }

    @Test(
        "A picture that crashes its decoder, or makes it exit, fails alone, says how, and is not tried again",
        arguments: [("x-crash.jpg", "signal 11"), ("x-exit.jpg", "exit status 0")])
    func crash(name: String, how: String) throws {
        let folder = try TemporaryFolder()
        let (bad, good) = (try folder.write(Worker.jpeg(), to: name), try folder.write(Worker.jpeg(), to: "good.jpg"))
        let pool = Worker.pool()
        let first = Worker.error { () throws(RenderError) in _ = try pool.open(.file(bad), for: []) }
        guard case .crashed(let source, let reason)? = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        #expect(source == bad.description && reason.hasPrefix(how))
        #expect(try pool.open(.file(good), for: []).header.storedSize.width == 60)
        #expect(Worker.error { () throws(RenderError) in _ = try pool.open(.file(bad), for: []) } == first)
        // No worker is asked again: by another name the same file would not misbehave.
        let alias = folder.url.appendingPathComponent("alias.jpg").path
        try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: bad.description)
        let again = Worker.error { () throws(RenderError) in _ = try pool.open(.file(FilePath(alias)), for: []) }
        #expect(again == .crashed(source: alias, reason: reason))
    }

    @Test("What crashed a decoder is not tried again where it is in memory, whole or in parts", arguments: [1, 2])
    func crashInMemory(parts: Int) throws {
        func source(_ bytes: [UInt8], _ name: String) throws -> ImageSource {
            if parts == 1 { return .bytes(bytes, name: name) }
            let (head, tail) = (Array(bytes.prefix(bytes.count - 9)), Array(bytes.suffix(2)))
            return .sparse(try #require(SparseBytes(head: head, tail: tail, count: bytes.count)), name: name)
        }
        let (pool, bytes) = (Worker.pool(), try Worker.jpeg())
        // As long, and good.
        var other = bytes
        other[bytes.count - 1] ^= 1
        let (bad, again, good) = try (source(bytes, "x-crash.jpg"), source(bytes, "y.jpg"), source(other, "z.jpg"))
        let first = Worker.error { () throws(RenderError) in _ = try pool.open(bad, for: []) }
        guard case .crashed(_, let reason)? = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        let second = Worker.error { () throws(RenderError) in _ = try pool.open(again, for: []) }
        #expect(second == .crashed(source: "y.jpg", reason: reason))
        #expect(try pool.open(good, for: []).header.storedSize.width == 60)
    }

    @Test("A decoder that never returns is ended when its time is over")
    func spin() throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write(Worker.jpeg(), to: "x-spin.jpg")
        let pool = Worker.pool(seconds: 0.3)
        let start = ContinuousClock.now
        let error = Worker.error { () throws(RenderError) in _ = try pool.open(.file(bad), for: []) }
        #expect(error == .timedOut(source: bad.description, seconds: 0.3))
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("A decoder that eats memory is ended before it has eaten much")
    func eat() throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write(Worker.jpeg(), to: "x-eat.jpg")
        let error = Worker.error { () throws(RenderError) in _ = try Worker.pool().open(.file(bad), for: []) }
        #expect(error?.kind == "tooLarge")
        #expect("\(error.map { "\($0)" } ?? "")".contains("256 MiB"))
    }

    @Test(
        "A worker cannot say that the machine is at fault, or that its picture was called off",
        arguments: ["blame", "leave"])
    func blame(way: String) throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write(Worker.jpeg(), to: "x-\(way).jpg")
        let error = Worker.error { () throws(RenderError) in _ = try Worker.pool().open(.file(bad), for: []) }
        #expect(error?.kind == "crashed" && "\(error.map { "\($0)" } ?? "")".hasPrefix("\(bad): "))
    }

    @Test("Asked again and again, a worker that is gone says so, and no other is touched")
    func askedAgain() throws {
        let nursery = WorkerNursery(Worker.executable)
        let (gone, other) = (try WorkerProcess(nursery), try WorkerProcess(nursery))
        kill(gone.process, SIGKILL)
        let allowance = WorkerProcess.Allowance(seconds: 30, memory: 1 << 30)
        for _ in 0..<3 {
            #expect(throws: WorkerProcess.Failure.self) { try gone.ask(.digest, nil, allowance: allowance) }
            #expect(!gone.isReady && other.isReady)
        }
        guard case .nothing = try other.ask(.digest, nil, allowance: allowance) else {
            Issue.record("no answer")
            return
        }
    }

    @Test("A worker that ended while nobody asked it is no fault of the next picture")
    func endedIdle() throws {
        let folder = try TemporaryFolder()
        let executable = try Worker.executable(named: "idle", in: folder)
        let pool = WorkerPool(executable: executable, options: RenderOptions(), isRequired: true, onWeakness: nil)
        _ = try pool.open(.bytes(Worker.jpeg(), name: "a"), for: [])
        let workers = Worker.children(named: "idle")
        #expect(workers.count == 2)
        for worker in workers {
            kill(pid_t(worker), SIGKILL)
            // Until the last of its threads has closed its files; it is left to be waited for once more.
            var end = siginfo_t()
            #expect(waitid(P_PID, id_t(worker), &end, WEXITED | WNOWAIT) == 0)
        }
        #expect(try pool.open(.bytes(Worker.jpeg(), name: "b"), for: []).header.storedSize.width == 60)
    }

    @Test("What workers are copied from has one thread, and is replaced when somebody ends it")
    func nursery() throws {
        let folder = try TemporaryFolder()
        let nursery = WorkerNursery(try Worker.executable(named: "nursery", in: folder))
        let first = try WorkerProcess(nursery, searchesFaces: true)
        let both = Worker.children(named: "nursery")
        // The worker is this process's own child, or how it ended could not be told.
        #expect(both.count == 2 && both.contains(Int(first.process)))
        let parent = try #require(both.subtracting([Int(first.process)]).first)
        #if !CAMEO_SANITIZES_THREADS
            // A copy has one thread, so what others hold would be held there for ever.
            #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task").count == 1)
        #endif
        kill(pid_t(parent), SIGKILL)
        let second = try WorkerProcess(nursery)
        let allowance = WorkerProcess.Allowance(seconds: 30, memory: 1 << 30)
        for worker in [first, second] {
            guard case .nothing = try worker.ask(.digest, nil, allowance: allowance) else {
                Issue.record("no answer")
                return
            }
        }
        nursery.end()
        first.end()
        second.end()
        #expect(Worker.children(named: "nursery").isEmpty)
    }

    @Test("A program that does not become a worker where it is asked to does not start itself over and over")
    func forgetful() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Worker.jpeg(), to: "photo.jpg")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Worker.beside("ForgetfulHost").description)
        process.currentDirectoryURL = folder.url
        let out = Pipe()
        process.standardOutput = out
        try process.run()
        let said = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said.hasSuffix("does not start as a worker: it has to call IsolatedWorker.runIfAsked() first\n"))
        let starts = try String(contentsOf: folder.url.appendingPathComponent("starts"), encoding: .utf8)
        // The program, and what was to become its nursery: that is tried twice.
        #expect(starts == String(repeating: "started\n", count: 3))
    }

    @Test("An executable that is no worker is an error of the environment, not a hang")
    func noWorker() throws {
        let pool = WorkerPool(executable: "/bin/true", options: RenderOptions(), isRequired: false, onWeakness: nil)
        let start = ContinuousClock.now
        let error = Worker.error { () throws(RenderError) in
            _ = try pool.open(.bytes([1, 2, 3], name: "a"), for: [])
        }
        #expect(error?.kind == "environment")
        // Its end is noticed, not waited for until a worker's time to start is over.
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("Called off, a rendering in another process ends; the worker serves the next request")
    func cancelled() throws {
        let pool = Worker.pool()
        let size = PixelSize(square: 4000)
        let large = try PixelBuffer(size: size, channels: 3, bytes: [UInt8](repeating: 90, count: size.area * 3))
            .encoded(Encoding(.png)).bytes
        let opened = try pool.open(.bytes(large, name: "large.png"), for: [])
        let rendition = Rendition.thumbnail(PixelSize(square: 3900))
        // Whoever calls off may be kept waiting until the picture is there, but not each time.
        var error: RenderError?
        for _ in 0..<20 where error == nil {
            let watch = RenderWatch()
            Thread.detachNewThread {
                usleep(20_000)
                watch.cancel()
            }
            error = Worker.error { () throws(RenderError) in
                _ = try opened.render([rendition], watch: watch, hashes: false)
            }
        }
        #expect(error == .cancelled(source: "large.png"))
        let small = try opened.render([.thumbnail(PixelSize(square: 20))], watch: RenderWatch(), hashes: false)
        #expect(small.images.count == 1)
    }

    @Test("No process is left behind, and none is a zombie, when the pool is gone")
    func noneLeft() throws {
        let folder = try TemporaryFolder()
        let executable = try Worker.executable(named: "none-left", in: folder)
        do {
            let pool = WorkerPool(executable: executable, options: RenderOptions(), isRequired: true, onWeakness: nil)
            let held = try (0..<3).map { try pool.open(.bytes(Worker.jpeg(), name: "\($0)"), for: []) }
            #expect(held.count == 3)
            // Three, and what they were copied from.
            #expect(Worker.children(named: "none-left").count == 4)
        }
        #expect(Worker.children(named: "none-left").isEmpty)
    }
}
