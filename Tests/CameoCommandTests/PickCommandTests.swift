import Foundation
import Testing

@testable import CameoCommand

struct PickCommandTests {
    @Test(
        "What makes no sense together is wrong usage",
        arguments: [
            (["pick"], "nothing to do: name a folder"),
            (["serve"], "nothing to do: name a folder"),
            (["pick", "a", "--limit", "2", "--minimum", "3"], "--minimum 3 is over --limit 2"),
            (["pick", "a", "--profile", "circle", "--size", "64"], "--size needs -o DIR"),
            (["pick", "a", "-o", "b"], "-o goes with --profile"),
            (
                ["pick", "a", "--profile", "circle", "-o", "b", "--type", "video"],
                "there are no profile pictures of videos"
            ),
            (["pick", "a", "--profile", "oval", "-o", "b"], "--profile: 'oval' is none of circle, square"),
            (["pick", "a", "--port", "0"], "--port: '0' is not a whole number from 1 to 65535"),
            (["pick", "a", "--profile", "circle", "-o", "b", "--format", "jpeg"], "a circle in it needs a background"),
            (["serve", "a", "--limit", "2"], "unknown option --limit"),
        ])
    func usage(words: [String], message: String) throws {
        let run = try CommandRun(words)
        #expect(run.status == 2 && run.text.isEmpty && run.errors.contains(message), "\(run.errors)")
    }

    @Test("A folder that is not there, and a port that is taken, are said before a picker opens")
    func refused() throws {
        let missing = try CommandRun(["pick", "/no/such", "--no-open", "--catalog", "none"])
        #expect(missing.status == 1 && missing.errors.contains("/no/such: cannot be read"))
        let place = try Workplace()
        let picker = try OpenPicker(place)
        let port = try #require(URL(string: picker.address)?.port)
        let second = try CommandRun(["pick", place.input.path, "--no-open", "--catalog", "none", "--port", "\(port)"])
        #expect(second.status == 3 && second.errors.contains("port \(port) cannot be listened on"))
        picker.process.terminate()
        picker.process.waitUntilExit()
        #expect(picker.process.terminationStatus == 130 && picker.output().isEmpty)
    }

    @Test("The executable is all there is: moved elsewhere, it has its page with it")
    func moved() throws {
        let place = try Workplace()
        let copy = place.url.appendingPathComponent("moved")
        let original = try #require(CommandRun.process([]).executableURL)
        // By a process of its own: a file that another test's child inherits open for writing cannot be run.
        let copying = Process()
        copying.executableURL = URL(fileURLWithPath: "/bin/cp")
        copying.arguments = [original.path, copy.path]
        try copying.run()
        copying.waitUntilExit()
        let picker = try OpenPicker(place, executable: copy)
        defer { picker.process.terminate() }
        let page = try #require(URL(string: picker.address))
        #expect(Self.answer(of: page).contains("<main id=\"stage\">"))
    }

