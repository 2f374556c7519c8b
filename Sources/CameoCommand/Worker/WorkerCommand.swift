import Cameo
import Glibc
import Transfer

/// `cameo worker`: lines of JSON in, lines of JSON out, for engines that spread work over threads and machines.
enum WorkerCommand {
    static let thumbnails = table(of: ThumbnailsCommand.table, "thumbnails")
    static let avatar = table(of: AvatarCommand.table, "avatar")

    /// The options of a worker that does what the command of `base` does.
    private static func table(of base: CommandTable<BatchSettings>, _ kind: String) -> CommandTable<BatchSettings> {
        let own = Set((WorkerOptions.files + WorkerOptions.work).map(\.name))
        // What shows to people, or names one picture, makes no sense in a filter.
        let left = own.union(["manifest", "json", "initials", "progress"])
        let picture = base.groups[1]
        return CommandTable(
            command: kind == "thumbnails" ? "worker [thumbnails|avatar]" : "worker \(kind)", operands: "-o DIR|URL",
            summary: "Answers each line of JSON on standard input with one on standard output, in their order.",
            groups: [
                ("Output", WorkerOptions.files),
                (picture.title, picture.options.filter { !left.contains($0.name) }),
                ("The work", WorkerOptions.work + BatchOptions.work.filter { !left.contains($0.name) }),
            ],
            notes: [
                "'cameo worker' makes thumbnails, 'cameo worker avatar' profile pictures, with the options of 'cameo avatar'.",
                "Inputs are paths, http(s):// or s3:// addresses. Of a progressive JPEG, no more is read than its first scan",
                "and its end where outputs are small enough for that to do; of damage in the other scans nothing is seen",
                "then, so --strict reads everything.",
            ] + TransferOptions.credentialNotes + [
                "A line is {\"id\":ANY,\"input\":PATH,\"output\":NAME,\"stamp\":TEXT,…}; all but \"input\" may be absent. Its",
                "answer is what 'cameo \(kind) --json' prints, and says of a failure at which stage it happened and",
                "whether it is retryable. A worker ends when its input ends, when nobody reads its answers, and with",
                "the process that started it.",
                "Exit status: 0 every line has its answer, failures included; 2 wrong usage; 3 this machine is at fault",
                "(disk full, output not writable); 75 SIGTERM ended it, or nobody was left to answer. Lines without an",
                "answer are for another worker; after a crash, the first of them caused it where one thread rendered.",
            ])
    }

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        let kind = arguments.dropFirst().first?.description
        let isNamed = kind == "thumbnails" || kind == "avatar"
        let table = kind == "avatar" ? avatar : thumbnails
        var settings = kind == "avatar" ? BatchSettings.avatar : BatchSettings()
        // The engine decides how many pictures are made at once.
        settings.workers = 1
        let rest = isNamed ? [arguments[0]] + arguments.dropFirst(2) : arguments
        let console = Console()
        guard let paths = try table.read(rest, into: &settings, helpIf: \.showsHelp) else { return .done }
        if let path = paths.first {
            throw UsageError(message: "'\(path)': a worker reads its inputs from standard input")
        }
        try settings.check()
        guard let output = settings.output else { throw UsageError(message: "where to? -o DIR is missing") }
        let client = TransferClient(settings.worker.transfer)
        let place: OutputPlace
        do throws(WorkerError) {
            place = try OutputPlace(output, client: client)
            try place.prepare()
        } catch {
            guard case .machine(let reason) = error else {
                throw UsageError(message: "-o \(RemoteAddress.shown(output.description)): no address that can be used")
            }
            console.message(reason)
            return .environment
        }
        let status = WorkerRun(settings, table: table, place: place, client: client, console: console).run()
        // Threads that were given up may still be inside a decoder: they are not waited for.
        _exit(StandardOutput.end(status).rawValue)
    }
}
