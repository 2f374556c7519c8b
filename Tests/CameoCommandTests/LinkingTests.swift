import Foundation
import Testing

/// What the executables need at run time, as `readelf` tells.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/readelf"), "readelf is not installed"),
    .disabled(
        if: ProcessInfo.processInfo.environment["CAMEO_SANITIZER"] != nil, "a sanitizer brings libraries of its own"))
struct LinkingTests {
    private static func lines(of executable: String, _ options: String...) throws -> [Substring] {
        let readelf = Process()
        readelf.executableURL = URL(fileURLWithPath: "/usr/bin/readelf")
        // They are built beside each other.
        let command = try #require(CommandRun.process([]).executableURL)
        readelf.arguments = options + [command.deletingLastPathComponent().appendingPathComponent(executable).path]
        let output = Pipe()
        readelf.standardOutput = output
        try readelf.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        readelf.waitUntilExit()
        try #require(readelf.terminationStatus == 0)
        return text.split(separator: "\n")
    }

    /// The libraries that an executable itself asks for, and not those that these ask for in their turn.
    private static func needed(by executable: String) throws -> [String] {
        let names = try lines(of: executable, "--dynamic", "--wide").filter { $0.contains("(NEEDED)") }
            .compactMap { $0.split(separator: "[").last.map { String($0.dropLast()) } }
        try #require(names.contains { $0.hasPrefix("libvips.so") })
        return names
    }

    @Test("A program that uses the library without FaceDetection asks for no C++ library, and holds nothing of dlib")
    func withoutFaces() throws {
        let names = try Self.needed(by: "StartFromView")
        #expect(!names.contains { $0.contains("c++") }, "\(names)")
        let symbols = try Self.lines(of: "StartFromView", "--symbols", "--wide")
        #expect(symbols.count > 100)
        // What C++ calls of its library, and dlib's namespace, as the compiler writes them.
        #expect(!symbols.contains { $0.contains("4dlib") || ($0.contains("UND") && $0.contains(" _Z")) })
    }

    @Test("dlib is in the command, and adds no library of its own or of linear algebra at run time")
    func withFaces() throws {
        #expect(try Self.lines(of: "cameo", "--symbols", "--wide").contains { $0.contains("4dlib") })
        let names = try Self.needed(by: "cameo")
        let added = ["dlib", "lapack", "blas", "X11"]
        #expect(!names.contains { name in added.contains { name.contains($0) } }, "\(names)")
    }
}
