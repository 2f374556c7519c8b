import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

/// Tests that take long: `Tests/run --slow`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CAMEO_SLOW_TESTS"] != nil, "slow; Tests/run --slow runs them"))
struct LongRunTests {
    /// What /proc tells of a process.
    private static func resident(_ process: Int32) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// As many inputs as a long run has: ten thousand, or as many as are asked for.
    private static let count = ProcessInfo.processInfo.environment["CAMEO_LONG_RUN"].flatMap { Int($0) } ?? 10_000

    private static func descriptors(_ process: Int32) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
    }

    @Test(
        "Ten thousand small inputs, on sixteen threads or through a worker: memory and descriptors of all processes stay level, no zombie",
        arguments: [["thumbnails", "--manifest", "-", "--workers", "16", "--json"], ["worker", "--workers", "2"]])
    func level(arguments: [String]) throws {
        let place = try Workplace()
        let inputs = try ["a.jpg", "b.png", "c.webp"].map { try place.add($0).path }
        let process = CommandRun.process(arguments + ["-o", place.output.path, "--size", "40"])
        let (feed, out) = (Pipe(), Pipe())
        process.standardInput = feed
        process.standardOutput = out
        process.standardError = FileHandle.nullDevice
        try process.run()
        let writer = Thread {
            for index in 0..<Self.count {
                let input = inputs[index % 3]
                feed.fileHandleForWriting.write(
                    Data("{\"input\":\"\(input)\",\"output\":\"o\(index % 500)/\(index)\"}\n".utf8))
            }
            try? feed.fileHandleForWriting.close()
        }
        writer.start()
        var (done, rest) = (0, Data())
        var (early, late) = ([Int](), [Int]())
        var (earlyFiles, lateFiles) = ([Int](), [Int]())
        var (earlyWorkers, lateWorkers, zombies) = ([Int](), [Int](), 0)
        var (looks, firstSeen) = (0, [Int32: ContinuousClock.Instant]())
        while true {
            let data = out.fileHandleForReading.availableData
            if data.isEmpty { break }
            rest += data
            let lines = rest.count { $0 == 10 }
            if lines > 0 {
                done += lines
                rest = Data(rest.suffix(from: (rest.lastIndex(of: 10) ?? rest.startIndex) + 1))
            }
            let memory = Self.resident(process.processIdentifier)
            looks += 1
            if looks % 10 == 0 {
                let (workers, ended) = CommandRun.workers(of: process.processIdentifier)
                // One that is just being replaced may be seen for a moment.
                firstSeen = firstSeen.filter { ended.contains($0.key) }
                for process in ended where firstSeen[process] == nil { firstSeen[process] = ContinuousClock.now }
                zombies += firstSeen.values.count { ContinuousClock.now - $0 > .seconds(5) }
                let most = workers.map(Self.resident).max() ?? 0
                // Each worker has a socket, and there are more of them when much is under way.
                let files = Self.descriptors(process.processIdentifier) - workers.count
                if (Self.count / 10..<Self.count / 4).contains(done) { earlyFiles.append(files) }
                if done > Self.count * 4 / 5 { lateFiles.append(files) }
                if (Self.count / 10..<Self.count / 4).contains(done) { earlyWorkers.append(most) }
                if done > Self.count * 4 / 5 { lateWorkers.append(most) }
            }
            if (Self.count / 10..<Self.count / 4).contains(done) {
                early.append(memory)
            } else if done > Self.count * 4 / 5, memory > 0 {
                late.append(memory)
            }
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && done == Self.count)
        // Medians: what a look finds depends on how many pictures are under way, each with files of its own.
        func median(_ numbers: [Int]) throws -> Int {
            try #require(numbers.count > 20)
            return numbers.sorted()[numbers.count / 2]
        }
        let (before, after) = (try median(early), try median(late))
        let (first, last) = (try median(earlyWorkers), try median(lateWorkers))
        print(
            "\(arguments[0]), \(Self.count) inputs: resident early \(before >> 20) MiB, at the end \(after >> 20) MiB; the largest worker",
            "\(first >> 20) and \(last >> 20) MiB")
        #expect(Double(last) <= Double(first) * 1.1)
        #expect(zombies == 0)
        #expect(Double(after) <= Double(before) * 1.1)
        let (usual, then) = (try median(earlyFiles), try median(lateFiles))
        print("descriptors: usually \(usual), at the end \(then)")
        #expect(then <= usual + 4)
    }
}
