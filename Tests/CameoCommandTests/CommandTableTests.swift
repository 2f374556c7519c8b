import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Cameo
@testable import CameoCommand

struct CommandTableTests {
    private static func parse(_ words: String...) throws(UsageError) -> (BatchSettings, [FilePath]) {
        var settings = BatchSettings()
        let paths = try ThumbnailsCommand.table.parse((["thumbnails"] + words).map { FilePath($0) }, into: &settings)
        return (settings, paths)
    }

    private static func mistake(_ words: String...) -> String? {
        var settings = BatchSettings()
        do throws(UsageError) {
            _ = try ThumbnailsCommand.table.parse((["thumbnails"] + words).map { FilePath($0) }, into: &settings)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("Options stand before, between and after paths, short, long and shortened")
    func options() throws {
        let (settings, paths) = try Self.parse(
            "a.jpg", "--size", "320x200", "-o", "out", "b.jpg", "--qual=70", "-fj", "--scale", "1,2")
        #expect(paths == ["a.jpg", "b.jpg"])
        #expect(settings.sizes == [PixelSize(width: 320, height: 200)] && settings.output == "out")
        #expect(settings.encoding.quality == 70 && settings.isForced && settings.isJSON && settings.scales == [1, 2])
    }

    @Test("Arguments that are read on several threads at once do not mix: getopt_long keeps its place in globals")
    func readersAtOnce() {
        let wrong = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 2000) { number in
            let (size, path) = ("\(number + 1)", "\(number).jpg")
            do throws(UsageError) {
                let (settings, paths) = try Self.parse("-j", path, "--size", size, "-o", path, "--fill")
                let isRight =
                    settings.isJSON && settings.output == FilePath(path) && paths == [FilePath(path)]
                    && settings.sizes == [PixelSize(width: number + 1, height: number + 1)]
                if !isRight { wrong.withLock { $0.append("\(number): \(settings) \(paths)") } }
            } catch {
                wrong.withLock { $0.append("\(number): \(error.message)") }
            }
        }
        #expect(wrong.withLock { $0 }.isEmpty)
    }

    @Test("Two dashes end the options")
    func doubleDash() throws {
        #expect(try Self.parse("-o", "out", "--", "--size", "-x.jpg").1 == ["--size", "-x.jpg"])
    }

    @Test("A path is bytes, whatever they are")
    func bytes() throws {
        var settings = BatchSettings()
        let odd = FilePath(bytes: [0xFF, 0xFE, 10, 0x2E])
        let paths = try ThumbnailsCommand.table.parse(["thumbnails", odd, "-o", odd], into: &settings)
        #expect(paths == [odd] && settings.output == odd)
    }

    @Test(
        "A mistake is answered with what is wrong and the nearest option",
        arguments: [
            (["--sise", "3"], "unknown option --sise (did you mean --size?)"),
            (["--zzzzzzzz"], "unknown option --zzzzzzzz"),
            (["-Z"], "unknown option -Z"), (["--output"], "--output needs a value: DIR"), (["-o"], "-o needs a value"),
            (["--fill=yes"], "--fill takes no value"),
            (["--max", "3"], "--max could be --max-megapixels or --max-edge or --max-bytes"),
            (["--size", "0"], "--size: '0' is not a whole number from 1 to 16384"),
            (["--size", "-5"], "--size: '-5' is not a whole number from 1 to 16384"),
            (["--size", "16385"], "--size: '16385' is not a whole number from 1 to 16384"),
            (["--size", "10x"], "--size: '' is not a whole number from 1 to 16384"),
            (["--size", "1x2x3"], "--size: '1x2x3' is neither N nor WxH"),
            (["--format", "bmp"], "--format: 'bmp' is none of auto, jpeg, png, webp"),
            (
                ["--background", "mauve-ish"],
                "--background: 'mauve-ish' is neither #rrggbb nor one of CSS's sixteen basic colour names"
            ),
            (["--name", "a/b"], "--name: a name is not empty, has no / and does not begin with a dot"),
            (["--name", "{nam}"], "--name: '{nam}' is none of {name}, {ext}, {size}, {scale}"),
            (
                ["--focus", "left"],
                "--focus: 'left' is none of faces, centre, upper, top, attention, entropy, X,Y, X,Y,W,H"
            ),
        ])
    func mistakes(words: [String], message: String) {
        var settings = BatchSettings()
        let error = #expect(throws: UsageError.self) {
            try ThumbnailsCommand.table.parse((["thumbnails"] + words).map { FilePath($0) }, into: &settings)
        }
        #expect(error?.message == message)
    }

