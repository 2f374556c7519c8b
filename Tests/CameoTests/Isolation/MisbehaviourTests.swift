import Foundation
import Testing

@testable import Cameo

/// Decoders that are taken over while a picture is open, or after it was closed.
@Suite(.serialized) struct MisbehaviourTests {
    private static let rendition = [Rendition.thumbnail(PixelSize(square: 20))]

    /// A limit that opening and making a small picture stays within.
    private static let seconds: Double = Patience.isSanitized ? 6 : 2

    /// Waits until a process has ended; whoever started it may have waited for it or not.
    private static func waitForEnd(of process: Int) -> Bool {
        for _ in 0..<6000 {
            let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            if text.isEmpty || text.split(separator: ")").last?.hasPrefix(" Z") == true { return true }
            usleep(10_000)
        }
        return false
    }

    private static func pool(_ name: String, in folder: TemporaryFolder, seconds: Double = 30) throws -> WorkerPool {
        var options = RenderOptions()
        options.limits.seconds = seconds
        return WorkerPool(
            executable: try Worker.executable(named: name, in: folder), options: options, isRequired: true,
            onWeakness: nil)
    }

    @Test(
        "A picture that misbehaves while it is rendered, or whose worker lies, fails alone, and is not opened again",
        arguments: [
            ("x-crash-late.jpg", "crashed", "signal 11"), ("x-spin-late.jpg", "timedOut", "not done within"),
            ("x-eat-late.jpg", "tooLarge", "decoding it takes more than"),
            ("x-miscount.jpg", "crashed", "answered what makes no sense"),
            ("x-oversize.jpg", "crashed", "answered what makes no sense"),
            ("x-outside.jpg", "crashed", "answered what makes no sense"),
        ])
    func late(name: String, kind: String, words: String) throws {
        let folder = try TemporaryFolder()
        let (bad, good) = (try folder.write(Worker.jpeg(), to: name), try folder.write(Worker.jpeg(), to: "good.jpg"))
        let pool = Worker.pool(seconds: name.contains("spin") ? Self.seconds : 30)
        let opened = try pool.open(.file(bad), for: Self.rendition)
        let error = Worker.error { () throws(RenderError) in
            _ = try opened.render(Self.rendition, watch: RenderWatch(), hashes: false)
        }
        #expect(error?.kind == kind && "\(error.map { "\($0)" } ?? "")".contains(words), "\(String(describing: error))")
        opened.close()
        #expect(Worker.error { () throws(RenderError) in _ = try pool.open(.file(bad), for: []) } == error)
        let other = try pool.open(.file(good), for: Self.rendition)
        #expect(try other.render(Self.rendition, watch: RenderWatch(), hashes: false).images.count == 1)
    }

