import Foundation
import Synchronization
import Testing
import Transfer

@testable import Cameo
@testable import CameoCommand

struct WorkerRunTests {
    /// A decoder that never comes back, the first time.
    private final class Trap: Sendable {
        private let count = Atomic<Int>(0)
        private let never = DispatchSemaphore(value: 0)

        func pipeline(_ settings: BatchSettings) -> ImagePipeline {
            var configuration = ImagePipeline.Configuration.batch(settings, Console())
            // This process is no worker.
            configuration.isolation = .none
            if count.add(1, ordering: .relaxed).oldValue == 0 {
                configuration.onStage = { [never] mark in if mark == .willDecode { never.wait() } }
            }
            return ImagePipeline(configuration)
        }

        /// Lets the thread go at last.
        func open() { never.signal() }
    }

    @Test("A line whose decoder never comes back is answered in time, and the others are done all the same")
    func abandoned() throws {
        let place = try Workplace()
        let feed = Pipe()
        for name in ["a", "b", "c"] {
            let file = try place.add(name + ".jpg").path
            feed.fileHandleForWriting.write(
                Data(#"{"id":"\#(name)","input":"\#(file)","output":"\#(name)"}"#.utf8 + [10]))
        }
        try feed.fileHandleForWriting.close()
        var settings = BatchSettings()
        settings.workers = 1
        // The other two need a fraction of it, if other tests let them.
        settings.options.limits.seconds = 30
        let trap = Trap()
        let answers = Mutex<[ResultLine]>([])
        let outputs = OutputPlace.folder(FilePath(place.output.path))
        try outputs.prepare()
        let run = WorkerRun(
            settings, table: WorkerCommand.thumbnails, place: outputs,
            client: TransferClient(),
            console: Console(),
            print: { line in
                answers.withLock { $0.append(contentsOf: JSONLine.decode(ResultLine.self, line).map { [$0] } ?? []) }
            }, makePipeline: { [settings] in trap.pipeline(settings) })
        let start = DispatchTime.now()
        #expect(run.run(feed.fileHandleForReading.fileDescriptor) == .done)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
        let lines = answers.withLock { $0 }
        #expect(lines.map(\.line) == [1, 2, 3] && lines.map(\.error?.kind) == ["timedOut", nil, nil], "\(lines)")
        #expect(lines[0].error?.retryable == true && place.outputs == ["b.jpg", "c.jpg"])
        #expect(seconds > 3)
        trap.open()
    }

    @Test("An input that breaks off is the machine's fault, and not its end")
    func brokenInput() throws {
        let place = try Workplace()
        let folder = open(place.input.path, O_RDONLY)
        defer { close(folder) }
        let run = WorkerRun(
            BatchSettings(), table: WorkerCommand.thumbnails, place: .folder(FilePath(place.output.path)),
            client: TransferClient(), console: Console(), print: { _ in },
            makePipeline: { Trap().pipeline(BatchSettings()) })
        #expect(run.run(folder) == .environment)
    }

    @Test("Lines that wait for silent servers are answered in time, and wear a worker out only while they wait")
    func silentServers() throws {
        let place = try Workplace()
        let server = try SilentServer()
        let feed = Pipe()
        for number in 0..<12 {
            feed.fileHandleForWriting.write(
                Data(#"{"input":"http://127.0.0.1:\#(server.port)/\#(number)"}"#.utf8 + [10]))
        }
        try feed.fileHandleForWriting.close()
        var settings = BatchSettings()
        settings.worker.ahead = 4
        settings.options.limits.seconds = 1000
        var transfer = TransferOptions()
        transfer.stallSeconds = 3600
        transfer.usesProxies = false
        let kinds = Mutex<[String?]>([])
        let isWornOut = Mutex(false)
        let run = WorkerRun(
            settings, table: WorkerCommand.thumbnails, place: .folder(FilePath(place.output.path)),
            client: TransferClient(transfer), console: Console(),
            print: { line in kinds.withLock { $0.append(JSONLine.decode(ResultLine.self, line)?.error?.kind) } },
            makePipeline: { [settings] in Trap().pipeline(settings) },
            giveUp: { isWornOut.withLock { $0 = true } })
        let isOver = DispatchSemaphore(value: 0)
        DetachedThread.start {
            #expect(run.run(feed.fileHandleForReading.fileDescriptor) == .done)
            isOver.signal()
        }
        for _ in 0..<3 {
            for _ in 0..<4 { server.takeRequest() }
            run.tick(2000)
            for _ in 0..<6000 where run.absentees > 0 { usleep(10_000) }
        }
        isOver.wait()
        #expect(kinds.withLock { $0 } == Array(repeating: "timedOut", count: 12))
        #expect(!isWornOut.withLock { $0 })
    }

    /// Takes requests and never says a word.
    private final class SilentServer {
        let port: UInt16
        private let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        private var connections: [Int32] = []

        init() throws {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let socket = socket
            let isThere = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &length) == 0
                }
            }
            try #require(isThere)
            port = UInt16(bigEndian: address.sin_port)
        }

        deinit { for file in connections + [socket] { close(file) } }

        /// Waits for a connection and for what is asked on it.
        func takeRequest() {
            let connection = accept(socket, nil, nil)
            connections.append(connection)
            var room = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &room, room.count)
        }
    }
}

