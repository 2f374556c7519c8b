import Foundation

@testable import Cameo
@testable import CameoCommand

/// The built command, run as a user runs it.
struct CommandRun {
    let status: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
    var results: [ResultLine] { output.split(separator: 10).compactMap { JSONLine.decode(ResultLine.self, Array($0)) } }

    init(
        _ arguments: [String], input: String? = nil, folder: URL? = nil, environment: [String: String] = [:]
    ) throws {
        let process = Self.process(arguments, folder: folder)
        process.environment?.merge(environment) { $1 }
        let (out, err, feed) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.standardInput = feed
        try process.run()
        // All pipes move at once, or a full one would stop the command.
        nonisolated(unsafe) var (output, errors) = (Data(), Data())
        let (results, messages) = (DispatchQueue(label: "results"), DispatchQueue(label: "messages"))
        results.async { output = out.fileHandleForReading.readDataToEndOfFile() }
        messages.async { errors = err.fileHandleForReading.readDataToEndOfFile() }
        feed.give(Data((input ?? "").utf8))
        try feed.fileHandleForWriting.close()
        self.output = results.sync { output }
        self.errors = messages.sync { String(decoding: errors, as: UTF8.self) }
        process.waitUntilExit()
        status = process.terminationStatus
    }

    static func process(_ arguments: [String], folder: URL? = nil) -> Process {
        let process = Process()
        // In a package's tests the executable lies beside the bundle that holds them.
        process.executableURL = executable
        process.arguments = arguments
        // What tests look at is no part of anybody's cache.
        let cache = FileManager.default.temporaryDirectory.appendingPathComponent("cameo-test-cache").path
        process.environment = quiet(ProcessInfo.processInfo.environment).merging(["XDG_CACHE_HOME": cache]) { $1 }
        process.currentDirectoryURL = folder
        return process
    }

    /// What is set, without what would have a word in what is tested: keys, proxies, and how options are read.
    static func quiet(_ environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in
            !name.hasPrefix("AWS_") && !name.lowercased().hasSuffix("_proxy") && name != "POSIXLY_CORRECT"
        }
    }

    /// The workers of a process and what they are copied from, and those of them that have ended and are not collected.
    static func workers(of process: Int32) -> (processes: [Int32], zombies: Set<Int32>) {
        var (found, zombies) = ([Int32](), Set<Int32>())
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let number = Int32(name),
                let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 1,
                Int32(fields[1]) == process
            else { continue }
            found.append(number)
            if fields[0] == "Z" { zombies.insert(number) }
        }
        return (found, zombies)
    }

    static let executable: URL = {
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let folder = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        return folder.appendingPathComponent("cameo")
    }()
}

extension Pipe {
    /// Writes to a child, which may have ended without reading: that is no fault, and its signal is kept from this
    /// process. Ignoring the signal would do the same and be inherited by children.
    func give(_ data: Data) {
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        try? fileHandleForWriting.write(contentsOf: data)
        var soon = timespec()
        sigtimedwait(&signals, nil, &soon)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

/// A folder that is gone when the test is, with pictures in it.
final class Workplace {
    let url: URL
    let output: URL
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("cameo-\(UUID().uuidString)")
        output = url.appendingPathComponent("out")
        try FileManager.default.createDirectory(at: url.appendingPathComponent("in"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var input: URL { url.appendingPathComponent("in") }

    static func picture(_ side: Int, _ format: Encoding.Format = .jpeg, shade: UInt8 = 90) throws -> Data {
        let size = PixelSize(width: side, height: side * 3 / 4)
        // Large ones are grey: filling them with a colour takes long in a debug build.
        let grey = [UInt8](repeating: shade, count: side > 200 ? size.area * 3 : 0)
        let pixels =
            grey.isEmpty
            ? PixelBuffer(size: size, filledWith: RGBColor(shade, 140, 60))
            : PixelBuffer(size: size, channels: 3, bytes: grey)
        return Data(try pixels.encoded(Encoding(format)).bytes)
    }

    @discardableResult
    func add(_ name: String, _ data: Data? = nil) throws -> URL {
        let target = input.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        let format: Encoding.Format = name.hasSuffix("png") ? .png : name.hasSuffix("webp") ? .webp : .jpeg
        try (data ?? Self.picture(80, format)).write(to: target)
        return target
    }

    /// The files in the output folder, relative to it, without what the command keeps for itself.
    var outputs: [String] {
        let names = FileManager.default.subpaths(atPath: output.path) ?? []
        return names.filter { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: output.appendingPathComponent(name).path, isDirectory: &isFolder)
            return !isFolder.boolValue && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }.sorted()
    }

    func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun([arguments[0], input.path, "-o", output.path, "--json"] + arguments.dropFirst())
    }
}
