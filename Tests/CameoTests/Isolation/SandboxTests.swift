import Foundation
import Synchronization
import Testing

@testable import Cameo

/// What a worker cannot do once its sandbox is up.
@Suite(.serialized) struct SandboxTests {
    @Test("A decoder that was taken over opens no file, makes no socket or process, and touches no other")
    func escape() throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write(Worker.jpeg(), to: "x-escape.jpg")
        // It ends with a status that names what was possible; where nothing was, it goes on as if it had not tried.
        #expect(try Worker.pool().open(.file(bad), for: []).header.storedSize == PixelSize(width: 60, height: 40))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.description) == ["x-escape.jpg"])
    }

    @Test(
        "Each of those attempts succeeds without the sandbox, and none of them with it",
        arguments: 0..<Misbehaviour.attempts)
    func escapeUnboxed(attempt: Int) throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write(Worker.jpeg(), to: "x-escape\(attempt).jpg")
        // Something to be removed.
        _ = try folder.write([1], to: "x-escape\(attempt).jpg.escaped")
        #expect(try Worker.pool().open(.file(bad), for: []).header.storedSize == PixelSize(width: 60, height: 40))
        let weaknesses = Mutex<[String]>([])
        let unboxed = WorkerPool(
            executable: try Worker.executable(named: Misbehaviour.nameWithoutSandbox, in: folder),
            options: RenderOptions(), isRequired: false, onWeakness: { text in weaknesses.withLock { $0.append(text) } }
        )
        let error = Worker.error { () throws(RenderError) in _ = try unboxed.open(.file(bad), for: []) }
        let status = Misbehaviour.status(ofAttempt: attempt)
        #expect(error == .crashed(source: bad.description, reason: "exit status \(status)"))
        #expect(weaknesses.withLock { $0.count } == 1)
    }

    @Test("The sandbox is whole on this machine, or it is said what is missing")
    func whole() throws {
        let worker = try WorkerProcess(WorkerNursery(Worker.executable))
        #expect(worker.missing == [])
    }

    @Test("No worker holds a decoder that Cameo never asks: ImageMagick, Poppler and OpenSlide are not loaded")
    func modules() throws {
        let worker = try WorkerProcess(WorkerNursery(Worker.executable))
        // Foundation reads no more than a page of such a file into a string.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/\(worker.process)/maps"))
        let maps = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        try #require(maps.contains("libvips.so"))
        for name in ["MagickCore", "poppler", "openslide"] { #expect(!maps.contains(name), "\(name)") }
        #expect(maps.contains("libheif"))
    }

    @Test(
        "Once its sandbox is up a worker opens no file and no socket, as strace sees it",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "strace is not installed"))
    func traced() throws {
        let folder = try TemporaryFolder()
        let log = folder.path.appending("trace")
        let script = folder.path.appending("worker")
        let text = """
            #!/bin/sh
            exec /usr/bin/strace -D -f -q -o \(log) -e trace=%file,%network,seccomp,clone,fork,vfork,execve \\
                \(Worker.executable) "$@"

            """
        try text.write(toFile: script.description, atomically: true, encoding: .utf8)
        _ = script.withCString { chmod($0, 0o755) }
        let tiff = MadeTIFF(
            width: 64, height: 48, rows: (0..<48).map { row in (0..<192).map { UInt8(($0 * 3 + row) & 255) } })
        let sources: [ImageSource] = [
            .file(Corpus.sample("Portraits/Amara.jpg")), .file(Corpus.sample("Stickers and Screens/Paper boat.png")),
            .file(Corpus.sample("Stickers and Screens/Moon phases.gif")),
            .file(Corpus.sample("At Home/Meadow flowers.webp")), .file(Corpus.sample("At Home/Fruit bowl.heic")),
            .bytes(MadeHEIF(coding: .avif).encoded(), name: "made.avif"), .bytes(tiff.encoded(), name: "made.tiff"),
        ]
        var formats: Set<ImageFormat> = []
        do {
            let pool = WorkerPool(executable: script, options: RenderOptions(), isRequired: true, onWeakness: nil)
            for source in sources {
                let opened = try pool.open(source, for: [])
                let result = try opened.render([.thumbnail(PixelSize(square: 50))], watch: RenderWatch(), hashes: true)
                #expect(result.images[0].pixels.size.width > 20)
                formats.insert(opened.header.format)
            }
        }
        #expect(formats == [.jpeg, .png, .gif, .webp, .heif, .avif, .tiff])
        // It is written by a process of its own, which may still have to come to the end of the worker.
        var lines: [Substring] = []
        var worker: Substring?
        for _ in 0..<3000 {
            lines = (try? String(contentsOfFile: log.description, encoding: .utf8))?.split(separator: "\n") ?? []
            worker = lines.last { $0.contains("seccomp(") }?.split(separator: " ").first
            if let worker, lines.contains(where: { $0.hasPrefix("\(worker) ") && $0.contains("+++ killed by") }) {
                break
            }
            usleep(20_000)
        }
        let process = try #require(worker)
        #expect(
            lines.contains { $0.hasPrefix("\(process) ") && $0.contains("+++ killed by SIGKILL") }, "the log is cut")
        // It tells of what is looked for: without the sandbox the same worker loaded libraries.
        #expect(lines.contains { $0.contains("openat(") })
        let start = try #require(lines.lastIndex { $0.contains("seccomp(") })
        let forbidden = lines[start...].dropFirst().filter { line in
            guard
                ["open", "socket(", "connect(", "execve", "fork", "unlink", "mkdir", "rename"].contains(where: {
                    line.contains($0)
                })
            else {
                return false
            }
            return !line.contains("sendmsg") && !line.contains("recvmsg")
        }
        #expect(forbidden.isEmpty, "\(forbidden)")
    }
}
