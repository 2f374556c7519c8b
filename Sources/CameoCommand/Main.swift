import CGlibc
import Cameo
import FaceDetection
import Glibc

/// The command: one subcommand a file.
@main
enum Main {
    private struct Subcommand {
        let name: String
        let summary: String
        let run: @Sendable ([FilePath]) throws(UsageError) -> ExitStatus
    }

    private static let subcommands: [Subcommand] = [
        Subcommand(name: "thumbnails", summary: "thumbnails of pictures and folders", run: ThumbnailsCommand.run),
        Subcommand(
            name: "avatar", summary: "profile pictures, round or square, and placeholders", run: AvatarCommand.run),
        Subcommand(name: "sheet", summary: "a contact sheet", run: SheetCommand.run),
        Subcommand(name: "inspect", summary: "what the renderer sees in a picture", run: InspectCommand.run),
        Subcommand(name: "list", summary: "what can be picked: assets, albums, moments", run: ListCommand.run),
        Subcommand(name: "pick", summary: "a picker in the browser; prints what was picked", run: PickCommand.run),
        Subcommand(name: "serve", summary: "the same for looking only, until Ctrl-C", run: ServeCommand.run),
        Subcommand(
            name: "manifest", summary: "lists of pictures, for --manifest and for workers", run: ManifestCommand.run),
        Subcommand(
            name: "worker", summary: "lines in, lines out, for engines that spread work", run: WorkerCommand.run),
        Subcommand(name: "cache", summary: "the thumbnails that are kept for later", run: CacheCommand.run),
    ]

    static func main() {
        _ = WorkerWatch.parent
        IsolatedWorker.runIfAsked(faces: FrontalFaceDetector())
        StandardOutput.keepPlaces()
        // A result that nobody reads is noticed where it is written.
        signal(SIGPIPE, SIG_IGN)
        // Each arena keeps freed image buffers to itself; two are enough for decoders that allocate rarely.
        cglibc_limit_arenas(2)
        let arguments = (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { OptionValue($0).path }
        }
        exit(StandardOutput.end(run(arguments)).rawValue)
    }

    private static func run(_ arguments: [FilePath]) -> ExitStatus {
        guard arguments.count > 1 else {
            Console().note(help)
            return .usage
        }
        let word = arguments[1].description
        switch word {
        case "--help", "-h", "help":
            Console().text(help)
            return .done
        case "--version":
            Console().text("cameo \(Cameo.version) (libvips \(Cameo.libvipsVersion))")
            return .done
        default: break
        }
        guard let subcommand = subcommands.first(where: { $0.name == word }) else {
            let what = word.hasPrefix("-") ? "option" : "subcommand"
            Console().message(
                "unknown \(what) \(word)" + Spelling.suggestion(for: word, among: subcommands.map(\.name)))
            Console().note("Try 'cameo --help'.")
            return .usage
        }
        do throws(UsageError) {
            let rest = Array(arguments.dropFirst())
            if rest.dropFirst().prefix(while: { $0.description != "--" }).contains(where: {
                $0.description == "--version"
            }) {
                return run([arguments[0], "--version"])
            }
            return try subcommand.run(rest)
        } catch {
            Console().message(error.message)
            Console().note("Try 'cameo \(word) --help'.")
            return .usage
        }
    }

    private static var help: String {
        var lines = ["Usage: cameo SUBCOMMAND …", "", "Photos in, thumbnails and profile pictures out.", ""]
        for subcommand in subcommands {
            lines.append(
                "  \(subcommand.name)" + String(repeating: " ", count: 14 - subcommand.name.count) + subcommand.summary)
        }
        lines += [
            "", "'cameo SUBCOMMAND --help' shows the options of one; 'cameo --version' the version.",
            "Exit status: 0 all done, 1 some inputs failed or a picker was cancelled, 2 wrong usage, 3 the machine is at",
            "fault (an output or standard output not writable, disk full), 130 interrupted.",
        ]
        return lines.joined(separator: "\n")
    }
}
