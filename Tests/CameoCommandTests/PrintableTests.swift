import Foundation
import Testing

@testable import Cameo
@testable import CameoCommand

struct PrintableTests {
    @Test(
        "What would act on a terminal is written out, and all else is as it was",
        arguments: [
            ("plain name.jpg", "plain name.jpg"), ("Über 😀👩‍👧 ~.jpg", "Über 😀👩‍👧 ~.jpg"),
            ("a\u{1B}[31mb", "a\\u001b[31mb"), ("a\rb\nc\td\u{7}", "a\\rb\\nc\\td\\u0007"), ("\u{7F}", "\\u007f"),
            ("\u{9B}2J", "\\u009b2J"), ("gpj.\u{202E}exe\u{2066}", "gpj.\\u202eexe\\u2066"),
            ("a\u{2028}b\u{2029}", "a\\u2028b\\u2029"),
        ])
    func escaped(text: String, shown: String) { #expect(Printable.escaped(text) == shown) }

    @Test("Bytes that are no UTF-8 are written out one by one, whatever stands around them")
    func bytes() {
        #expect(Printable.escaped([0x61, 0xFF, 0xC3, 0xA4, 0xE2, 0x82]) == Array("a\\xffä\\xe2\\x82".utf8))
        #expect(Printable.escaped([0x9B, 0x31, 0xC0, 0x9B]) == Array("\\x9b1\\xc0\\x9b".utf8))
    }

    @Test("A shell reads what is shown as the name again")
    func shell() throws {
        let name = "a\u{1B}]0;x\u{7}\r\u{7F}b\u{9B}\u{202E}ü\n"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "printf %s $'\(Printable.escaped(name))'"]
        process.environment = ["LC_ALL": "C.UTF-8"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        #expect(output.fileHandleForReading.readDataToEndOfFile() == Data(name.utf8))
    }
}

/// Pictures with names that would act on a terminal.
struct TerminalTests {
    private static let name = "a\u{1B}[31m\r\nb\u{7}\u{9B}.jpg"
    private static let shown = "a\\u001b[31m\\r\\nb\\u0007\\u009b"

    /// Whether nothing of it does anything to a terminal but the line ends that the terminal itself made, and what
    /// takes the progress line away.
    private static func isHarmless(_ text: String) -> Bool {
        text.replacingOccurrences(of: "\r\n", with: "").replacingOccurrences(of: "\r\u{1B}[K", with: "")
            .unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    @Test(
        "No subcommand lets a name act on the terminal",
        arguments: [
            ["thumbnails", "in", "-o", "out"], ["thumbnails", "in", "-o", "out", "--json"],
            ["avatar", "in", "-o", "out"], ["avatar", "--initials", "a\u{1B}[31m\r\nb\u{7}\u{9B}", "-o", "out"],
            ["list", "in", "--catalog", "none"], ["list", "in", "--catalog", "none", "--json"],
            ["list", "in", "--catalog", "none", "--moments"], ["list", "in", "--catalog", "none", "--albums"],
            ["inspect", "in"], ["inspect", "in", "--json"], ["manifest", "in"],
            ["sheet", "in", "-o", "a\u{1B}[31m\r\nb\u{7}\u{9B}.png"],
            ["cache", "stats", "--folder", "a\u{1B}[31m\r\nb\u{7}\u{9B}"],
        ])
    func shown(arguments: [String]) throws {
        let place = try Workplace()
        try place.add(Self.name)
        try place.add(Self.name.replacingOccurrences(of: ".jpg", with: "/b.jpg"))
        let run = try TerminalRun(arguments, folder: place.url)
        #expect(run.status == 0 && Self.isHarmless(run.shown), "\(run.shown.debugDescription)")
        #expect(run.shown.contains(Self.shown), "\(run.shown.debugDescription)")
    }

    @Test("Into a pipe, results are the bytes of the names, but messages are printable all the same")
    func piped() throws {
        let place = try Workplace()
        try place.add(Self.name)
        try place.add("bad" + Self.name, Data("no picture".utf8))
        let run = try CommandRun(["thumbnails", "in", "-o", "out"], folder: place.url)
        #expect(run.status == 1 && run.output == Data("out/\(Self.name)\n".utf8))
        #expect(Self.isHarmless(run.errors.replacingOccurrences(of: "\n", with: "")))
        #expect(run.errors.contains("in/bad\(Self.shown).jpg: not an image"))
        #expect(run.errors.split(separator: "\n").count == 2)
        for arguments in [["a\u{1B}[31m"], ["list", "--a\u{1B}[31m"], ["list", "no\u{1B}[31m"]] {
            let wrong = try CommandRun(arguments, folder: place.url)
            #expect(wrong.status != 0 && wrong.errors.contains("\\u001b[31m") && !wrong.errors.contains("\u{1B}"))
        }
    }

    @Test("On a terminal JSON is JSON of the same name still")
    func json() throws {
        let place = try Workplace()
        try place.add(Self.name)
        let run = try TerminalRun(["inspect", "in", "--json", "--no-faces"], folder: place.url, errorsToo: false)
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(run.shown.utf8)) as? [String: Any], "\(run.shown.debugDescription)")
        #expect(object["input"] as? String == "in/" + Self.name)
    }
}