struct AnswerQueueTests {
    @Test("Answers are printed in the order of their lines, whatever the order they come in", arguments: 0..<20)
    func order(seed: Int) {
        let printed = Mutex<[UInt8]>([])
        let queue = AnswerQueue(ahead: 50) { line in printed.withLock { $0 += line } }
        var generator = SystemRandomNumberGenerator()
        let numbers = (0..<50).map { _ in queue.take() }
        for number in numbers.shuffled(using: &generator) {
            queue.answer(number, [UInt8(number)])
            let so = printed.withLock { $0 }
            #expect(so == (0..<so.count).map { UInt8($0 + 1) })
        }
        #expect(queue.counts == (50, 50))
    }

    @Test("No more lines are taken than may be ahead of their answers")
    func bounded() {
        let queue = AnswerQueue(ahead: 3) { _ in }
        for _ in 0..<3 {
            #expect(queue.waitForRoom(isStopped: { false }))
            _ = queue.take()
        }
        var asked = 0
        func twice() -> Bool {
            asked += 1
            return asked > 2
        }
        #expect(!queue.waitForRoom(isStopped: twice))
        // The second's answer waits for the first's, and makes no room.
        queue.answer(2, [])
        asked = 0
        #expect(!queue.waitForRoom(isStopped: twice))
        queue.answer(1, [])
        #expect(queue.waitForRoom(isStopped: { false }) && queue.waitForRoom(isStopped: { false }))
    }
}

struct TurnGateTests {
    @Test("Lines go in by their numbers and only so many at once, however they come", arguments: [1, 2, 5])
    func turns(places: Int) {
        let gate = TurnGate(places: places)
        let seen = Mutex<(order: [Int], inside: Int, most: Int)>(([], 0, 0))
        let group = DispatchGroup()
        for number in (1...40).shuffled() {
            group.enter()
            DetachedThread.start {
                // Every third needs no turn.
                if number % 3 != 0 {
                    gate.enter(number)
                    seen.withLock { seen in
                        seen.order.append(number)
                        seen.inside += 1
                        seen.most = max(seen.most, seen.inside)
                    }
                    usleep(1000)
                    seen.withLock { $0.inside -= 1 }
                }
                gate.leave(number)
                gate.leave(number)
                group.leave()
            }
        }
        group.wait()
        let (order, most) = seen.withLock { ($0.order, $0.most) }
        #expect(order.count == 27 && most <= places)
        // Of those that are inside together, any may tell first.
        if places == 1 { #expect(order == order.sorted()) }
    }
}

struct JSONMemberTests {
    @Test(
        "A member's value comes out byte for byte",
        arguments: [
            (#"{"id":1.50}"#, "1.50"), (#" { "a" : [1,2] , "id" : {"x":"}"} }"#, #"{"x":"}"}"#),
            (#"{"b":{"id":3},"id":"q\"}"}"#, #""q\"}""#), (#"{"id":[1,[2,"]"]],"z":0}"#, #"[1,[2,"]"]]"#),
            (#"{"id":null,"x"#, "null"), (#"{"id":"a"]"#, #""a""#), (#"{"id":1],"b":2}"#, "1"),
            (#"{"a":"id","id":7}"#, "7"), (#"{"id":"é"}"#, #""é""#),
        ])
    func found(line: String, value: String) {
        #expect(JSONMember.value(of: "id", in: Array(line.utf8)).map { String(decoding: $0, as: UTF8.self) } == value)
    }

    @Test(
        "What is no value is none",
        arguments: [
            "", "{", #"{"id""#, #"{"id":"#, #"{"id":}"#, #"{"id":tru}"#, #"{"id":1 2}"#, #"{"id":"x"#, #"["id",1]"#,
            #"{"x":{"id":1}}"#, "\"\\", #"{"id":,"input":1}"#,
        ])
    func absent(line: String) {
        #expect(JSONMember.value(of: "id", in: Array(line.utf8)) == nil)
    }
}
