import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

/// Inputs that several paths of a command line lead to.
struct InputWalkerTests {
    private static func thumbnails(_ place: Workplace, _ paths: [String]) throws -> CommandRun {
        try CommandRun(["thumbnails", "-o", "out", "--json"] + paths, folder: place.url)
    }

    @Test(
        "A file that several paths lead to, to one output, is rendered once, has one line, and keeps its name",
        arguments: [
            ["in", "in/b.jpg"], ["in/b.jpg", "in"], ["in/b.jpg", "in/b.jpg"], ["in/b.jpg", "./in/b.jpg"],
            ["in/b.jpg", "in/../in//b.jpg"], ["in", "./in", "in/"], ["in", "way"], ["way/b.jpg", "in"],
        ])
    func once(paths: [String]) throws {
        let place = try Workplace()
        try place.add("b.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: place.url.appendingPathComponent("way").path, withDestinationPath: "in")
        let run = try Self.thumbnails(place, paths)
        #expect(run.status == 0 && run.results.map(\.status) == [.rendered])
        #expect(run.results.first?.outputs?.map(\.path) == ["out/b.jpg"] && place.outputs == ["b.jpg"])
        // The other ways there are ways to the same output.
        #expect(try Self.thumbnails(place, ["in"]).results.map(\.status) == [.current])
        let names = try CommandRun(["inspect", "--no-faces"] + paths, folder: place.url)
        #expect(names.lines.count { !$0.hasPrefix(" ") } == 1)
    }

    @Test("A named file has its line whatever it is, and once, where its folder is named too")
    func named() throws {
        let place = try Workplace()
        try place.add("a.jpg")
        try place.add("notes.txt", Data("words".utf8))
        let run = try Self.thumbnails(
            place, ["in", "in/notes.txt", "in/gone.jpg", "./in/gone.jpg", "no/c.jpg", "no/c.jpg"])
        let failed = run.results.filter { $0.status == .failed }
        #expect(run.status == 1 && run.results.count == 4 && place.outputs == ["a.jpg"])
        #expect(failed.map(\.input).sorted() == ["in/gone.jpg", "in/notes.txt", "no/c.jpg"])
    }

    @Test("A file below a named folder that is named itself has both outputs, each made once")
    func below() throws {
        let place = try Workplace()
        try place.add("sub/b.jpg")
        for paths in [["in", "in/sub/b.jpg"], ["in", "in/sub"]] {
            let run = try Self.thumbnails(place, paths + ["--force"])
            #expect(run.status == 0 && run.results.count == 2 && place.outputs == ["b.jpg", "sub/b.jpg"])
            // Without outputs there is nothing to tell the two apart by.
            let names = try CommandRun(["inspect", "--no-faces"] + paths, folder: place.url)
            #expect(names.lines.count { !$0.hasPrefix(" ") } == 1)
        }
    }

    @Test("Two names of one file are two inputs, and so are two files of one name")
    func links() throws {
        let place = try Workplace()
        let file = try place.add("x/a.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: place.input.path + "/x/link.jpg", withDestinationPath: "a.jpg")
        try FileManager.default.createDirectory(
            at: place.input.appendingPathComponent("y"), withIntermediateDirectories: false)
        try FileManager.default.linkItem(at: file, to: place.input.appendingPathComponent("y/a.jpg"))
        let run = try Self.thumbnails(place, ["in/x/a.jpg", "in/x/link.jpg", "in/y/a.jpg"])
        #expect(run.status == 0 && run.results.count == 3 && place.outputs.count == 3)
        #expect(place.outputs.contains("link.jpg"))
    }
}
