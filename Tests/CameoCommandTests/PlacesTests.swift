import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

/// Where a run reads and writes, and what becomes of it when that place gives out.
struct PlacesTests {
    @Test("Where a root is given, neither .. nor a link leads out of it")
    func root() throws {
        let place = try Workplace()
        try place.add("base/inside.jpg")
        try place.add("outside.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: place.input.path + "/base/way-out.jpg", withDestinationPath: "../outside.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: place.input.path + "/base/way-in.jpg", withDestinationPath: "inside.jpg")
        let root = place.input.path + "/base"
        let names = ["inside.jpg", "../outside.jpg", "way-out.jpg", "way-in.jpg", "x/../inside.jpg", "none.jpg"]
        let manifest = names.map { "{\"input\":\"\(root)/\($0)\"}" }.joined(separator: "\n")
        let run = try CommandRun(
            ["thumbnails", "--manifest", "-", "--root", root, "-o", place.output.path, "--json"], input: manifest)
        #expect(run.status == 1)
        let failed = run.results.filter { $0.error != nil }
        #expect(
            Set(failed.map(\.input))
                == Set(names.filter { !["inside.jpg", "way-in.jpg"].contains($0) }.map { "\(root)/\($0)" }))
        #expect(failed.allSatisfy { $0.error?.kind == "unreadable" })
        #expect(place.outputs.count == 2)
    }

    @Test("What was read through a link that led out of the root for a moment is not used")
    func swapped() throws {
        let place = try Workplace()
        try place.add("base/inside.jpg")
        try place.add("outside.jpg", Workplace.picture(20))
        let base = place.input.path + "/base"
        let root = InputRoot(folder: FilePath(base))
        let (way, inside) = (FilePath(base + "/way.jpg"), FilePath(base + "/inside.jpg"))
        func lead(to target: String) throws {
            try? FileManager.default.removeItem(atPath: way.description)
            try FileManager.default.createSymbolicLink(atPath: way.description, withDestinationPath: target)
        }
        try lead(to: "inside.jpg")
        #expect(root.holds(way))
        try lead(to: "../outside.jpg")
        let read = try #require(ContentStamp(path: way))
        #expect(!root.holds(way, read: read), "it still leads out")
        try lead(to: "inside.jpg")
        #expect(!root.holds(way, read: read), "it led out when it was read")
        #expect(root.holds(way, read: ContentStamp(path: way)) && root.holds(inside, read: ContentStamp(path: inside)))
        #expect(!root.holds(way, read: nil) && !root.holds(FilePath(base + "/none.jpg"), read: read))
    }

    @Test("A link that was planted in the output folder is not followed, neither as a folder nor as a file")
    func planted() throws {
        let place = try Workplace()
        try place.add("sub/a.jpg")
        try place.add("b.jpg")
        let elsewhere = place.url.appendingPathComponent("elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: place.output, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: place.output.path + "/sub", withDestinationPath: elsewhere.path)
        try FileManager.default.createSymbolicLink(
            atPath: place.output.path + "/b.jpg", withDestinationPath: elsewhere.path + "/b.jpg")
        let run = try place.run("thumbnails")
        #expect(run.status == 1)
        #expect(run.results.filter { $0.error != nil }.map { $0.error?.kind } == ["notWritable"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
        #expect(try Data(contentsOf: place.output.appendingPathComponent("b.jpg")).count > 100)
    }

    @Test("A worker follows no planted link either, and only that line fails")
    func plantedForWorker() throws {
        let place = try Workplace()
        let source = try place.add("a.jpg").path
        let elsewhere = place.url.appendingPathComponent("elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: place.output, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: place.output.path + "/sub", withDestinationPath: elsewhere.path)
        let lines = ["sub/a", "sub/deep/a", "plain/a"].map { #"{"input":"\#(source)","output":"\#($0)"}"# }
        let run = try CommandRun(["worker", "-o", place.output.path], input: lines.joined(separator: "\n"))
        #expect(run.status == 0)
        #expect(run.results.map { $0.error?.kind } == ["notWritable", "notWritable", nil])
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
        #expect(place.outputs.contains("plain/a.jpg"))
    }

    @Test("A worker does not make its output folder again when that is removed under it")
    func removedForWorker() throws {
        let place = try Workplace()
        let picture = try Workplace.picture(1200)
        for number in 0..<200 { try place.add("\(number).jpg", picture) }
        let lines = (0..<200).map {
            #"{"input":"\#(place.input.path)/\#($0).jpg","output":"\#($0 % 2 == 0 ? "" : "sub/")\#($0)"}"#
        }
        let (process, feed) = (CommandRun.process(["worker", "-o", place.output.path, "--workers", "1"]), Pipe())
        process.standardInput = feed
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        feed.give(Data(lines.joined(separator: "\n").utf8))
        try feed.fileHandleForWriting.close()
        while place.outputs.isEmpty, process.isRunning { usleep(2000) }
        // Again where the command put an output into it meanwhile.
        while (try? FileManager.default.removeItem(at: place.output)) == nil, process.isRunning {}
        process.waitUntilExit()
        #expect(process.terminationStatus == 3)
        #expect(!FileManager.default.fileExists(atPath: place.output.path))
    }

    @Test("When the output folder is removed under it, a run ends with exit 3 and does not make it again")
    func removed() throws {
        let place = try Workplace()
        let picture = try Workplace.picture(1200)
        for number in 0..<200 { try place.add("\(number).jpg", picture) }
        let process = CommandRun.process(["thumbnails", place.input.path, "-o", place.output.path, "--workers", "1"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while place.outputs.isEmpty, process.isRunning { usleep(2000) }
        // Again where the command put an output into it meanwhile.
        while (try? FileManager.default.removeItem(at: place.output)) == nil, process.isRunning {}
        process.waitUntilExit()
        #expect(process.terminationStatus == 3)
        #expect(!FileManager.default.fileExists(atPath: place.output.path))
    }

    @Test("An input that vanishes before its turn is one failed line")
    func vanished() throws {
        let place = try Workplace()
        let inputs = try (0..<8).map { try place.add("\($0).jpg") }
        let manifest = inputs.map { "{\"input\":\"\($0.path)\"}" }.joined(separator: "\n")
        try FileManager.default.removeItem(at: inputs[3])
        let run = try CommandRun(["thumbnails", "--manifest", "-", "-o", place.output.path, "--json"], input: manifest)
        #expect(run.status == 1 && run.results.count == 8)
        #expect(run.results.filter { $0.error != nil }.map(\.input) == [inputs[3].path])
    }
}