    @Test(
        "What ended the worker while it made a stand-in is what the picture fails with, then and from then on",
        arguments: [("x-crash-late.jpg", "crashed", "signal 11"), ("x-eat-late.jpg", "tooLarge", "takes more than")])
    func standIn(name: String, kind: String, words: String) throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write(Worker.jpeg(), to: name)
        let pool = Worker.pool()
        let opened = try pool.open(.file(bad), for: Self.rendition)
        #expect(opened.standIns(for: Self.rendition, by: .eighth) == nil)
        let error = Worker.error { () throws(RenderError) in
            _ = try opened.render(Self.rendition, watch: RenderWatch(), hashes: false)
        }
        #expect(error?.kind == kind && "\(error.map { "\($0)" } ?? "")".contains(words), "\(String(describing: error))")
        #expect(Worker.error { () throws(RenderError) in _ = try opened.digest() } == error)
        #expect(Worker.error { () throws(RenderError) in _ = try pool.open(.file(bad), for: []) } == error)
    }

    @Test("A worker that eats when its picture was let go of is ended for that before the next one has it")
    func hoard() throws {
        let worker = try WorkerProcess(WorkerNursery(Worker.executable))
        let before = Worker.resident(Int(worker.process))
        let input = try WorkerInput(.bytes(Worker.jpeg(), name: "it"), Limits())
        let allowance = WorkerProcess.Allowance(seconds: 60, memory: before + 256 << 20)
        let opening = WorkerRequest.open(name: "x-hoard.jpg", hole: nil)
        guard case .opened = try worker.ask(opening, WorkerSettings(), file: input.file, allowance: allowance) else {
            Issue.record("not opened")
            return
        }
        #expect(worker.letGo())
        while (1...allowance.memory).contains(Worker.resident(Int(worker.process))) { usleep(1000) }
        #expect(!worker.isFit)
        let failure = #expect(throws: WorkerProcess.Failure.self) {
            try worker.ask(.digest, nil, allowance: allowance)
        }
        guard case .tooLarge? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("An answer to what was not asked ends the worker, and is nobody else's")
    func chatty() throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write(Worker.jpeg(), to: "x-chatty.jpg")
        let pool = Worker.pool()
        let opened = try pool.open(.file(bad), for: Self.rendition)
        #expect(try opened.render(Self.rendition, watch: RenderWatch(), hashes: false).images.count == 1)
        let error = Worker.error { () throws(RenderError) in _ = try opened.digest() }
        #expect(error?.kind == "crashed" && "\(error.map { "\($0)" } ?? "")".hasSuffix("answered what makes no sense"))
        #expect(Worker.error { () throws(RenderError) in _ = try pool.open(.file(bad), for: []) } == error)
    }

    @Test("The time limit is that of the file: answers that are each within it are not so together")
    func together() throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write(Worker.jpeg(), to: "x-slow.jpg")
        let opened = try Worker.pool(seconds: Self.seconds).open(.file(bad), for: [])
        var answers = 0
        let error = Worker.error { () throws(RenderError) in
            while answers < 40 {
                _ = try opened.digest()
                answers += 1
            }
        }
        // Three tenths of a second each, of the limit and a half.
        #expect(error == .timedOut(source: bad.description, seconds: Self.seconds))
        #expect(Double(answers) * 0.3 < Self.seconds + 0.5)
    }

    @Test(
        "Time in which nothing is asked does not count",
        .disabled(if: Patience.isSanitized, "what is asked takes long there"))
    func waiting() throws {
        let folder = try TemporaryFolder()
        let slow = try folder.write(Worker.jpeg(), to: "x-slow.jpg")
        let opened = try Worker.pool(seconds: 3).open(.file(slow), for: [])
        _ = try opened.digest()
        usleep(3_600_000)
        #expect(try opened.digest().count == 64)
    }

    @Test("A worker that goes on eating when everything was answered is ended, be its picture open or closed")
    func linger() throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write(Worker.jpeg(), to: "x-linger.jpg")
        let other = try folder.write(Worker.jpeg(), to: "y-linger.jpg")
        let pool = try Self.pool("linger", in: folder)
        let held = try pool.open(.file(bad), for: [])
        let worker = try #require(Worker.children(named: "linger").max())
        #expect(Self.waitForEnd(of: worker))
        let error = Worker.error { () throws(RenderError) in _ = try held.digest() }
        #expect(error?.kind == "tooLarge")
        #expect(Worker.error { () throws(RenderError) in _ = try pool.open(.file(bad), for: []) } == error)

        let before = Worker.children(named: "linger")
        try pool.open(.file(other), for: []).close()
        let next = try #require(Worker.children(named: "linger").subtracting(before).first)
        #expect(Self.waitForEnd(of: next))
        // It is no fault of who comes then.
        let good = ImageSource.bytes(try Worker.jpeg(), name: "good")
        let opened = try pool.open(good, for: Self.rendition)
        #expect(try opened.render(Self.rendition, watch: RenderWatch(), hashes: false).images.count == 1)
    }

    @Test(
        "A worker that has kept much of one picture is not given another",
        .disabled(if: Patience.isSanitized, "what is kept counts several times there"))
    func keep() throws {
        let folder = try TemporaryFolder()
        let pool = try Self.pool("keep", in: folder)
        let good = ImageSource.bytes(try Worker.jpeg(), name: "good")
        try pool.open(good, for: []).close()
        let first = Worker.children(named: "keep")
        try pool.open(good, for: []).close()
        #expect(Worker.children(named: "keep") == first)
        try pool.open(.file(folder.write(Worker.jpeg(), to: "x-keep.jpg")), for: []).close()
        _ = try pool.open(good, for: [])
        let then = Worker.children(named: "keep")
        #expect(then.count == 2 && then != first)
    }
}
