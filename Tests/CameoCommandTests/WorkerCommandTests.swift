import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

/// `cameo worker` as an engine runs it: a process with pipes.
struct WorkerCommandTests {
    /// A worker that runs, and what it has answered so far.
    private final class Running {
        let process: Process
        let (feed, out, err) = (Pipe(), Pipe(), Pipe())

        init(_ arguments: [String]) throws {
            process = CommandRun.process(["worker"] + arguments)
            process.standardInput = feed
            process.standardOutput = out
            process.standardError = err
            try process.run()
            // Only the worker's own ends stay open.
            try out.fileHandleForWriting.close()
            try err.fileHandleForWriting.close()
            try feed.fileHandleForReading.close()
        }

        func send(_ lines: String...) {
            feed.give(Data(lines.map { $0 + "\n" }.joined().utf8))
        }

        func answer() -> ResultLine? {
            JSONLine.decode(ResultLine.self, Self.line(out.fileHandleForReading.fileDescriptor))
        }

        /// What it said on standard error, once it has ended.
        var said: String { String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

        /// One line of a pipe, byte by byte so that nothing behind it is taken.
        static func line(_ file: Int32) -> [UInt8] {
            var bytes: [UInt8] = []
            while true {
                var byte: UInt8 = 0
                let count = read(file, &byte, 1)
                if count < 0, errno == EINTR { continue }
                if count <= 0 || byte == 10 { return bytes }
                bytes.append(byte)
            }
        }

        /// The exit status; nil where a signal ended it, or nothing within a minute.
        func end() -> Int32? {
            for _ in 0..<6000 where process.isRunning { usleep(10_000) }
            if process.isRunning {
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                return nil
            }
            return process.terminationReason == .exit ? process.terminationStatus : nil
        }
    }

    private static func line(_ input: String, _ output: String, more: String = "") -> String {
        #"{"id":"\#(output)","input":"\#(input)","output":"\#(output)"\#(more)}"#
    }

    @Test("Every line has one answer, in the order of the lines, and failures leave the exit status at 0")
    func answers() throws {
        let place = try Workplace()
        let (large, small) = (try place.add("l.jpg", Workplace.picture(1500)).path, try place.add("s.jpg").path)
        let text = try place.add("t.jpg", Data("words".utf8)).path
        let ids = [#""a""#, "null", "7", #"{"k":[1.50,"}\"",{}]}"#, "12345678901234567890123", "null", #""dé\u0041""#]
        let lines = [
            #"{"id":\#(ids[0]),"input":"\#(large)","output":"a"}"#, "", #"{"id": \#(ids[2]) ,"input":"\#(text)"}"#,
            #"{"id":\#(ids[3]),"input":"\#(place.input.path)/none.jpg"}"#,
            #"{"input":"\#(small)","size":"20x","id":\#(ids[4])}"#, "{nonsense",
            #"{"id":\#(ids[6]),"input":"\#(small)","output":"b","size":20}"#,
        ]
        for workers in ["1", "3"] {
            let run = try CommandRun(
                ["worker", "-o", place.output.path, "--workers", workers], input: lines.joined(separator: "\n"))
            #expect(run.status == 0 && run.lines.count == lines.count && run.results.count == lines.count)
            for (answer, id) in zip(run.lines, ids) { #expect(answer.hasPrefix(#"{"id":\#(id),""#), "\(answer)") }
            #expect(run.results.map(\.line) == Array(1...lines.count))
            #expect(run.results.map { $0.status == .rendered } == [true, false, false, false, false, false, true])
            #expect(
                run.results.compactMap(\.error).map { "\($0.kind) \($0.stage) \($0.retryable)" } == [
                    "unreadable line false", "notAnImage read false", "unreadable read false", "unreadable line false",
                    "unreadable line false",
                ])
            #expect(place.outputs == ["a.jpg", "b.jpg"])
        }
    }

    @Test("A worker makes the same bytes as thumbnails and avatar do", arguments: ["thumbnails", "avatar"])
    func sameBytes(kind: String) throws {
        let place = try Workplace()
        for (index, name) in ["a.jpg", "b.png", "c.webp"].enumerated() {
            try place.add(name, Workplace.picture(150, name.hasSuffix("png") ? .png : .jpeg, shade: UInt8(index * 60)))
        }
        _ = try place.run(kind)
        let other = place.url.appendingPathComponent("other").path
        let lines = ["a.jpg", "b.png", "c.webp"].map {
            Self.line(place.input.path + "/" + $0, String($0.prefix(1)))
        }
        let run = try CommandRun(["worker", kind, "-o", other], input: lines.joined(separator: "\n"))
        #expect(run.status == 0 && run.results.allSatisfy { $0.status == .rendered })
        #expect(!place.outputs.isEmpty)
        for name in place.outputs {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: place.output.path + "/" + name, andPath: other + "/" + name), "\(name)")
        }
    }