    /// What comes of an address on this machine. Foundation would ask the proxies that the environment names.
    private static func answer(of url: URL) -> String {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(url.port ?? 0).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let request = Array(
            "GET \(url.path)?\(url.query ?? "") HTTP/1.0\r\nHost: 127.0.0.1:\(url.port ?? 0)\r\n\r\n".utf8)
        let isSent = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    && send(file, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
            }
        }
        return isSent
            ? String(decoding: FileHandle(fileDescriptor: file).readDataToEndOfFile(), as: UTF8.self) : ""
    }

    @Test(
        "Where there is a screen, the browser is given a page that only its owner can read, and no secret in its arguments",
        arguments: [true, false])
    func opening(hasHome: Bool) throws {
        let place = try Workplace()
        let home = place.url.appendingPathComponent("home")
        if hasHome { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false) }
        let tool = place.url.appendingPathComponent("xdg-open")
        let script =
            "#!/bin/sh\nstat -c %a \"$1\" > \"$XDG_RUNTIME_DIR/mode\"\necho \"$@\" > \"$XDG_RUNTIME_DIR/arguments\"\n"
            // By the shell itself: while it waits for another program, it blocks signals of its own accord.
            + "while read -r line; do case $line in SigBlk*|SigIgn*) echo \"$line\";; esac; done"
            + " < /proc/$$/status > \"$XDG_RUNTIME_DIR/ignored\"\n"
            + "ps -o sid= $$ > \"$XDG_RUNTIME_DIR/session\"\n"
            + "cp \"$1\" \"$XDG_RUNTIME_DIR/copying\" && mv \"$XDG_RUNTIME_DIR/copying\" \"$XDG_RUNTIME_DIR/copy\"\n"
        try script.write(to: tool, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
        var environment = CommandRun.process([]).environment ?? [:]
        environment["DISPLAY"] = ":9"
        environment["HOME"] = home.path
        environment["XDG_RUNTIME_DIR"] = place.url.path
        environment["PATH"] = place.url.path + ":" + (environment["PATH"] ?? "")
        let picker = try OpenPicker(place, environment: environment)
        let copy = place.url.appendingPathComponent("copy")
        for _ in 0..<6000 where !FileManager.default.fileExists(atPath: copy.path) { usleep(20_000) }
        func text(_ name: String) throws -> String {
            try String(contentsOf: place.url.appendingPathComponent(name), encoding: .utf8)
        }
        #expect(try text("copy").contains("url=\(picker.address)\""))
        #expect(try text("mode") == "600\n")
        // It neither ignores what this command does, nor belongs to its terminal.
        let masks = try text("ignored").split(whereSeparator: \.isWhitespace).compactMap { UInt64($0, radix: 16) }
        #expect(masks.count == 2)
        for (mask, number) in masks.flatMap({ mask in [SIGINT, SIGTERM, SIGPIPE].map { (mask, $0) } }) {
            #expect(mask & 1 << UInt64(number - 1) == 0, "\(number)")
        }
        #expect(try pid_t(text("session").trimmingCharacters(in: .whitespacesAndNewlines)) != getsid(0))
        let page = try text("arguments").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(!page.contains("token") && FileManager.default.fileExists(atPath: page))
        // Of the home folder, a browser that is confined reads what is not hidden; what lies elsewhere it does not read.
        let file = URL(fileURLWithPath: page)
        #expect(file.deletingLastPathComponent().path == (hasHome ? home : place.url).path)
        #expect(file.lastPathComponent.hasPrefix("cameo-") && file.pathExtension == "html")
        // A number that comes again would find the page of one that was killed.
        #expect(file.lastPathComponent != "cameo-\(picker.process.processIdentifier).html")
        picker.process.terminate()
        picker.process.waitUntilExit()
        #expect(!FileManager.default.fileExists(atPath: page))
    }

    @Test("Help names every option of pick and serve")
    func help() throws {
        for (name, options) in [
            ("pick", PickCommand.table.options.map(\.name)), ("serve", ServeCommand.table.options.map(\.name)),
        ] {
            let run = try CommandRun([name, "--help"])
            #expect(run.status == 0 && options.allSatisfy { run.text.contains("--\($0)") })
            // A star says what a manifest's lines may say, and there is none here; and all of it fits a terminal.
            #expect(!run.text.contains(" *"))
            #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 86 }, "\(run.text)")
        }
        #expect(Set(PickCommand.table.options.map(\.name)).count == PickCommand.table.options.count)
    }
}

/// `cameo pick`, waiting for somebody to open its page.
private struct OpenPicker {
    let process: Process
    let address: String
    private let pipe = Pipe()

    init(_ place: Workplace, executable: URL? = nil, environment: [String: String]? = nil) throws {
        let errors = Pipe()
        let opening = environment == nil ? ["--no-open"] : []
        process = CommandRun.process(["pick", place.input.path, "--catalog", "none"] + opening)
        if let environment { process.environment = environment }
        if let executable { process.executableURL = executable }
        process.standardOutput = pipe
        process.standardError = errors
        try process.run()
        var line = Data()
        while !line.contains(10) {
            let more = errors.fileHandleForReading.availableData
            if more.isEmpty { break }
            line += more
        }
        let first = String(decoding: line, as: UTF8.self).split(separator: "\n").first
        address = try #require(first?.split(separator: " ").last.map(String.init))
    }

    func output() -> Data { pipe.fileHandleForReading.readDataToEndOfFile() }
}
