import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

struct ManifestCommandTests {
    private struct Line: Decodable {
        let id: String
        let input: String
        let inputBytes: String?
        let output: String?
        let stamp: String?
    }

    private static func lines(_ run: CommandRun) -> [Line] {
        run.lines.compactMap { JSONLine.decode(Line.self, Array($0.utf8)) }
    }

    @Test("Every picture of a folder has a line that a worker makes what thumbnails makes of")
    func roundTrip() throws {
        let place = try Workplace()
        for name in ["a.jpg", "a.png", "sub/b.webp", "sub/ü \"q\".jpg"] { try place.add(name) }
        try place.add("notes.txt", Data("words".utf8))
        let odd = FilePath(place.input.path).appending(FilePath(bytes: [0x66, 0xFF, 0x2E, 0x6A, 0x70, 0x67]))
        try WholeFile.write(Array(Workplace.picture(40)), to: odd)
        let manifest = try CommandRun(["manifest", "in"], folder: place.url)
        let lines = Self.lines(manifest)
        #expect(manifest.status == 0 && lines.count == 5 && Set(lines.map(\.id)).count == 5)
        #expect(lines.allSatisfy { $0.input.hasPrefix("/") && $0.stamp != nil })
        #expect(Set(lines.compactMap(\.output)) == ["a.jpg", "a.png", "sub/b", "sub/ü \"q\""])
        #expect(lines.filter { $0.output == nil }.compactMap { $0.inputBytes }.count == 1)
        let worker = try CommandRun(["worker", "-o", place.output.path], input: manifest.text)
        #expect(worker.status == 0 && worker.results.map(\.status) == Array(repeating: .rendered, count: 5))
        let twin = place.url.appendingPathComponent("twin").path
        _ = try CommandRun(["thumbnails", place.input.path, "-o", twin])
        for name in ["a.jpg.jpg", "a.png.jpg", "sub/b.jpg", "sub/ü \"q\".jpg"] {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: place.output.path + "/" + name, andPath: twin + "/" + name), "\(name)")
        }
    }

    @Test("A picture under two of the paths has one line")
    func overlap() throws {
        let place = try Workplace()
        for name in ["a.jpg", "best/b.jpg"] { try place.add(name) }
        let run = try CommandRun(["manifest", "in", "in/best", "in/best/b.jpg"], folder: place.url)
        let lines = Self.lines(run)
        #expect(run.status == 0 && lines.count == 2 && Set(lines.map(\.id)).count == 2)
    }

    @Test("Shards part the lines without overlap, and a new neighbour moves none of them")
    func shards() throws {
        let place = try Workplace()
        let picture = try Workplace.picture(16)
        for index in 0..<60 { try place.add("\(index).jpg", picture) }
        func parts(_ count: Int) throws -> [Set<String>] {
            try (1...count).map { number in
                Set(
                    Self.lines(try CommandRun(["manifest", place.input.path, "--shard", "\(number)/\(count)"])).map(
                        \.id))
            }
        }
        let all = Set(Self.lines(try CommandRun(["manifest", place.input.path])).map(\.id))
        let before = try parts(3)
        #expect(all.count == 60 && before.map(\.count).reduce(0, +) == 60)
        #expect(before.reduce(into: Set<String>()) { $0.formUnion($1) } == all && before.allSatisfy { $0.count > 8 })
        try place.add("5.png")
        for (old, new) in zip(before, try parts(3)) { #expect(old.isSubset(of: new)) }
    }

    @Test("Shards give no two pictures one output, in whatever order their machines are given the paths")
    func shardsOfSeveralPaths() throws {
        let place = try Workplace()
        let picture = try Workplace.picture(16)
        for index in 0..<12 { for folder in ["A", "B"] { try place.add("\(folder)/\(index).jpg", picture) } }
        let ways = [["in/A", "in/B"], ["in/B", "./in/A"]]
        let lines = try zip(ways, ["1/2", "2/2"]).flatMap { paths, shard in
            Self.lines(try CommandRun(["manifest"] + paths + ["--shard", shard], folder: place.url))
        }
        #expect(lines.count == 24 && Set(lines.map(\.id)).count == 24)
        #expect(Set(lines.compactMap(\.output)).count == 24)
        // Without shards, who is named first has its name to itself, as for thumbnails.
        let first = Self.lines(try CommandRun(["manifest"] + ways[1], folder: place.url)).first { $0.output == "0.jpg" }
        #expect(first?.input.hasSuffix("/in/B/0.jpg") == true)
    }

    @Test("A picture has one line in one shard, however the way to it is written")
    func spellings() throws {
        let place = try Workplace()
        let picture = try Workplace.picture(16)
        for index in 0..<40 { try place.add("sub/\(index).jpg", picture) }
        let root = try #require(FilePath(place.url.path).real).description
        let ways = [
            "in", "./in", root + "/in", "in//", root + "//./in/", "in/sub/..", "../\(place.url.lastPathComponent)/in",
        ]
        for number in 1...3 {
            let parts = try ways.map {
                Self.lines(try CommandRun(["manifest", $0, "--shard", "\(number)/3"], folder: place.url))
            }
            let expected = parts[2].map(\.id)
            #expect(expected.count > 3 && expected.allSatisfy { $0.hasPrefix(root + "/in/sub/") })
            for (way, part) in zip(ways, parts) {
                #expect(part.map(\.id) == expected && part.map(\.input) == expected, "\(way)")
            }
        }
        // What `..` leads back from is where a link leads to.
        try FileManager.default.createSymbolicLink(
            atPath: place.url.path + "/link", withDestinationPath: place.input.path + "/sub")
        let linked = Self.lines(try CommandRun(["manifest", "link/../sub"], folder: place.url))
        #expect(linked.count == 40 && linked.allSatisfy { $0.id.hasPrefix(root + "/in/sub/") })
        let named = Self.lines(try CommandRun(["manifest", "./link/0.jpg", "no/../a.jpg"], folder: place.url))
        #expect(named.map(\.input) == [root + "/link/0.jpg", root + "/no/../a.jpg"])
    }

    @Test(
        "A shard that is none is a usage error",
        arguments: ["0/3", "4/3", "1", "1/0", "a/b", "-1/2", "1/2/3", "/"])
    func badShards(shard: String) throws {
        #expect(try CommandRun(["manifest", "x", "--shard=\(shard)"]).status == 2)
    }

    @Test("A folder that cannot be read is told, and a picture that is not there still has its line")
    func missing() throws {
        let run = try CommandRun(["manifest", "/no/such/a.jpg"])
        #expect(run.status == 0 && Self.lines(run).map(\.stamp) == [nil])
        #expect(try CommandRun(["manifest"]).status == 2)
    }
}