    @Test("SIGTERM drains: lines that were read and that nothing was done for yet are answered, and the status is 75")
    func drained() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg").path
        let worker = try Running(["-o", place.output.path, "--workers", "1", "--heartbeat", "0.1"])
        worker.send(Self.line(file, "x"))
        #expect(worker.answer()?.status == .rendered)
        // Whoever is to decode the next ones stands still meanwhile.
        let decoders = CommandRun.workers(of: worker.process.processIdentifier).processes
        #expect(decoders.count == 2)
        decoders.forEach { kill($0, SIGSTOP) }
        defer { decoders.forEach { kill($0, SIGCONT) } }
        let names = ["a", "b", "c"]
        for name in names { worker.send(Self.line(file, name)) }
        var said = "-"
        while !said.isEmpty, !said.hasSuffix("1 lines answered, 0 failed, 3 under way") {
            said = String(decoding: Running.line(worker.err.fileHandleForReading.fileDescriptor), as: UTF8.self)
        }
        kill(worker.process.processIdentifier, SIGTERM)
        decoders.forEach { kill($0, SIGCONT) }
        for number in names.indices {
            let answer = worker.answer()
            #expect(answer?.status == .rendered && answer?.line == number + 2)
        }
        #expect(worker.end() == 75 && worker.answer() == nil)
        #expect(place.outputs == ["a.jpg", "b.jpg", "c.jpg", "x.jpg"])
    }

    @Test("SIGTERM ends a wait for more lines")
    func drainedIdle() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg").path
        let worker = try Running(["-o", place.output.path])
        worker.send(Self.line(file, "x"))
        #expect(worker.answer()?.status == .rendered)
        kill(worker.process.processIdentifier, SIGTERM)
        #expect(worker.end() == 75 && worker.answer() == nil)
    }

    @Test("A worker ends with its input, and says nothing when nobody reads its answers")
    func ends() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg").path
        let closed = try Running(["-o", place.output.path])
        try closed.feed.fileHandleForWriting.close()
        #expect(closed.end() == 0)
        // While it waits for more, and when it has something to say.
        for waits in [true, false] {
            let unheard = try Running(["-o", place.output.path])
            if waits {
                unheard.send(Self.line(file, "x"))
                #expect(unheard.answer()?.status == .rendered)
            }
            try unheard.out.fileHandleForReading.close()
            if !waits { unheard.send(Self.line(file, "y")) }
            #expect(unheard.end() == 75)
            #expect(unheard.said.isEmpty)
        }
    }

    /// A worker that a shell started, and all of whose pipes stay open when the shell is gone.
    private struct Orphan {
        let shell = Process()
        let feed = Pipe()
        let out = Pipe()
        let err = Pipe()
        let place: Workplace
        let worker: Int32

        init() throws {
            place = try Workplace()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            let command = try #require(CommandRun.process([]).executableURL?.path)
            // The system ends whoever stands still in a group whose last parent goes; and a shell gives what it does
            // behind its back nothing to read, unless that has another number.
            let line = "trap '' HUP; exec 3<&0; \"$0\" worker -o \"$1\" --heartbeat 0.1 <&3 & echo $!; wait"
            shell.arguments = ["-c", line, command, place.output.path]
            (shell.standardInput, shell.standardOutput, shell.standardError) = (feed, out, err)
            try shell.run()
            let number = Running.line(out.fileHandleForReading.fileDescriptor)
            worker = try #require(Int32(String(decoding: number, as: UTF8.self)))
        }

        /// Its state and who started it, as /proc tells; nil once it is gone.
        private var status: (state: Substring, parent: Substring)? {
            let text = try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8)
            guard let fields = text?.split(separator: ")").last?.split(separator: " "), fields.count > 1 else {
                return nil
            }
            return (fields[0], fields[1])
        }

        /// Whether it runs.
        var isAlive: Bool { status.map { $0.state != "Z" } ?? false }

        /// Kills the shell; the worker has another parent then. (A `Process` hears of its child's end only once that
        /// child's own are gone, too.)
        func killShell() {
            kill(shell.processIdentifier, SIGKILL)
            while status?.parent == "\(shell.processIdentifier)" { usleep(1000) }
        }

        /// Whether it comes to its end, however long that takes on a busy machine.
        var ends: Bool {
            for _ in 0..<6000 {
                // In a container nobody may collect what is left of it.
                if !isAlive { return true }
                usleep(10_000)
            }
            kill(worker, SIGKILL)
            return false
        }

        /// Whether a process does without SIGPIPE.
        static func ignoresBrokenPipes(_ process: Int32) -> Bool {
            guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigIgn:") }),
                let signals = line.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) })
            else { return false }
            return signals >> (SIGPIPE - 1) & 1 == 1
        }
    }

    @Test("A worker ends with the process that started it, though its pipes stay open")
    func orphaned() throws {
        let orphan = try Orphan()
        var said = ""
        while !said.contains("heartbeat") {
            let line = Running.line(orphan.err.fileHandleForReading.fileDescriptor)
            if line.isEmpty { break }
            said = String(decoding: line, as: UTF8.self)
        }
        #expect(said.contains("heartbeat") && orphan.isAlive)
        orphan.killShell()
        #expect(orphan.ends)
    }

    @Test("A worker whose starter is gone before it has begun to work ends too")
    func orphanedEarly() throws {
        let orphan = try Orphan()
        try #require(!Orphan.ignoresBrokenPipes(orphan.shell.processIdentifier))
        // It does so early in its main; held there, it cannot go on before the shell is gone.
        while !Orphan.ignoresBrokenPipes(orphan.worker), orphan.isAlive { usleep(50) }
        kill(orphan.worker, SIGSTOP)
        orphan.killShell()
        kill(orphan.worker, SIGCONT)
        #expect(orphan.ends)
    }

    @Test(
        "Mistakes on the command line exit with 2",
        arguments: [
            [], ["-o", "x", "a.jpg"], ["thumbnails"], ["avatar", "-o", "x", "--format", "jpeg"],
            ["-o", "x", "--json"], ["-o", "x", "--name", "{name}"], ["sheet", "-o", "x"],
        ])
    func usage(arguments: [String]) throws {
        let run = try CommandRun(["worker"] + arguments)
        #expect(run.status == 2 && run.output.isEmpty && !run.errors.isEmpty)
    }

    @Test("An output folder that cannot be written exits with 3 before a line is read")
    func readOnly() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg").path
        let run = try CommandRun(["worker", "-o", file + "/out"], input: Self.line(file, "x"))
        #expect(run.status == 3 && run.output.isEmpty && run.errors.contains("cannot be written"))
    }

    @Test(
        "A full disk exits with 3, and leaves the lines that it stopped without an answer",
        .enabled(if: SmallDisk.isPossible, "no small file system can be mounted here"))
    func diskFull() throws {
        let place = try Workplace()
        var lines: [String] = []
        for index in 0..<20 {
            let file = try place.add("p\(index).jpg", Workplace.picture(900, .png, shade: UInt8(index))).path
            lines.append(Self.line(file, "p\(index)", more: #","size":800,"format":"png""#))
        }
        let disk = try #require(try SmallDisk(at: place.output, kilobytes: 64))
        defer { disk.unmount() }
        let run = try CommandRun(["worker", "-o", place.output.path], input: lines.joined(separator: "\n"))
        #expect(run.status == 3 && run.errors.contains("the disk is full"))
        #expect(run.results.count < 20 && run.results.allSatisfy { $0.status == .rendered })
        #expect(run.results.map(\.line) == Array(1..<run.results.count + 1))
        #expect(place.outputs.count >= run.results.count)
    }

    @Test("A line that would replace its own input fails alone")
    func ownInput() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg").path
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        let lines = [Self.line(file, "a"), Self.line(file, "b")]
        let run = try CommandRun(["worker", "-o", place.input.path], input: lines.joined(separator: "\n"))
        #expect(run.results.map(\.error?.kind) == ["notWritable", nil] && run.status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    }

    @Test("Signs of life go to standard error")
    func heartbeat() throws {
        let place = try Workplace()
        let worker = try Running(["-o", place.output.path, "--heartbeat", "0.1"])
        var said = ""
        // It may say before that something is missing here.
        while !said.contains("heartbeat"), let byte = try worker.err.fileHandleForReading.read(upToCount: 1) {
            said += String(decoding: byte, as: UTF8.self)
            if said.hasSuffix("\n"), !said.contains("heartbeat") { said = "" }
        }
        said += String(decoding: Running.line(worker.err.fileHandleForReading.fileDescriptor), as: UTF8.self)
        try worker.feed.fileHandleForWriting.close()
        #expect(worker.end() == 0 && worker.answer() == nil)
        #expect(said.contains("heartbeat: 0 lines answered, 0 failed, 0 under way"))
    }
}
