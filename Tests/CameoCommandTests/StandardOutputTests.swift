import Foundation
import Testing

@testable import CameoCommand

/// What becomes of a run whose results cannot be written.
struct StandardOutputTests {
    /// Runs the command in `place`, with its results going to `output`.
    private static func run(
        _ arguments: [String], in place: Workplace, to output: FileHandle
    ) throws -> (status: Int32, errors: String) {
        let process = CommandRun.process(arguments, folder: place.url)
        let (errors, feed) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = feed
        try process.run()
        feed.give(Data("{\"input\":\"in/a.jpg\"}\n{\"input\":\"in/b.jpg\"}\n".utf8))
        try feed.fileHandleForWriting.close()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    static let commands = [
        ["--help"], ["--version"], ["list", "--help"], ["list", "in", "--catalog", "none"],
        ["list", "in", "--catalog", "none", "--json"], ["inspect", "in", "--no-faces"],
        ["inspect", "in", "--no-faces", "--json"], ["manifest", "in"], ["cache", "stats", "--folder", "kept"],
        ["sheet", "in", "-o", "sheet.png"], ["avatar", "--initials", "A B", "-o", "out"],
        ["thumbnails", "in", "-o", "out"], ["thumbnails", "in", "-o", "out", "--json"],
        ["thumbnails", "--manifest", "-", "-o", "out", "--json"], ["worker", "-o", "out"],
    ]

    @Test("Results that a full device does not take end the run with 3 and the reason", arguments: commands)
    func full(arguments: [String]) throws {
        let place = try Workplace()
        for name in ["a.jpg", "b.jpg"] { try place.add(name) }
        let device = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let run = try Self.run(arguments, in: place, to: device)
        #expect(run.status == 3)
        let reasons = run.errors.components(separatedBy: "standard output cannot be written: No space left on device")
        #expect(reasons.count == 2 && !run.errors.contains("interrupted"), "\(run.errors)")
    }

    @Test("A reader who has seen enough is told nothing of it", arguments: commands)
    func deserted(arguments: [String]) throws {
        let place = try Workplace()
        for name in ["a.jpg", "b.jpg"] { try place.add(name) }
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let run = try Self.run(arguments, in: place, to: pipe.fileHandleForWriting)
        let expected: Int32 = arguments[0] == "thumbnails" ? 130 : arguments[0] == "worker" ? 75 : 0
        #expect(run.status == expected)
        #expect(!run.errors.contains("standard output"), "\(run.errors)")
    }

    @Test("Where standard output is closed, no result is written into an output that takes its place")
    func closed() throws {
        let place = try Workplace()
        for index in 0..<4 { try place.add("\(index).jpg") }
        let process = CommandRun.process([], folder: place.url)
        let command = try #require(process.executableURL?.path)
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec \"$0\" thumbnails in -o out --json --isolate none >&-", command]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 3)
        for name in place.outputs {
            let bytes = try Data(contentsOf: place.output.appendingPathComponent(name))
            #expect(bytes.suffix(2) == Data([0xFF, 0xD9]) && bytes.range(of: Data("\"input\"".utf8)) == nil)
        }
    }
}
