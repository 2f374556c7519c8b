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

    private static func descriptors(_ process: Int32) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
    }

    @Test("Ten thousand small inputs on sixteen workers: memory and descriptors stay level after the first thousand")
    func level() throws {
        let place = try Workplace()
        let inputs = try ["a.jpg", "b.png", "c.webp"].map { try place.add($0).path }
        let process = CommandRun.process([
            "thumbnails", "--manifest", "-", "-o", place.output.path, "--workers", "16", "--size", "40", "--json",
        ])
        let (feed, out) = (Pipe(), Pipe())
        process.standardInput = feed
        process.standardOutput = out
        process.standardError = FileHandle.nullDevice
        try process.run()
        let writer = Thread {
            for index in 0..<10_000 {
                let input = inputs[index % 3]
                feed.fileHandleForWriting.write(
                    Data("{\"input\":\"\(input)\",\"output\":\"o\(index % 500)/\(index)\"}\n".utf8))
            }
            try? feed.fileHandleForWriting.close()
        }
        writer.start()
        var (done, rest) = (0, Data())
        var (early, late) = ([Int](), [Int]())
        var (earlyFiles, lateFiles) = (0, 0)
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
            if (1000..<2500).contains(done) {
                early.append(memory)
                earlyFiles = max(earlyFiles, Self.descriptors(process.processIdentifier))
            } else if done > 8000, memory > 0 {
                late.append(memory)
                lateFiles = max(lateFiles, Self.descriptors(process.processIdentifier))
            }
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && done == 10_000)
        let (before, after) = (try #require(early.max()), try #require(late.max()))
        print("resident after the first thousand \(before >> 20) MiB, at the end \(after >> 20) MiB")
        #expect(Double(after) <= Double(before) * 1.1)
        #expect(lateFiles <= earlyFiles + 2)
    }
}
