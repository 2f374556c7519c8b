import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

/// What killed runs left in the folders that a run writes to.
struct LeftoversTests {
    // The largest process number that Linux gives is 4194304.
    private static let dead = ".cameo-4194305-\(WholeFile.machine)-1.tmp"
    private static let alive = ".cameo-\(getpid())-\(WholeFile.machine)-1.tmp"
    private static let elsewhere = ".cameo-4194305-0-1.tmp"

    private static func plant(_ folders: [String], in place: Workplace) throws {
        for folder in folders {
            let url = place.output.appendingPathComponent(folder)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            for name in [dead, alive, elsewhere] { try Data([1]).write(to: url.appendingPathComponent(name)) }
        }
    }

    private static func left(in folder: String, of place: Workplace) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.output.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(".tmp") }.sorted()
    }

    @Test(
        "They go from every folder that a run has outputs in, but not those of the living or of other machines",
        arguments: [
            ["thumbnails", "in", "-o", "out"], ["thumbnails", "--manifest", "-", "-o", "out"], ["worker", "-o", "out"],
        ])
    func everywhere(arguments: [String]) throws {
        let place = try Workplace()
        for name in ["a.jpg", "x/b.jpg", "x/y/c.jpg"] { try place.add(name) }
        let lines = ["a", "x/b", "x/y/c"].map { "{\"input\":\"in/\($0).jpg\",\"output\":\"\($0)\"}\n" }.joined()
        for _ in 0..<2 {
            // The second time, all outputs are current but for the worker, which is not asked to know.
            try Self.plant(["", "x", "x/y", "other"], in: place)
            #expect(try CommandRun(arguments, input: lines, folder: place.url).status == 0)
            #expect(place.outputs == ["a.jpg", "x/b.jpg", "x/y/c.jpg"])
            for folder in ["", "x", "x/y"] {
                #expect(try Self.left(in: folder, of: place) == [Self.elsewhere, Self.alive].sorted())
            }
            #expect(try Self.left(in: "other", of: place).count == 3)
        }
    }

    @Test("They go where a sheet and a placeholder are written too", arguments: ["sheet", "avatar"])
    func others(command: String) throws {
        let place = try Workplace()
        try place.add("a.jpg")
        try Self.plant([""], in: place)
        let arguments = command == "sheet" ? ["in", "-o", "out/s.png"] : ["--initials", "A", "-o", "out"]
        #expect(try CommandRun([command] + arguments, folder: place.url).status == 0)
        #expect(try Self.left(in: "", of: place).count == 2)
    }

    @Test("Behind a link nothing is removed")
    func links() throws {
        let place = try Workplace()
        try place.add("x/b.jpg")
        try Self.plant(["real"], in: place)
        try FileManager.default.createSymbolicLink(
            atPath: place.output.appendingPathComponent("x").path, withDestinationPath: "real")
        let run = try CommandRun(["thumbnails", "in", "-o", "out"], folder: place.url)
        #expect(run.status == 1 && place.outputs.isEmpty)
        #expect(try Self.left(in: "real", of: place).count == 3)
    }
}