    @Test("Every option of every subcommand stands in its help, with its letter and its value")
    func help() {
        for table in [ThumbnailsCommand.table, AvatarCommand.table, WorkerCommand.thumbnails, WorkerCommand.avatar] {
            let lines = table.help.split(separator: "\n").map { $0 + " " }
            for option in table.options {
                let written = (option.letter.map { "-\($0), " } ?? "  ") + "--\(option.name) "
                let line = lines.first { $0.contains(written + (option.value.map { "\($0) " } ?? "")) }
                // What a manifest's line may say has a star.
                #expect(line?.contains(written + (option.value.map { "\($0) " } ?? "") + "* ") == option.isOverride)
            }
        }
        #expect(AvatarCommand.table.help.contains("--initials NAME"))
        #expect(SheetCommand.table.help.hasPrefix("Usage: cameo sheet PATH... -o FILE\n"))
        #expect(WorkerCommand.avatar.help.hasPrefix("Usage: cameo worker avatar -o DIR|URL\n"))
        let hidden: Set = ["manifest", "json", "progress", "initials"]
        #expect(hidden.isDisjoint(with: WorkerCommand.avatar.options.map(\.name)))
        #expect(Set(WorkerCommand.thumbnails.options.map(\.name)).count == WorkerCommand.thumbnails.options.count)
        let helps = [
            ThumbnailsCommand.table.help, AvatarCommand.table.help, WorkerCommand.thumbnails.help,
            ManifestCommand.table.help,
        ]
        let widest = helps.joined().split(separator: "\n").map(
            \.count
        ).max()
        #expect((widest ?? 0) <= 120)
    }

    @Test(
        "Distances between words are those of optimal string alignment",
        arguments: [
            ("size", "size", 0), ("sise", "size", 1), ("szie", "size", 1), ("", "size", 4), ("kitten", "sitting", 3),
            ("ca", "abc", 3),
        ])
    func distance(a: String, b: String, expected: Int) {
        #expect(Spelling.distance(a, b) == expected && Spelling.distance(b, a) == expected)
    }
}

struct OutputNamingTests {
    private static func stems(_ names: [String], sizes: [Int] = [256], scales: [Int] = [1], template: String? = nil)
        throws -> [[String]]
    {
        var settings = BatchSettings()
        settings.sizes = sizes.map { PixelSize(square: $0) }
        settings.scales = scales
        if let template { settings.template = try NameTemplate(template) }
        let naming = OutputNaming(template: settings.template, outputs: settings.outputs)
        return naming.stems(for: names.map { FilePath($0) }).map { $0.map(\.description) }
    }

    @Test("An output is named after its input, with size and scale where there are several")
    func plain() throws {
        #expect(try Self.stems(["a.jpg", "dir/b.tar.png"]) == [["a"], ["b.tar"]])
        #expect(
            try Self.stems(["a.jpg"], sizes: [100, 200], scales: [1, 2]) == [
                ["a-100", "a-100@2x", "a-200", "a-200@2x"]
            ])
        #expect(try Self.stems(["a.jpg"], template: "{name}_{size}.{ext}") == [["a_256x256.jpg"]])
    }

    @Test("Two inputs that would share a name keep their old extension in it")
    func collisions() throws {
        #expect(try Self.stems(["a.jpg", "a.png", "b.png"]) == [["a.jpg"], ["a.png"], ["b"]])
        // The name that a collision gives may be another input's own, which then gives way in turn.
        #expect(try Self.stems(["a.jpg", "a.png", "a.png.gif"]) == [["a.jpg"], ["a.png"], ["a.png.gif~2"]])
        #expect(try Self.stems(["x/a.jpg", "y/a.jpg", "z/a.jpg"]) == [["a.jpg"], ["a.jpg~2"], ["a.jpg~3"]])
    }

    @Test(
        "A template that leaves out what tells two outputs apart gets it at the end",
        arguments: [
            "{name}", "{name}@{scale}x", "{name}-{size}", "x", "{size}", "{scale}",
        ])
    func templates(template: String) throws {
        let stems = try Self.stems(["a.jpg", "b.jpg"], sizes: [100, 200], scales: [1, 2], template: template)
        #expect(Set(stems.flatMap(\.self)).count == 8, "\(stems)")
    }

    @Test("No two inputs ever share an output, whatever their names", arguments: 0..<60)
    func neverShared(seed: Int) throws {
        var state = UInt64(seed + 1)
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let parts = ["a", "b", "a.jpg", "a-100", "a@2x", "a-100@2x", "a.jpg~2", ""]
        let endings = [".jpg", ".png", ".jpg.png", "", ".JPG", "@2x.jpg"]
        let names = (0..<(2 + next(12))).map { "\($0 % 3)/" + parts[next(parts.count)] + endings[next(endings.count)] }
        for (sizes, scales) in [([256], [1]), ([100, 200], [1]), ([256], [1, 2]), ([100, 200], [1, 2, 3])] {
            let stems = try Self.stems(names.filter { !$0.hasSuffix("/") }, sizes: sizes, scales: scales)
            #expect(Set(stems.flatMap(\.self)).count == stems.flatMap(\.self).count, "\(names): \(stems)")
        }
    }
}

