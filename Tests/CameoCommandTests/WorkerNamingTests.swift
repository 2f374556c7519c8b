import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

/// Outputs that are named by content: `--name content`.
struct WorkerNamingTests {
    private static func run(_ place: Workplace, _ lines: [String], _ more: String...) throws -> [ResultLine] {
        let run = try CommandRun(
            ["worker", "-o", place.output.path, "--name", "content"] + more, input: lines.joined(separator: "\n"))
        #expect(run.status == 0)
        return run.results
    }

    /// A file whose stamp says nothing yet, however long the test takes: to its own word it was written just now.
    @discardableResult
    private static func justWritten(_ file: URL) throws -> URL {
        let later = Date(timeIntervalSinceNow: 600)
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: file.path)
        return file
    }

    @Test("What is there is current, whoever made it, until the content, the stamp or the rendition changes")
    func current() throws {
        let place = try Workplace()
        let file = try Self.justWritten(place.add("a.jpg"))
        let line = #"{"input":"\#(file.path)"}"#
        let first = try Self.run(place, [line, line])
        #expect(first.map(\.status) == [.rendered, .current] && first[0].outputs?[0].path == first[1].outputs?[0].path)
        #expect(first[1].outputs?[0].width == 80 && first[1].outputs?[0].bytes == first[0].outputs?[0].bytes)
        #expect(try Self.run(place, [line], "--size", "40").map(\.status) == [.rendered])
        #expect(try Self.run(place, [line], "--force").map(\.status) == [.rendered])
        try Workplace.picture(80, shade: 150).write(to: file)
        try Self.justWritten(file)
        #expect(try Self.run(place, [line]).map(\.status) == [.rendered])
        // The same content elsewhere, while its stamp says nothing yet, is the same output.
        let copy = try Self.justWritten(place.add("copy.jpg", Data(contentsOf: file)))
        let twin = try Self.run(place, [#"{"input":"\#(copy.path)"}"#])
        #expect(twin.map(\.status) == [.current])
        #expect(place.outputs.count == 3)
    }

    @Test("A stamp in the line is believed without a look at the input, and not once the input is another")
    func stamps() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg")
        // Before two seconds are over, a stamp of size and time proves nothing.
        let young = try #require(SourceStamp.of(FilePath(file.path), options: RenderOptions()))
        #expect(young == "sha256:" + Digest.sha256(Array(try Data(contentsOf: file))))
        usleep(2_100_000)
        let stamp = try #require(SourceStamp.of(FilePath(file.path), options: RenderOptions()))
        #expect(stamp.hasPrefix("\(try Data(contentsOf: file).count)-"))
        let line = #"{"input":"\#(file.path)","stamp":"\#(stamp)"}"#
        let other = #"{"input":"\#(file.path)","stamp":"etag 5"}"#
        #expect(try Self.run(place, [line, other]).map(\.status) == [.rendered, .rendered])
        try FileManager.default.moveItem(atPath: file.path, toPath: file.path + ".away")
        #expect(try Self.run(place, [line, other]).map(\.status) == [.current, .current])
        // A stale stamp names nothing: the output of what is there now has a name of its own.
        for name in place.outputs { try FileManager.default.removeItem(atPath: place.output.path + "/" + name) }
        _ = try Self.justWritten(place.add("a.jpg", Workplace.picture(90)))
        let now = try Self.run(place, [line, #"{"input":"\#(file.path)"}"#])
        #expect(now.map(\.status) == [.rendered, .current] && now[0].outputs?[0].width == 90)
    }

    @Test("A stamp is of bytes, and no decoder of this process sees them")
    func stampsOfAnything() throws {
        let place = try Workplace()
        let words = Data("no picture, or one that attacks whoever decodes it".utf8)
        let file = try Self.justWritten(place.add("a.jpg", words))
        let stamp = SourceStamp.of(FilePath(file.path), options: RenderOptions())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = [file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let digest = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).prefix(64)
        #expect(stamp == "sha256:\(digest)")
        let answers = try Self.run(place, [#"{"input":"\#(file.path)","stamp":"\#(stamp ?? "")"}"#])
        #expect(answers.map(\.error?.kind) == ["notAnImage"])
    }

    @Test("Eight workers on the same lines at once make what one alone makes, and the next one sees that all is done")
    func twins() throws {
        let place = try Workplace()
        let lines = try (0..<12).map { index in
            let file = try place.add("\(index).jpg", Workplace.picture(300, shade: UInt8(index)))
            return #"{"id":\#(index),"input":"\#(try Self.justWritten(file).path)"}"#
        }
        let workers = try (0..<8).map { _ in
            let process = CommandRun.process(["worker", "-o", place.output.path, "--name", "content"])
            let (feed, out) = (Pipe(), Pipe())
            (process.standardInput, process.standardOutput) = (feed, out)
            try process.run()
            feed.fileHandleForWriting.write(Data(lines.map { $0 + "\n" }.joined().utf8))
            try feed.fileHandleForWriting.close()
            return (process, out)
        }
        for (process, out) in workers {
            let answers = out.fileHandleForReading.readDataToEndOfFile().split(separator: 10)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && answers.count == 12)
        }
        #expect(place.outputs.count == 12)
        let next = try Self.run(place, lines)
        #expect(next.map(\.status) == Array(repeating: .current, count: 12))
        let other = place.url.appendingPathComponent("other").path
        let single = try CommandRun(
            ["worker", "-o", other, "--name", "content"], input: lines.joined(separator: "\n"))
        #expect(single.results.map(\.status) == Array(repeating: .rendered, count: 12))
        for (twin, alone) in zip(next, single.results) {
            let (made, expected) = (try #require(twin.outputs?.first), try #require(alone.outputs?.first))
            #expect(made.path.dropFirst(place.output.path.count) == expected.path.dropFirst(other.count))
            #expect(FileManager.default.contentsEqual(atPath: made.path, andPath: expected.path))
        }
    }
}
