import CGlibc
import Cameo
import Glibc
import Synchronization

/// Guards the globals in which `getopt_long` keeps its place, while a list of arguments is read.
private let reading = Mutex(())

/// A subcommand's options under their headings, over glibc's `getopt_long`.
struct CommandTable<Settings>: Sendable {
    let command: String
    let operands: String
    let summary: String
    let groups: [(title: String, options: [CommandOption<Settings>])]
    /// Lines below the options.
    var notes: [String] = []

    var options: [CommandOption<Settings>] { groups.flatMap(\.options) }

    /// Reads `arguments` and returns what is left besides options; nil where they ask for the help, which is then shown.
    func read(
        _ arguments: [FilePath], into settings: inout Settings, helpIf wantsHelp: KeyPath<Settings, Bool>
    ) throws(UsageError) -> [FilePath]? {
        let operands = try parse(arguments, into: &settings)
        guard settings[keyPath: wantsHelp] else { return operands }
        Console().text(String(help.dropLast()))
        return nil
    }

    /// Reads `arguments`, the first of which is the command's name; returns what is left besides options.
    func parse(_ arguments: [FilePath], into settings: inout Settings) throws(UsageError) -> [FilePath] {
        try reading.withLock { _ throws(UsageError) in try scan(arguments, into: &settings) }
    }

    private func scan(_ arguments: [FilePath], into settings: inout Settings) throws(UsageError) -> [FilePath] {
        let options = options
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { $0.withCString { strdup($0) } } + [nil]
        let names = options.map { strdup($0.name) }
        // getopt_long permutes argv, so what was allocated is remembered apart.
        let allocated = argv.compactMap(\.self) + names.compactMap(\.self)
        defer { allocated.forEach { free($0) } }
        var long = zip(options, names).enumerated().map { index, pair in
            option(name: pair.1, has_arg: pair.0.value == nil ? 0 : 1, flag: nil, val: 1000 + Int32(index))
        }
        long.append(option())
        let short =
            ":"
            + options.compactMap { option in option.letter.map { "\($0)\(option.value == nil ? "" : ":")" } }.joined()
        cglibc_getopt_restart()
        let count = Int32(arguments.count)
        while true {
            let found = getopt_long(count, &argv, short, long, nil)
            if found == -1 { break }
            let chosen: CommandOption<Settings>
            if found >= 1000 {
                chosen = options[Int(found) - 1000]
            } else if found == 58 || found == 63 {
                throw mistake(isMissingValue: found == 58, argument: argv[max(1, Int(cglibc_getopt_index()) - 1)])
            } else if let letter = Unicode.Scalar(UInt32(found)),
                let option = options.first(where: { $0.letter == Character(letter) })
            {
                chosen = option
            } else {
                throw UsageError(message: "unknown option")
            }
            try apply(chosen, cglibc_getopt_value().map { OptionValue($0) } ?? OptionValue(""), to: &settings)
        }
        return argv[Int(cglibc_getopt_index())..<arguments.count].compactMap { $0.map { OptionValue($0).path } }
    }

    /// Applies one option, and says in its error which one it was.
    func apply(_ option: CommandOption<Settings>, _ value: OptionValue, to settings: inout Settings) throws(UsageError)
    {
        do throws(UsageError) {
            try option.apply(&settings, value)
        } catch {
            throw UsageError(message: "--\(option.name): \(error.message)")
        }
    }

    private func mistake(isMissingValue: Bool, argument: UnsafeMutablePointer<CChar>?) -> UsageError {
        let written = argument.map { String(cString: $0) } ?? ""
        let unknown = cglibc_getopt_unknown()
        if unknown >= 1000, options.indices.contains(Int(unknown) - 1000) {
            let option = options[Int(unknown) - 1000]
            return UsageError(
                message: isMissingValue
                    ? "--\(option.name) needs a value: \(option.value ?? "")" : "--\(option.name) takes no value")
        }
        if unknown != 0 {
            let letter = Unicode.Scalar(UInt8(truncatingIfNeeded: unknown))
            return UsageError(message: isMissingValue ? "-\(letter) needs a value" : "unknown option -\(letter)")
        }
        let name = String(written.drop { $0 == "-" }.prefix { $0 != "=" })
        let candidates = options.map(\.name).filter { $0.hasPrefix(name) }
        if candidates.count > 1 {
            return UsageError(message: "--\(name) could be \(candidates.map { "--\($0)" }.joined(separator: " or "))")
        }
        return UsageError(
            message: "unknown option --\(name)"
                + Spelling.suggestion(for: name, among: options.map(\.name), prefix: "--"))
    }

    /// What `--help` prints.
    var help: String {
        var lines = ["Usage: cameo \(command) \(operands)", ""] + Self.wrapped(summary, width: 86)
        for (title, options) in groups {
            lines += ["", "\(title):"]
            for option in options {
                let written =
                    (option.letter.map { "-\($0), " } ?? "    ") + "--\(option.name)"
                    + (option.value.map { " \($0)" } ?? "") + (option.isOverride ? " *" : "")
                let help = Self.wrapped(option.help, width: 58)
                if written.count > 25 {
                    lines.append("  \(written)")
                    lines += help.map { String(repeating: " ", count: 28) + $0 }
                } else {
                    lines.append("  " + written + String(repeating: " ", count: 26 - written.count) + help[0])
                    lines += help.dropFirst().map { String(repeating: " ", count: 28) + $0 }
                }
            }
        }
        if !notes.isEmpty { lines += [""] + notes }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + word.count + 1 > width, !lines[lines.count - 1].isEmpty {
                lines.append("")
            }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines
    }
}
