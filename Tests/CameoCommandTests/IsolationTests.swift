import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

/// Hostile pictures in a run of the command: each costs itself and nothing else.
struct IsolationTests {
    private static func run(_ place: Workplace, _ arguments: String...) throws -> CommandRun {
        // Inherited by the command: its workers act out what the names say, in a debug build.
        setenv("CAMEO_REHEARSAL", "1", 1)
        return try CommandRun(["thumbnails", place.input.path, "-o", place.output.path] + arguments)
    }

    @Test("Among a hundred good pictures, those that crash, spin, eat memory and attack cost themselves alone")
    func hundred() throws {
        let place = try Workplace()
        for number in 0..<100 {
            try place.add("good \(number).jpg", Workplace.picture(60 + number, shade: UInt8(number)))
        }
        for name in ["a-crash.jpg", "b-spin.jpg", "c-eat.jpg", "d-exit.jpg", "e-escape.jpg"] { try place.add(name) }
        let json = try Self.run(place, "--json", "--timeout", "4", "--size", "40")
        #expect(json.status == 1 && json.results.count == 105)
        let kinds = Dictionary(
            grouping: json.results.compactMap { result in result.error.map { (result.input, $0.kind) } }
        ) { $0.1 }
        .mapValues { $0.map { URL(fileURLWithPath: $0.0).lastPathComponent }.sorted() }
        #expect(
            kinds == ["crashed": ["a-crash.jpg", "d-exit.jpg"], "timedOut": ["b-spin.jpg"], "tooLarge": ["c-eat.jpg"]])
        #expect(place.outputs.count == 101)
        for number in 0..<100 {
            let bytes = try Data(contentsOf: place.output.appendingPathComponent("good \(number).jpg"))
            let alone = try Renderer().render(
                .bytes(Array(Workplace.picture(60 + number, shade: UInt8(number))), name: "a"),
                [.thumbnail(PixelSize(square: 40))]
            ).images[0].encoded().bytes
            #expect(Array(bytes) == alone)
        }
        let text = try Self.run(place, "--timeout", "4", "--size", "41")
        #expect(text.status == 1 && text.lines.count == 101)
        #expect(text.errors.contains("a-crash.jpg: decoding it crashed: signal 11"))
        #expect(text.errors.contains("b-spin.jpg: not done within 4.0 s"))
        #expect(text.errors.contains("101 rendered, 4 failed"))
    }

    @Test(
        "A worker that spins without a limit ends when its host is killed",
        .disabled(if: ProcessInfo.processInfo.environment["CAMEO_SANITIZER"] != nil, "signals wait for calls there"))
    func orphan() throws {
        let place = try Workplace()
        try place.add("a-spin.jpg")
        setenv("CAMEO_REHEARSAL", "1", 1)
        let process = CommandRun.process(["thumbnails", place.input.path, "-o", place.output.path, "--timeout", "0"])
        try process.run()
        /// The children of a process that have taken some time to compute, in hundredths of a second.
        func children(of parent: Int32, busyFor least: Int) -> [Int] {
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int($0) }.filter {
                let text = (try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8)) ?? ""
                let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
                return fields.count > 12 && Int32(fields[1]) == parent && (Int(fields[11]) ?? 0) >= least
            }
        }
        var spinning: [Int] = []
        for _ in 0..<3000 where spinning.isEmpty {
            usleep(20_000)
            // The nursery loads for less than that.
            spinning = children(of: process.processIdentifier, busyFor: 100)
        }
        let worker = try #require(spinning.first)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        var isGone = false
        for _ in 0..<3000 where !isGone {
            usleep(20_000)
            let text = (try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8)) ?? ""
            // Whoever adopts it may wait for it or not.
            isGone = text.isEmpty || text.split(separator: ")").last?.hasPrefix(" Z") == true
        }
        #expect(isGone)
    }

    @Test("Where the sandbox is incomplete, a run that requires it makes nothing, and another says so once")
    func incomplete() throws {
        let place = try Workplace()
        // Each of the first needs a worker of its own.
        for name in ["a-crash.jpg", "b-crash.jpg", "c.jpg"] { try place.add(name) }
        func run(_ isolation: String) throws -> CommandRun {
            try CommandRun(
                ["thumbnails", place.input.path, "-o", place.output.path, "--isolate", isolation, "--workers", "1"],
                environment: ["CAMEO_REHEARSAL": Misbehaviour.nameWithoutSandbox])
        }
        let required = try run("required")
        #expect(required.status == 3 && required.output.isEmpty && place.outputs.isEmpty)
        #expect(required.errors.contains("pictures cannot be isolated as required: there is none in this test"))
        let auto = try run("auto")
        #expect(auto.status == 1 && place.outputs == ["c.jpg"])
        let said = auto.errors.components(separatedBy: "the sandbox is incomplete here: there is none in this test\n")
        #expect(said.count == 2, "\(auto.errors)")
    }

    @Test(
        "Stopped with several pictures in workers, a run leaves whole outputs and nobody", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        let place = try Workplace()
        for number in 0..<60 { try place.add("\(number)-slow.jpg", Workplace.picture(150, shade: UInt8(number))) }
        setenv("CAMEO_REHEARSAL", "1", 1)
        let process = CommandRun.process(
            ["thumbnails", place.input.path, "-o", place.output.path, "--json", "--workers", "3"])
        let out = Pipe()
        process.standardOutput = out
        process.standardError = FileHandle.nullDevice
        try process.run()
        try out.fileHandleForWriting.close()
        // Three at least, and what they were copied from: each picture stays with its worker for a while.
        var workers: [Int32] = []
        while workers.count < 4, process.isRunning {
            workers = CommandRun.workers(of: process.processIdentifier).processes
        }
        let first = out.fileHandleForReading.availableData
        kill(process.processIdentifier, signal)
        let results = (first + out.fileHandleForReading.readDataToEndOfFile()).split(separator: 10).compactMap {
            JSONLine.decode(ResultLine.self, Array($0))
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
        #expect((1..<60).contains(results.count) && results.allSatisfy { $0.status == .rendered })
        let said = results.flatMap { $0.outputs ?? [] }.map { URL(fileURLWithPath: $0.path).lastPathComponent }
        #expect(said.sorted() == place.outputs)
        for name in place.outputs {
            let image = try Renderer().render(
                .file(FilePath(place.output.path + "/" + name)), [.thumbnail(PixelSize(square: 150))])
            #expect(image.warnings.isEmpty && image.images[0].pixels.size == PixelSize(width: 150, height: 112))
        }
        #expect(FileManager.default.subpaths(atPath: place.output.path)?.filter { $0.hasSuffix(".tmp") } == [])
        #expect(workers.count >= 4)
        for worker in workers { #expect(!FileManager.default.fileExists(atPath: "/proc/\(worker)")) }
    }

    @Test("Isolated and not, a run writes the same bytes", arguments: ["auto", "required", "none"])
    func same(isolation: String) throws {
        let place = try Workplace()
        for name in ["a.jpg", "b.png", "c.webp"] {
            try place.add(name, Workplace.picture(90, name.hasSuffix("png") ? .png : .jpeg))
        }
        let run = try Self.run(place, "--isolate", isolation, "--size", "50")
        #expect(run.status == 0 && place.outputs.count == 3)
        let bytes = try Data(contentsOf: place.output.appendingPathComponent("a.jpg"))
        let alone = try Renderer().render(
            .bytes(Array(Workplace.picture(90)), name: "a"), [.thumbnail(PixelSize(square: 50))]
        ).images[0].encoded().bytes
        #expect(Array(bytes) == alone)
    }
}

/// Hostile pictures that somebody looks at.
struct InspectIsolationTests {
    private static func run(_ place: Workplace, _ arguments: String...) throws -> CommandRun {
        setenv("CAMEO_REHEARSAL", "1", 1)
        return try CommandRun(["inspect", "in"] + arguments, folder: place.url)
    }

    @Test(
        "A picture that crashes its decoder, ends its process or attacks costs itself alone",
        arguments: ["", "--json"])
    func hostile(option: String) throws {
        let place = try Workplace()
        for name in ["a-crash.jpg", "b.jpg", "c-exit.jpg", "d-eat.jpg", "e-escape.jpg", "f.jpg"] { try place.add(name) }
        let run = try Self.run(place, option == "" ? "--no-faces" : option)
        #expect(run.status == 1)
        for (name, reason) in [
            ("a-crash", "decoding it crashed: signal 11"), ("c-exit", "decoding it crashed: exit status 0"),
            ("d-eat", "too large: decoding it takes more than"),
        ] { #expect(run.errors.contains("in/\(name).jpg: \(reason)"), "\(run.errors)") }
        if option == "" {
            let shown = run.lines.filter { !$0.hasPrefix(" ") }
            #expect(shown == ["in/b.jpg", "in/e-escape.jpg", "in/f.jpg"])
        } else {
            let objects = run.lines.compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
            #expect(objects.count == 6 && objects.filter { $0["upright"] as? [Int] == [80, 60] }.count == 3)
            let kinds = objects.compactMap { ($0["error"] as? [String: Any])?["kind"] as? String }
            #expect(kinds.sorted() == ["crashed", "crashed", "tooLarge"])
        }
        // What must not happen elsewhere happens here where it is asked for.
        try FileManager.default.removeItem(at: place.input.appendingPathComponent("a-crash.jpg"))
        #expect(try Self.run(place, "--no-faces", "--isolate", "none").status == 0)
    }

    @Test("A picture that takes too long, or too much memory, when its faces are searched for is no good picture")
    func late() throws {
        let place = try Workplace()
        for name in ["a-eat-late.jpg", "b-crash-late.jpg", "c.jpg"] { try place.add(name) }
        let run = try Self.run(place)
        #expect(run.status == 1 && run.lines.filter { !$0.hasPrefix(" ") } == ["in/c.jpg"])
        for (name, reason) in [
            ("a-eat-late", "too large: decoding it takes more than"),
            ("b-crash-late", "decoding it crashed: signal 11"),
        ] { #expect(run.errors.contains("in/\(name).jpg: \(reason)"), "\(run.errors)") }

        let slow = FilePath(try place.add("d-spin-late.jpg").path)
        var options = RenderOptions()
        options.limits.seconds = 0.3
        let inspector = PictureInspector(
            options: options, faces: .standard, isolation: .required,
            workerExecutable: FilePath(CommandRun.executable.path))
        #expect(throws: RenderError.timedOut(source: slow.description, seconds: 0.3)) {
            try InspectCommand.look(at: .file(slow), inspector)
        }
    }

    @Test("Isolated and not, the same is seen, faces included", arguments: ["auto", "required"])
    func same(isolation: String) throws {
        let photos = Workplace.repository.appendingPathComponent("Samples/Photos").path
        let there = try CommandRun(["inspect", photos, "--json", "--isolate", isolation])
        let here = try CommandRun(["inspect", photos, "--json", "--isolate", "none"])
        #expect(there.lines.count > 20 && there.output == here.output)
        #expect(there.status == here.status && there.errors == here.errors)
        #expect(there.text.contains("\"faces\":[["))
    }
}
