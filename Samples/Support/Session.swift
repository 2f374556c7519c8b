import Cameo
import Foundation

/// What a sample is started with, and the commands that it is given: by a script, a pipe or a person.
public struct Session: Sendable {
    /// Where pictures and results are written.
    public let output: FilePath
    /// What is picked from.
    public let library: any AssetProviding
    private let isByHand: Bool

    /// Reads the command line: `--photos DIR`, `--out DIR`, `--script FILE`; ends the program if it is wrong.
    public init(usage: String) async {
        var values = ["--photos": "Samples/Photos", "--out": "."]
        var arguments = CommandLine.arguments.dropFirst()
        while let name = arguments.popFirst() {
            guard ["--photos", "--out", "--script"].contains(name), let value = arguments.popFirst() else {
                print("usage: [--photos DIR] [--out DIR] [--script FILE]\ncommands: \(usage)")
                exit(name == "--help" ? 0 : 2)
            }
            values[name] = value
        }
        if let script = values["--script"] {
            let file = open(script, O_RDONLY | O_CLOEXEC)
            guard file >= 0, dup2(file, STDIN_FILENO) >= 0 else {
                print("\(script): \(String(cString: strerror(errno)))")
                exit(3)
            }
            close(file)
        }
        isByHand = values["--script"] == nil && isatty(STDIN_FILENO) == 1
        output = FilePath(values["--out"] ?? ".")
        library = await SampleLibrary.open(FilePath(values["--photos"] ?? ""))
        if isByHand { print("commands: \(usage)") }
    }

    /// The next command and what follows it on its line; nil at the end. Empty lines and comments are passed over.
    public func next() -> (command: String, rest: String)? {
        while true {
            if isByHand { print("> ", terminator: "") }
            fflush(nil)
            guard let line = readLine() else { return nil }
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard let command = parts.first, !command.hasPrefix("#") else { continue }
            if !isByHand { print("> \(line)") }
            if command == "quit" { return nil }
            return (command, parts.count > 1 ? parts[1] : "")
        }
    }

    /// Writes a file into the output folder, and says so.
    ///
    /// - Returns: Its path.
    @discardableResult
    public func write(_ bytes: [UInt8], as name: String) throws -> FilePath {
        try WholeFile.makeFolder(output)
        let path = output.appending(name)
        try WholeFile.write(bytes, to: path)
        print("  wrote \(name), \(bytes.count) bytes")
        return path
    }

    /// Writes a value as JSON.
    public func writeJSON(_ value: some Encodable, as name: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write([UInt8](encoder.encode(value)), as: name)
    }

    /// The asset whose file is called `name`.
    public func asset(named name: String) -> Asset? {
        library.groups(of: .all).flatMap { library.assetIDs(in: $0.id) }.lazy.compactMap { library.asset(for: $0) }
            .first { $0.name == name }
    }
}

extension Asset {
    /// What its file is called.
    public var name: String { path.lastComponent.description }
}