struct ManifestReaderTests {
    private static func parse(_ text: String) -> Result<ManifestReader.Line, ManifestReader.BadLine> {
        ManifestReader(settings: BatchSettings(), table: ThumbnailsCommand.table).parse(Array(text.utf8), 7)
    }

    @Test("A line names an input, perhaps an output, and overrides options")
    func overrides() throws {
        let line = try Self.parse(
            #"{"input":"a b.jpg","output":"x/y","size":"64x32","fill":true,"quality":50,"focus":"10,20","format":"webp"}"#
        ).get()
        #expect(line.input == "a b.jpg" && line.output == "x/y" && line.number == 7)
        #expect(line.settings.sizes == [PixelSize(width: 64, height: 32)] && line.settings.mode == .fill)
        #expect(line.settings.encoding == Encoding(.webp, quality: 50) && line.settings.focus == .point(x: 10, y: 20))
        let told = try Self.parse(#"{"input":"a","id":{"k":1},"stamp":"etag 5"}"#).get()
        #expect(told.id == Array(#"{"k":1}"#.utf8) && told.stamp == "etag 5" && told.stems == ["a"])
        #expect(try Self.parse(#"{"input":"a","fill":false,"scale":[1,2]}"#).get().settings.scales == [1, 2])
    }

    @Test(
        "A bad line says what is bad and where",
        arguments: [
            ("{", "line 7: not a JSON object"), ("[1]", "line 7: not a JSON object"), ("{}", "line 7: no \"input\""),
            (#"{"input":"a","sise":3}"#, "line 7: unknown key \"sise\" (did you mean size?)"),
            (#"{"input":"a","workers":3}"#, "line 7: unknown key \"workers\""),
            (#"{"input":"a","fill":0}"#, "line 7: \"fill\" is true or false"),
            (#"{"input":"a","size":0}"#, "line 7: --size: '0' is not a whole number from 1 to 16384"),
            (#"{"input":"a","size":null}"#, "line 7: \"size\" is neither text, a number nor a list of numbers"),
            (#"{"input":{}}"#, "line 7: no \"input\""), (#"{"input":"a","stamp":{}}"#, "line 7: \"stamp\" is no text"),
            (#"{"input":"a","output":"../x"}"#, "line 7: the output \"../x\" leaves the output folder"),
            (#"{"input":"a","output":"/x"}"#, "line 7: the output \"/x\" leaves the output folder"),
            (#"{"input":"a","output":""}"#, "line 7: the output \"\" leaves the output folder"),
            (#"{"input":"a","output":"x/"}"#, "line 7: the output \"x/\" names a folder"),
            (#"{"input":"a","output":"."}"#, "line 7: the output \".\" names a folder"),
        ])
    func badLines(text: String, reason: String) {
        guard case .failure(let bad) = Self.parse(text) else {
            Issue.record("taken for good")
            return
        }
        #expect(bad.reason == reason)
    }

    @Test("An output has one spelling, whatever the line's", arguments: ["d/a", "./d/a", "d//a", "d/././a"])
    func spellings(output: String) throws {
        #expect(try Self.parse(#"{"input":"i","output":"\#(output)"}"#).get().output == "d/a")
    }

    @Test("An input that is no UTF-8 is given in base64")
    func bytes() throws {
        let line = try Self.parse(#"{"input":"?","inputBytes":"//4u"}"#).get()
        #expect(line.input.bytes == [0xFF, 0xFE, 0x2E])
    }
}

struct LineReaderTests {
    private static func lines(of text: [UInt8], stopAfter limit: Int = .max) throws -> [[UInt8]] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID().uuidString)")
        try Data(text).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let file = open(path.path, O_RDONLY)
        defer { close(file) }
        var reader = LineReader(file)
        var lines: [[UInt8]] = []
        while let line = reader.next(isStopped: { lines.count >= limit }) { lines.append(line) }
        #expect(reader.failure == nil)
        return lines
    }

    @Test("Lines come without their ends, the last one whether it has an end or not")
    func plain() throws {
        #expect(try Self.lines(of: Array("a\n\nbc".utf8)) == [[97], [], [98, 99]])
        #expect(try Self.lines(of: Array("a\n".utf8)) == [[97]])
        #expect(try Self.lines(of: []) == [])
    }

    @Test("An input that cannot be read is no input that has ended")
    func unreadable() {
        let file = open("/dev/null", O_WRONLY)
        defer { close(file) }
        var reader = LineReader(file)
        #expect(reader.next(isStopped: { false }) == nil && reader.failure == EBADF)
    }

    @Test("An endless line is cut off, and the next one is whole")
    func endless() throws {
        let lines = try Self.lines(of: [UInt8](repeating: 120, count: 3 << 20) + Array("\nnext\n".utf8))
        #expect(lines.count == 2 && lines[0].count > LineReader.limit && lines[0].count < LineReader.limit + 70_000)
        #expect(lines[1] == Array("next".utf8))
    }
}
