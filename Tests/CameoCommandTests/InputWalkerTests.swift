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

    /// What is found in the workplace's inputs, by path; no more than a thousand.
    private static func found(in place: Workplace) -> [String] {
        var paths: [String] = []
        InputWalker(naming: nil, outputFolder: nil, unreadable: { _, _ in true }) { input in
            paths.append(String(input.path.description.dropFirst(place.input.path.count + 1)))
            return paths.count < 1000
        }.walk([FilePath(place.input.path)])
        return paths
    }

    private static func link(_ name: String, to target: String, in place: Workplace) throws {
        let path = place.input.appendingPathComponent(name).path
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test("Folders with two links each to the next are walked once, and in time")
    func diamonds() throws {
        let place = try Workplace()
        let count = 30
        for number in 0..<count {
            try place.add("\(number)/a.jpg", Data([1]))
            if number + 1 < count {
                try Self.link("\(number)/left", to: "../\(number + 1)", in: place)
                try Self.link("\(number)/right", to: "../\(number + 1)", in: place)
            }
        }
        let found = Self.found(in: place)
        // By its own name each folder, and at most once more by a link.
        #expect(Set(found).count == found.count && found.count <= 2 * count)
        for number in 0..<count { #expect(found.contains("\(number)/a.jpg")) }
    }

    @Test("A folder behind a link is walked by the link's name too, and a loop ends")
    func linkedFolder() throws {
        let place = try Workplace()
        try place.add("real/a.jpg", Data([1]))
        try Self.link("way", to: "real", in: place)
        try Self.link("real/loop", to: "..", in: place)
        #expect(Self.found(in: place).sorted() == ["real/a.jpg", "way/a.jpg"])
    }
}
