import Cameo
import Glibc
import Testing

@testable import CameoCommand

/// What `cameo list` prints, line by line, of a library that the test makes.
@Suite final class ListCommandTests {
    private let folder: FilePath

    init() throws {
        var template = Array("/tmp/cameo-list-XXXXXX".utf8CString)
        folder = FilePath(try #require(mkdtemp(&template).map { String(cString: $0) })).appending("Trip")
        _ = folder.withCString { mkdir($0, 0o755) }
        write("b.gif", Self.gif(frames: 2), time: 1_700_000_000)
        write("a.gif", Self.gif(frames: 1), time: 1_600_000_000)
        write("Screenshot 1.gif", Self.gif(frames: 1) + [1], time: 1_700_000_001)
        write(
            FilePath(bytes: Array("odd".utf8) + [0xFF, 0x0A] + Array(".gif".utf8)), Self.gif(frames: 1) + [2],
            time: 1_650_000_000)
        write("notes.txt", Array("no picture".utf8), time: 1)
    }

    deinit {
        for name in FolderReader.names(in: folder) ?? [] { _ = folder.appending(name).withCString { unlink($0) } }
        _ = folder.withCString { rmdir($0) }
        _ = folder.parent.withCString { rmdir($0) }
    }

    private func write(_ name: FilePath, _ bytes: [UInt8], time: Int) {
        let path = folder.appending(name)
        let file = path.withCString { creat($0, 0o644) }
        _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        close(file)
        let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
        _ = path.withCString { utimensat(AT_FDCWD, $0, times, 0) }
    }

    private static func gif(frames: Int) -> [UInt8] {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        return Array("GIF89a".utf8) + [4, 0, 3, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            + (0..<frames).flatMap { _ in frame } + [0x3B]
    }

    /// The lines of a call, the identifiers replaced by the letters of the assets they stand for, in order of date.
    private func lines(_ arguments: String...) async throws -> [String] {
        var settings = ListCommand.Settings()
        _ = try ListCommand.table.parse(["list"] + arguments.map { FilePath($0) } + [folder], into: &settings)
        let library = try AssetLibrary(folders: [folder], catalog: .none)
        let snapshot = try await library.scan()
        var lines: [String] = []
        let roots = [(real: try #require(library.folders.first), given: FilePath("My Trip"))]
        ListPrinter(settings: settings, roots: roots) { line in
            lines.append(String(decoding: line, as: UTF8.self))
            return true
        }.print(snapshot)
        let letters = Dictionary(uniqueKeysWithValues: zip(snapshot.recents.map(\.id.value), ["A", "B", "C", "D"]))
        return lines.map { line in
            letters.reduce(line) { text, pair in
                text.split(separator: pair.key, omittingEmptySubsequences: false).joined(separator: pair.value)
            }
        }
    }

    @Test func assetsAsText() async throws {
        #expect(
            try await lines() == [
                "2020-09-13T12:26:40+00:00  image             4×3          My Trip/a.gif",
                "2022-04-15T05:20:00+00:00  image             4×3          My Trip/odd\u{FFFD}\n.gif",
                "2023-11-14T22:13:20+00:00  image,animated    4×3          My Trip/b.gif",
                "2023-11-14T22:13:21+00:00  image,screenshot  4×3          My Trip/Screenshot 1.gif",
            ])
    }

    @Test func assetsAsJSON() async throws {
        let lines = try await lines("--json")
        #expect(
            lines == [
                #"{"bytes":35,"date":"2020-09-13T12:26:40+00:00","dateSource":"file","id":"A","kind":"image","path":"My Trip/a.gif","place":null,"subtypes":[],"upright":[4,3]}"#,
                #"{"bytes":36,"date":"2022-04-15T05:20:00+00:00","dateSource":"file","id":"B","kind":"image","path":"My Trip/odd�\n.gif","pathBytes":"TXkgVHJpcC9vZGT/Ci5naWY=","place":null,"subtypes":[],"upright":[4,3]}"#,
                #"{"bytes":50,"date":"2023-11-14T22:13:20+00:00","dateSource":"file","id":"C","kind":"image","path":"My Trip/b.gif","place":null,"subtypes":["animated"],"upright":[4,3]}"#,
                #"{"bytes":36,"date":"2023-11-14T22:13:21+00:00","dateSource":"file","id":"D","kind":"image","path":"My Trip/Screenshot 1.gif","place":null,"subtypes":["screenshot"],"upright":[4,3]}"#,
            ])
    }

    @Test func albums() async throws {
        #expect(
            try await lines("--albums") == [
                "       4  Recents", "       1  Screenshots", "       1  Animated", "       4  Trip/",
            ])
        #expect(
            try await lines("--albums", "--json") == [
                #"{"album":"Recents","count":4,"key":"D","smart":true}"#,
                #"{"album":"Screenshots","count":1,"key":"D","smart":true}"#,
                #"{"album":"Animated","count":1,"key":"C","smart":true}"#,
                #"{"album":"Trip","count":4,"key":"D","smart":false}"#,
            ])
        #expect(try await lines("--albums", "--all").count == 8)
    }

    @Test func moments() async throws {
        #expect(
            try await lines("--moments", "--json", "--descending") == [
                #"{"assets":["D","C"],"day":"2023-11-14","moment":"14 November 2023","place":null}"#,
                #"{"assets":["B"],"day":"2022-04-15","moment":"15 April 2022","place":null}"#,
                #"{"assets":["A"],"day":"2020-09-13","moment":"13 September 2020","place":null}"#,
            ])
        #expect(
            try await lines("--moments").prefix(2) == [
                "13 September 2020", "  2020-09-13T12:26:40+00:00  image             4×3          My Trip/a.gif",
            ])
    }

    @Test(
        "Options that would have no say are a usage error",
        arguments: [
            ["--all"], ["--moments", "--all"], ["--distance", "3"], ["--albums", "--distance", "3"],
            ["--albums", "--descending"], ["--albums", "--moments"], ["--moments", "--albums"],
            ["--albums", "--type", "image"],
        ])
    func idleOptions(options: [String]) throws {
        let run = try CommandRun(["list", "/no/such/folder"] + options)
        #expect(run.status == 2 && !run.errors.contains("/no/such/folder"))
    }

    @Test func onlyATypeThatIsAskedFor() async throws {
        #expect(try await lines("--type", "animated").count == 1)
        #expect(try await lines("--type", "image").count == 4)
        #expect(try await lines("--type", "video").isEmpty)
        await #expect(throws: UsageError.self) { try await self.lines("--type", "films") }
    }
}
