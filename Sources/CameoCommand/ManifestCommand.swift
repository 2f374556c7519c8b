import Cameo
import Glibc
import Transfer

/// `cameo manifest`: a line for every picture, for `--manifest` and for workers.
enum ManifestCommand {
    /// Which part of all lines is printed.
    struct Shard {
        /// From 1.
        let number: Int
        let count: Int

        /// Whether the input at `path`, which is `absolute`, is in this part. It depends on that alone, so that machines
        /// may list the same folders from wherever, and a new neighbour moves nothing to another part.
        func contains(_ path: FilePath) -> Bool {
            let digest = Digest.sha256(path.bytes).prefix(15)
            return (Int(digest, radix: 16) ?? 0) % count == number - 1
        }
    }

    struct Settings {
        var shard = Shard(number: 1, count: 1)
        var showsHelp = false
    }

    private struct Line: Encodable {
        let id: String
        let input: String
        let inputBytes: String?
        let output: String?
        let stamp: String?
    }

    static let table = CommandTable<Settings>(
        command: "manifest", operands: "PATH...",
        summary: "Prints a line of JSON for every picture named and every picture in the folders named.",
        groups: [
            (
                "Options",
                [
                    CommandOption(
                        "shard", value: "I/N", "Print the I-th of N parts alone: every picture is in one of them."
                    ) { settings, value throws(UsageError) in
                        settings.shard = try shard(value)
                    },
                    CommandOption("help", letter: "h", "Show this text.") { settings, _ in settings.showsHelp = true },
                ]
            )
        ],
        notes: [
            "A line is {\"id\":TEXT,\"input\":PATH,\"output\":NAME,\"stamp\":TEXT}: the input's absolute path, without . and ..,",
            "which is its id and decides on its shard, the name of its output below -o as 'cameo thumbnails' would have it,",
            "and what tells its content as it is now, so that 'cameo worker --name content' need not open what is done.",
            "With --shard, every machine has to be given the same PATHs, in any order, and to see the same pictures at the",
            "same absolute paths: which names are free depends on all of them. 'cameo worker --name content' needs no names.",
        ])

    private static func shard(_ value: OptionValue) throws(UsageError) -> Shard {
        let parts = value.text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], count > 0, (1...count).contains(number)
        else { throw UsageError(message: "'\(value.text)' is not I/N, with I from 1 to N") }
        return Shard(number: number, count: count)
    }

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        var settings = Settings()
        let console = Console()
        guard let paths = try table.read(arguments, into: &settings, helpIf: \.showsHelp) else { return .done }
        if paths.isEmpty { throw UsageError(message: "nothing to do: name pictures or folders") }
        try RemoteAddress.refuse(paths)
        var status = ExitStatus.done
        // What lies under two of the paths has one line: the id is the input's alone. One path leads nowhere twice.
        var seen: Set<FilePath>? = paths.count > 1 ? [] : nil
        let here = FilePath(".").real ?? FilePath("")
        // Who comes first has its name to itself: machines that are given the paths in another order agree all the same.
        let naming = OutputNaming(template: .standard, outputs: BatchSettings().outputs)
        InputWalker(
            naming: naming, outputFolder: nil,
            unreadable: { path, reason in
                console.message("\(path): cannot be read: \(reason)")
                status = .someFailed
                return true
            },
            emit: { input in
                let path = input.path.absolute(in: here)
                guard settings.shard.contains(path),
                    input.isNamed || ImageFormat.isNamedLikePicture(input.path)
                        || OpenedImage.looksLikePicture(input.path)
                else { return true }
                guard seen?.insert(path).inserted != false else { return true }
                return console.result(line(input, at: path))
            }
        ).walk(settings.shard.count > 1 ? paths.sorted { $0.absolute(in: here) < $1.absolute(in: here) } : paths)
        return status
    }

    private static func line(_ input: BatchInput, at path: FilePath) -> [UInt8] {
        // What is no UTF-8 may look like its neighbour, and has no name that a line could tell.
        let id = path.lossyBytes.map { "\(path)?\($0)" } ?? path.description
        let output = input.stems.first.flatMap { $0.isUTF8 ? $0.description : nil }
        return JSONLine.encode(
            Line(
                id: id, input: path.description, inputBytes: path.lossyBytes, output: output,
                stamp: SourceStamp.of(input.path, options: RenderOptions())))
    }
}

extension FilePath {
    /// The path from the root of the file system on, one spelling for all that lead through the same names: without `.`,
    /// empty components and `..`. Links stay what they are called, unless `..` leads back through them.
    fileprivate func absolute(in here: FilePath) -> FilePath {
        var start = FilePath("/")
        var names = (isAbsolute ? self : here.appending(self)).components.filter { $0 != "." }
        if let back = names.lastIndex(of: "..") {
            let folder = start.appending(names[...back])
            // What is not there leads nowhere, and is left as it is.
            guard let real = folder.real else { return folder.appending(names[(back + 1)...]) }
            start = real
            names.removeSubrange(...back)
        }
        return start.appending(names[...])
    }

    private func appending(_ names: ArraySlice<FilePath>) -> FilePath { names.reduce(self) { $0.appending($1) } }
}
