import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

struct ThumbnailsCommandTests {
    @Test("A folder is walked: pictures come out at their places below it, and each has its line")
    func folder() throws {
        let place = try Workplace()
        for name in ["a.jpg", "sub/b.png", "sub/deep/c.webp", ".hidden.jpg", ".hidden/d.jpg"] { try place.add(name) }
        try place.add("notes.txt", Data("words".utf8))
        try place.add("broken.jpg", Data("no picture".utf8))
        let run = try place.run("thumbnails", "--size", "32")
        #expect(run.status == 1)
        #expect(place.outputs == ["a.jpg", "sub/b.jpg", "sub/deep/c.jpg"])
        #expect(run.results.count == 4)
        let failed = run.results.filter { $0.status == .failed }
        #expect(failed.map(\.error?.kind) == ["notAnImage"] && failed[0].input.hasSuffix("broken.jpg"))
        let first = try #require(run.results.first { $0.input.hasSuffix("a.jpg") })
        #expect(first.upright == [80, 60] && first.outputs?[0].width == 32 && first.outputs?[0].height == 24)
        let size = try FileManager.default.attributesOfItem(atPath: place.output.path + "/a.jpg")[.size] as? Int
        #expect(first.outputs?[0].bytes == size && first.format == "jpeg" && first.warnings == [])
    }

