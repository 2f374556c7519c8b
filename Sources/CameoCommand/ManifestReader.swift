import Cameo
import FoundationEssentials
import Glibc

/// Reads a manifest line by line: one JSON object a line, with an input, perhaps an output, and overrides.
struct ManifestReader {
    /// What one line asks for.
    struct Line {
        let number: Int
        /// What the caller calls it, as JSON, to be echoed.
        let id: [UInt8]?
        let input: FilePath
        let output: FilePath?
        /// What the caller tells one content of the input from another by.
        let stamp: String?
        let settings: BatchSettings
    }

    /// Why a line asks for nothing.
    struct BadLine: Error {
        let number: Int
        let id: [UInt8]?
        var input: FilePath
        let reason: String
    }

    /// A value that an option can be given.
    private enum Value: Decodable {
        case text(String), flag(Bool), list([Int])
        /// Nothing that an option takes.
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Int.self) {
                self = .text(String(number))
            } else if let number = try? container.decode(Double.self) {
                self = .text(String(number))
            } else if let list = try? container.decode([Int].self) {
                self = .list(list)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .other
            }
        }

        /// How the value is written on a command line.
        var text: String? {
            switch self {
            case .text(let text): text
            case .flag(let flag): String(flag)
            case .list(let list): list.map(String.init).joined(separator: ",")
            case .other: nil
            }
        }
    }

    let settings: BatchSettings
    let table: CommandTable<BatchSettings>

    /// Throws what keeps `path` from being read that can be seen before anything is done.
    static func check(_ path: FilePath) throws(UsageError) {
        if isStandardInput(path) { return }
        var status = stat()
        if path.withCString({ access($0, R_OK) }) != 0 { throw UsageError(message: unreadable(path, errno)) }
        if path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw UsageError(message: unreadable(path, EISDIR))
        }
    }

    /// Calls `body` for each line of `path`, or of standard input for `-`, until it returns false or `isStopped` does
    /// not.
    ///
    /// - Returns: What kept it from being read to its end; nil where nothing did.
    func read(_ path: FilePath, isStopped: () -> Bool, _ body: (Result<Line, BadLine>) -> Bool) -> String? {
        let isStandardInput = Self.isStandardInput(path)
        let file = isStandardInput ? STDIN_FILENO : path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else { return Self.unreadable(path, errno) }
        defer { if !isStandardInput { close(file) } }
        var lines = LineReader(file)
        var number = 0
        while let line = lines.next(isStopped: isStopped) {
            number += 1
            if line.allSatisfy({ $0 == 13 || $0 == 32 || $0 == 9 }) { continue }
            if !body(parse(line, number)) { return nil }
        }
        return lines.failure.map { Self.unreadable(path, $0) }
    }

    private static func isStandardInput(_ path: FilePath) -> Bool { path == "-" }

    private static func unreadable(_ path: FilePath, _ reason: Int32) -> String {
        "\(isStandardInput(path) ? "standard input" : path): cannot be read: \(String(cString: strerror(reason)))"
    }

    func parse(_ bytes: [UInt8], _ number: Int) -> Result<Line, BadLine> {
        let id = JSONMember.value(of: "id", in: bytes)
        func bad(_ reason: String, _ input: FilePath = FilePath("")) -> Result<Line, BadLine> {
            .failure(BadLine(number: number, id: id, input: input, reason: "line \(number): \(reason)"))
        }
        guard bytes.count <= LineReader.limit else { return bad("longer than \(LineReader.limit) bytes") }
        guard let object = JSONLine.decode([String: Value].self, bytes) else { return bad("not a JSON object") }
        guard let text = object["input"]?.text else { return bad("no \"input\"") }
        let input = FilePath(text, bytes: object["inputBytes"]?.text)
        var settings = settings
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            if ["id", "input", "inputBytes", "output", "stamp"].contains(key) { continue }
            guard let option = table.options.first(where: { $0.name == key && $0.isOverride }) else {
                let names = table.options.filter(\.isOverride).map(\.name)
                return bad("unknown key \"\(key)\"" + Spelling.suggestion(for: key, among: names), input)
            }
            if option.value == nil {
                guard case .flag(let isOn) = value else { return bad("\"\(key)\" is true or false", input) }
                if !isOn { continue }
            }
            guard let text = value.text else {
                return bad("\"\(key)\" is neither text, a number nor a list of numbers", input)
            }
            do throws(UsageError) {
                try table.apply(option, OptionValue(text), to: &settings)
            } catch {
                return bad(error.message, input)
            }
        }
        do throws(UsageError) {
            try settings.check()
        } catch {
            return bad(error.message, input)
        }
        for key in ["output", "stamp"] where object[key] != nil && object[key]?.text == nil {
            return bad("\"\(key)\" is no text", input)
        }
        var output = object["output"]?.text.map { FilePath($0) }
        if let written = output {
            // One spelling for what is one file, or two lines could write it.
            let parts = written.components.filter { $0 != "." }
            if written.isAbsolute || written.bytes.isEmpty || parts.contains("..") {
                return bad("the output \"\(written)\" leaves the output folder", input)
            }
            if written.bytes.last == UInt8(ascii: "/") || written.lastComponent == "." {
                return bad("the output \"\(written)\" names a folder", input)
            }
            output = parts.reduce(FilePath("")) { $0.appending($1) }
        }
        return .success(
            Line(
                number: number, id: id, input: input, output: output, stamp: object["stamp"]?.text, settings: settings))
    }
}

extension ManifestReader.Line {
    /// Stems of the outputs, relative to the output folder, without extensions.
    ///
    /// A manifest's inputs may come from anywhere and are not known together, so an output without a name of its own
    /// is named by the whole path of its input, old extension included: no two inputs share it whose paths all begin at
    /// the root.
    var stems: [FilePath] {
        let name = output ?? folder.appending(parts.last ?? FilePath(""))
        return settings.outputs.map { FilePath(bytes: name.bytes + $0.suffix.utf8) }
    }

    /// The stems that the outputs may have, the best first. Where a template names them, two inputs may share a name: the
    /// later one keeps its whole name in it.
    var stemChoices: [[FilePath]] {
        if output != nil || settings.template == .standard { return [stems] }
        let naming = OutputNaming(template: settings.template, outputs: settings.outputs)
        return [false, true].map { isDistinct in
            naming.names(of: input, isDistinct: isDistinct).map { folder.appending($0) }
        }
    }

    /// The input's path without what leads out of the output folder.
    private var parts: [FilePath] {
        input.components.filter { $0 != "." }.map { $0 == ".." ? FilePath("_") : $0 }
    }

    private var folder: FilePath { parts.dropLast().reduce(FilePath("")) { $0.appending($1) } }
}
