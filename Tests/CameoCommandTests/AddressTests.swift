import Foundation
import Testing
import Transfer

@testable import Cameo
@testable import CameoCommand

/// Addresses where paths may stand.
struct AddressTests {
    private static let signed = "https://h.invalid/a.jpg?X-Amz-Signature=SECRET"

    @Test(
        "Commands that take paths alone refuse an address, and show none of its secrets",
        arguments: [
            ["thumbnails", signed, "-o", "out"], ["avatar", signed, "-o", "out"], ["sheet", signed, "-o", "s.png"],
            ["list", signed], ["manifest", signed], ["thumbnails", "in", "-o", signed],
            ["thumbnails", "--manifest", signed, "-o", "out"],
        ])
    func refused(arguments: [String]) throws {
        let place = try Workplace()
        let run = try CommandRun(arguments, folder: place.url)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("https://h.invalid/a.jpg: an address"))
        #expect(!run.errors.contains("SECRET"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.url.path) == ["in"])
    }

    @Test("What the clock called off was not done in time")
    func calledOff() throws {
        let failure = ResultLine.Failure(.calledOff, of: try RemoteAddress(Self.signed))
        #expect(failure.kind == "timedOut" && failure.stage == .fetch && failure.retryable)
        #expect(failure.message == "https://h.invalid/a.jpg: not done in time")
    }

    @Test("The help of a worker tells of both its kinds")
    func workerHelp() throws {
        let text = try CommandRun(["worker", "--help"]).text
        #expect(text.hasPrefix("Usage: cameo worker [thumbnails|avatar] -o DIR|URL\n"))
        #expect(text.contains("'cameo worker avatar'"))
    }

    @Test("A line with an address fails alone, and a file that is called like one is a file")
    func lines() throws {
        let place = try Workplace()
        try place.add("a.jpg")
        let folder = place.url.appendingPathComponent("s3:/bucket")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Workplace.picture(20).write(to: folder.appendingPathComponent("k.jpg"))
        let lines = [
            #"{"input":"\#(Self.signed)"}"#, #"{"input":"\#(Self.signed)","sise":3}"#,
            #"{"input":"s3://bucket/k.jpg"}"#,
            #"{"input":"in/a.jpg"}"#,
        ]
        let run = try CommandRun(
            ["thumbnails", "--manifest", "-", "-o", "out", "--json"], input: lines.joined(separator: "\n"),
            folder: place.url)
        #expect(run.status == 1 && Set(run.results.filter { $0.status == .failed }.map(\.line)) == [1, 2])
        #expect(run.results.first { $0.line == 1 }?.input == "https://h.invalid/a.jpg" && run.results.count == 4)
        #expect(!run.errors.contains("SECRET") && !run.text.contains("SECRET"))
    }

    @Test("An address that is no text is refused: it would be another's")
    func bytes() throws {
        let path = FilePath(bytes: Array("s3://bucket/".utf8) + [0xFF])
        #expect(throws: TransferError.self) { try WorkerInput(path) }
        #expect(try Self.stem(of: "s3://bucket/\u{FFFD}") == "bucket/\u{FFFD}")
    }

    @Test(
        "Two keys of a store are two outputs, and an ordinary one is called as it is",
        arguments: [
            ("s3://b.c/x/y.jpg", "s3://b.c/x//y.jpg"), ("s3://b.c/x/y.jpg", "s3://b.c/./x/y.jpg"),
            ("s3://b.c/x/y.jpg", "s3://b.c/x/y.jpg/"), ("s3://b.c/x/y.jpg", "s3://b.c/../x/y.jpg"),
            ("http://h/a", "http://h//a"),
        ])
    func keys(plain: String, other: String) throws {
        #expect(try Self.stem(of: plain) == FilePath(String(plain.trimmingPrefix(/[a-z0-9]+:\/\//))))
        #expect(try Self.stem(of: other) != Self.stem(of: plain))
    }

    /// What the output of `input` is called where nobody says so.
    private static func stem(of input: String) throws -> FilePath {
        let line = try ManifestReader(settings: BatchSettings(), table: WorkerCommand.thumbnails)
            .parse(JSONLine.encode(["input": input]), 1).get()
        return try #require(try WorkerInput(line.input).stems(line).first)
    }
}