    @Test("A second run finds everything current, and a changed source, rendition or output is made again")
    func current() throws {
        let place = try Workplace()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try place.add(name) }
        #expect(try place.run("thumbnails").results.map(\.status) == [.rendered, .rendered, .rendered])
        let again = try place.run("thumbnails")
        #expect(again.results.map(\.status) == [.current, .current, .current] && again.status == 0)
        #expect(again.results.allSatisfy { $0.upright == [80, 60] && $0.outputs?.count == 1 })
        // The same size, within the same second.
        try Workplace.picture(80, shade: 91).write(to: place.input.appendingPathComponent("a.jpg"))
        try Data().write(to: place.output.appendingPathComponent("b.jpg"))
        let third = try place.run("thumbnails").results
        #expect(Set(third.filter { $0.status == .rendered }.map { String($0.input.suffix(5)) }) == ["a.jpg", "b.jpg"])
        #expect(try place.run("thumbnails", "--size", "40").results.allSatisfy { $0.status == .rendered })
        #expect(try place.run("thumbnails", "--size", "40", "--force").results.allSatisfy { $0.status == .rendered })
    }

    @Test("Changing only the orientation of a file in place changes its thumbnail")
    func orientation() throws {
        let place = try Workplace()
        var bytes = Array(try Workplace.picture(80))
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM".utf8)
            + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
        bytes.insert(contentsOf: exif, at: 2)
        let file = try place.add("a.jpg", Data(bytes))
        #expect(try place.run("thumbnails", "--size", "40").results[0].upright == [80, 60])
        let tag = 2 + 4 + 6 + 18 + 1
        #expect(bytes[tag] == 1)
        let descriptor = open(file.path, O_WRONLY)
        #expect(pwrite(descriptor, [6], 1, off_t(tag)) == 1)
        close(descriptor)
        let turned = try place.run("thumbnails", "--size", "40").results[0]
        #expect(turned.status == .rendered && turned.upright == [60, 80] && turned.outputs?[0].width == 30)
    }

    @Test("Two inputs of one base name never overwrite each other's output, in one folder or two")
    func collisions() throws {
        let place = try Workplace()
        try place.add("x/a.jpg")
        try place.add("x/a.png")
        try place.add("x/a.txt", Data("words".utf8))
        try place.add("y/a.jpg")
        try place.add("x/b.jpg")
        try place.add("x/b.txt", Data("words".utf8))
        let inputs = ["x", "y"].map { place.input.appendingPathComponent($0).path }
        let run = try CommandRun(["thumbnails"] + inputs + ["-o", place.output.path, "--json"])
        #expect(run.status == 0 && run.results.count == 4)
        #expect(Set(run.results.flatMap { $0.outputs ?? [] }.map(\.path)).count == 4)
        #expect(place.outputs.contains("a.png.jpg") && place.outputs.contains("b.jpg") && place.outputs.count == 4)
    }

    @Test("Odd names work: newline, quotes, leading dash, percent signs, brackets, not UTF-8")
    func oddNames() throws {
        let place = try Workplace()
        let names = ["a\nb.jpg", "\"q\".jpg", "-o.jpg", "100%d.jpg", "[x]{y}.jpg", "é.jpg", " .jpg"]
        for name in names { try place.add(name) }
        let odd = FilePath(place.input.path).appending(FilePath(bytes: [0x66, 0xFF, 0x2E, 0x6A, 0x70, 0x67]))
        try WholeFile.write(Array(Workplace.picture(40)), to: odd)
        let run = try place.run("thumbnails")
        #expect(run.status == 0 && run.results.count == 8)
        let lossy = try #require(run.results.first { $0.inputBytes != nil })
        #expect(FilePath(lossy.input, bytes: lossy.inputBytes) == odd)
        let target = try #require(lossy.outputs?.first?.filePath)
        #expect(
            target.lastComponent.bytes == [0x66, 0xFF, 0x2E, 0x6A, 0x70, 0x67] && ContentStamp(path: target) != nil)
        // And as arguments.
        let direct = try CommandRun(
            ["thumbnails", "-o", place.output.path + "2", "--json", "--"] + names, folder: place.input)
        #expect(direct.status == 0 && direct.results.count == names.count)
    }

    @Test("The output folder inside the input folder is not read, and links that loop end")
    func loops() throws {
        let place = try Workplace()
        try place.add("a.jpg")
        try FileManager.default.createSymbolicLink(atPath: place.input.path + "/loop", withDestinationPath: ".")
        try FileManager.default.createSymbolicLink(
            atPath: place.input.path + "/gone.jpg", withDestinationPath: "nowhere")
        let out = place.input.appendingPathComponent("thumbs").path
        for expected in [1, 1] {
            let run = try CommandRun(["thumbnails", place.input.path, "-o", out, "--json"])
            #expect(run.results.filter { $0.status != .failed }.count == expected)
            #expect(run.results.filter { $0.status == .failed }.map(\.error?.kind) == ["unreadable"])
        }
        let same = try CommandRun(["thumbnails", place.input.path, "-o", place.input.path])
        #expect(same.status == 2 && same.errors.contains("input and output folder at once"))
    }

    @Test("A picture is never written over its own source or another photo beside it")
    func neverOverSources() throws {
        let place = try Workplace()
        let source = try place.add("a.png")
        let photo = try place.add("a.jpg")
        let before = try Data(contentsOf: photo)
        for input in [source, photo] {
            let run = try CommandRun(["thumbnails", input.path, "-o", place.input.path, "--json"])
            #expect(run.results.map(\.error?.kind) == ["notWritable"] && run.status == 1)
        }
        #expect(try Data(contentsOf: photo) == before)
        // A name of its own is welcome there, and may be made again.
        for _ in 0..<2 {
            let run = try CommandRun(["avatar", photo.path, "-o", place.input.path, "--json", "--force"])
            #expect(run.status == 0)
        }
    }

    @Test("A photo in an output folder that holds inputs is never written over, a rerun of our own is welcome")
    func neverOverPhotosAmongInputs() throws {
        let place = try Workplace()
        try place.add("sub/x.png")
        let photo = try place.add("x.jpg")
        let before = try Data(contentsOf: photo)
        let sub = place.input.path + "/sub"
        let run = try CommandRun(["thumbnails", sub, "-o", place.input.path, "--json"])
        #expect(run.results.map(\.error?.kind) == ["notWritable"] && run.status == 1)
        #expect(try Data(contentsOf: photo) == before)
        try FileManager.default.removeItem(at: photo)
        for extra in [[], ["--force"], ["--format", "png"], ["--size", "20"]] {
            let again = try CommandRun(["thumbnails", sub, "-o", place.input.path, "--json"] + extra)
            #expect(again.status == 0, "\(extra): \(again.errors)")
        }
    }

    @Test("A rerun after a kill goes on although its own outputs lie beside their sources", arguments: [20, 60, 150])
    func killedBesideSources(milliseconds: UInt32) throws {
        let place = try Workplace()
        let files = try (0..<30).map { try place.add("p\($0).jpg", Workplace.picture(500, shade: UInt8($0))).path }
        let process = CommandRun.process(["avatar"] + files + ["-o", place.input.path, "--size", "60"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        usleep(milliseconds * 1000)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let rerun = try CommandRun(["avatar"] + files + ["-o", place.input.path, "--size", "60", "--json"])
        #expect(rerun.status == 0 && rerun.results.count == 30, "\(rerun.errors)")
    }

    @Test("Two lines of a manifest never write one output: the second fails and says so")
    func manifestClaims() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg").path
        let lines = [
            #"{"input":"\#(file)","output":"x"}"#, #"{"input":"\#(file)","output":"x","size":20}"#,
            #"{"input":"\#(file)"}"#, #"{"input":"\#(place.input.path)/./a.jpg"}"#,
            #"{"input":"\#(file)","output":"./x"}"#,
        ]
        let run = try CommandRun(
            ["thumbnails", "--manifest", "-", "-o", place.output.path, "--json"], input: lines.joined(separator: "\n"))
        #expect(Set(run.results.filter { $0.status == .failed }.map(\.line)) == [2, 4, 5] && run.status == 1)
        #expect(run.results.first { $0.line == 1 }?.outputs?.first?.width == 80)
    }

    @Test("A template names the outputs of manifest lines that have no name of their own, and nothing is overwritten")
    func manifestTemplate() throws {
        let place = try Workplace()
        for name in ["a.jpg", "a.png", "b.jpg", "sub/a.jpg"] { try place.add(name) }
        let lines = [
            #"{"input":"in/a.jpg"}"#, #"{"input":"in/a.png"}"#, #"{"input":"./in/b.jpg","output":"own"}"#,
            #"{"input":"in/sub/a.jpg","scale":[1,2]}"#, #"{"input":"in/../in/b.jpg","size":20}"#,
            #"{"input":"in/a.jpg","size":20}"#, #"{"input":"in/a.jpg","size":30}"#,
        ]
        for status in [ResultLine.Status.rendered, .current] {
            let run = try CommandRun(
                ["thumbnails", "--manifest", "-", "-o", "out", "--json", "--name", "{name}_t", "--size", "40"],
                input: lines.joined(separator: "\n"), folder: place.url)
            let names = Dictionary(
                uniqueKeysWithValues: run.results.map { ($0.line, $0.outputs?.map { String($0.path.dropFirst(4)) }) })
            #expect(
                names == [
                    1: ["in/a_t.jpg"], 2: ["in/a_t-a.png.jpg"], 3: ["own.jpg"],
                    4: ["in/sub/a_t.jpg", "in/sub/a_t@2x.jpg"], 5: ["in/_/in/b_t.jpg"], 6: ["in/a_t-a.jpg.jpg"], 7: nil,
                ])
            #expect(run.results.filter { $0.line != 7 }.allSatisfy { $0.status == status } && run.status == 1)
            #expect(run.results.first { $0.line == 7 }?.error?.kind == "notWritable")
        }
        #expect(place.outputs.count == 7)
    }

    @Test("A name that no output can have fails alone: too long, or with a folder in the way")
    func unusableNames() throws {
        let place = try Workplace()
        try place.add("a.png")
        try place.add("a.jpg/b.jpg")
        try place.add(String(repeating: "n", count: 251) + ".jpg")
        try place.add("z.jpg")
        let run = try place.run("thumbnails", "--name", "{name}-thumbnail")
        #expect(run.status == 1 && run.results.count == 4)
        #expect(run.results.filter { $0.status == .failed }.map(\.error?.kind) == ["notWritable"])
        let plain = try CommandRun(["thumbnails", place.input.path, "-o", place.output.path + "2", "--json"])
        #expect(plain.results.count == 4 && plain.results.filter { $0.status == .failed }.count == 1)
    }

    @Test("A second way to write the output folder finds the same outputs current")
    func spellings() throws {
        let place = try Workplace()
        try place.add("a.jpg")
        _ = try place.run("thumbnails")
        let other = try CommandRun(
            ["thumbnails", "in", "-o", "./in/../out", "--json"], folder: place.url)
        #expect(other.results.map(\.status) == [.current] && other.results[0].outputs?[0].path == "./in/../out/a.jpg")
    }

    @Test("A manifest that cannot be read is told before anything is done")
    func missingManifest() throws {
        let place = try Workplace()
        try place.add("a.jpg")
        for manifest in ["/no/such/file", place.input.path] {
            let run = try place.run("thumbnails", "--manifest", manifest)
            #expect(run.status == 2 && run.errors.contains(manifest) && place.outputs.isEmpty)
        }
    }

    @Test("A manifest that breaks off is a fault of the machine, and what was read of it is done")
    func brokenManifest() throws {
        let place = try Workplace()
        let (master, slave) = try TerminalRun.terminal()
        let process = CommandRun.process(["thumbnails", "--manifest", "-", "-o", place.output.path])
        let errors = Pipe()
        process.standardInput = FileHandle(fileDescriptor: master, closeOnDealloc: true)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        let line = Data(#"{"input":"\#(try place.add("a.jpg").path)","output":"x"}"#.utf8)
        // The second is torn.
        FileHandle(fileDescriptor: slave, closeOnDealloc: false).write(line + [10] + line.prefix(20))
        close(slave)
        try process.run()
        process.waitUntilExit()
        let told = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(process.terminationStatus == 3 && place.outputs == ["x.jpg"])
        #expect(told.contains("standard input: cannot be read: Input/output error") && !told.contains("line 2"))
    }

    @Test("An input named twice is done once; one named that is no picture has its line")
    func named() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg").path
        let text = try place.add("a.txt", Data("words".utf8)).path
        let run = try CommandRun([
            "thumbnails", file, file, text, place.input.path + "/missing.jpg", "-o", place.output.path, "--json",
        ])
        #expect(run.results.count == 3 && run.status == 1)
        #expect(Set(run.results.compactMap(\.error?.kind)) == ["notAnImage", "unreadable"])
    }

    @Test("A manifest is read from standard input, a bad line failing with its number and nobody else")
    func manifest() throws {
        let place = try Workplace()
        let file = try place.add("a.jpg").path
        let lines = [
            #"{"input":"\#(file)","output":"one","size":20}"#, "{nonsense", "",
            #"{"input":"\#(file)","size":30,"format":"png"}"#, #"{"input":"/no/such.jpg"}"#,
        ]
        let run = try CommandRun(
            ["thumbnails", "--manifest", "-", "-o", place.output.path, "--json"], input: lines.joined(separator: "\n"))
        #expect(run.status == 1 && run.results.count == 4)
        #expect(Set(run.results.filter { $0.status == .failed }.map(\.line)) == [2, 5])
        #expect(place.outputs.contains("one.jpg") && place.outputs.count == 2)
        #expect(place.outputs.contains { $0.hasSuffix("/a.jpg.png") })
    }

    @Test("Text output names the files that were written, progress and summary apart")
    func textOutput() throws {
        let place = try Workplace()
        try place.add("a.jpg")
        let run = try CommandRun(["thumbnails", place.input.path, "-o", place.output.path])
        #expect(run.text == place.output.path + "/a.jpg\n" && run.errors.hasPrefix("1 rendered in "))
    }

    @Test(
        "Usage mistakes exit with 2 and say what to try",
        arguments: [
            ["thumbnails"], ["thumbnails", "a.jpg"], ["thumbnails", "-o", "x"], ["thumbnail"],
            ["avatar", "a", "-o", "x", "--format", "jpeg"],
            ["thumbnails", "a", "-o", "x", "--size", "0"], ["avatar", "a", "-o", "x", "--scale", "2,2"], [], ["--sise"],
        ])
    func usage(arguments: [String]) throws {
        let run = try CommandRun(arguments)
        #expect(run.status == 2 && run.output.isEmpty && !run.errors.isEmpty)
    }

    @Test(
        "Help and version go to standard output and exit with 0",
        arguments: [
            ["--help"], ["--version"], ["thumbnails", "--help"], ["avatar", "-h"], ["sheet", "--help"],
            ["inspect", "--help"], ["cache", "--help"], ["thumbnails", "--version"],
            ["manifest", "--help"], ["worker", "--help"], ["worker", "avatar", "--help"],
        ])
    func help(arguments: [String]) throws {
        let run = try CommandRun(arguments)
        #expect(
            run.status == 0 && run.errors.isEmpty
                && run.text.contains(arguments.last == "--version" ? "cameo \(Cameo.version)" : "Usage: cameo"))
    }

    @Test("An output folder that cannot be written is told at once, with exit 3")
    func readOnly() throws {
        let place = try Workplace()
        try place.add("a.jpg")
        let run = try CommandRun(["thumbnails", place.input.path, "-o", place.input.path + "/a.jpg/out"])
        #expect(run.status == 3 && run.errors.contains("cannot be written"))
        let system = try CommandRun(["thumbnails", place.input.path, "-o", "/proc/cameo"])
        #expect(system.status == 3)
    }

    @Test("A killed run leaves whole files only, and the rerun finishes the rest", arguments: [5, 20, 45, 80, 130])
    func killed(milliseconds: UInt32) throws {
        let place = try Workplace()
        for index in 0..<60 { try place.add("p\(index).jpg", Workplace.picture(700, shade: UInt8(index))) }
        let process = CommandRun.process(["thumbnails", place.input.path, "-o", place.output.path, "--size", "300"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        usleep(milliseconds * 1000)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        for name in place.outputs {
            let image = try Renderer().render(
                .file(FilePath(place.output.path + "/" + name)), [.thumbnail(PixelSize(square: 16))])
            #expect(image.warnings.isEmpty, "\(name)")
        }
        let rerun = try place.run("thumbnails", "--size", "300")
        #expect(rerun.status == 0 && rerun.results.count == 60 && place.outputs.count == 60)
        let all = FileManager.default.subpaths(atPath: place.output.path) ?? []
        #expect(all.filter { $0.hasSuffix(".tmp") }.isEmpty)
    }

    @Test("Ctrl-C stops cleanly with exit 130, a wait for more input included", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        let place = try Workplace()
        let file = try place.add("a.jpg").path
        let process = CommandRun.process(["thumbnails", "--manifest", "-", "-o", place.output.path])
        let feed = Pipe()
        process.standardInput = feed
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        feed.fileHandleForWriting.write(Data("{\"input\":\"\(file)\",\"output\":\"x\"}\n".utf8))
        while place.outputs.isEmpty { usleep(5000) }
        // The input stays open: without the signal the command would wait for ever.
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
        #expect(place.outputs == ["x.jpg"])
    }

    @Test(
        "A full disk is told as what it is, with exit 3, and leaves whole files only",
        .enabled(if: geteuid() == 0, "a small file system can only be mounted by root"))
    func diskFull() throws {
        let place = try Workplace()
        for index in 0..<40 { try place.add("p\(index).jpg", Workplace.picture(900, .png, shade: UInt8(index))) }
        guard let disk = try SmallDisk(at: place.output, kilobytes: 96) else { return }
        defer { disk.unmount() }
        let run = try place.run("thumbnails", "--size", "800", "--format", "png")
        #expect(run.status == 3 && run.errors.contains("the disk is full"))
        for name in place.outputs {
            #expect(
                try Renderer().render(
                    .file(FilePath(place.output.path + "/" + name)), [.thumbnail(PixelSize(square: 16))]
                ).warnings.isEmpty)
        }
    }
}
