import Cameo

/// `cameo cache`: looks after the thumbnails that are kept for later, and the faces that were found.
enum CacheCommand {
    struct Settings {
        var folder = CacheFolder.standard
        var size: Int?
        var age: Int?
        var isJSON = false
        var showsHelp = false
    }

    private enum Action: String, CaseIterable {
        case stats, trim, verify, clear
    }

    private struct Removed: Encodable {
        var dropped: Int
        /// Searches for faces that were forgotten; nil where none were to be.
        var faces: Int?
    }

    /// The members of both in one object.
    private struct Held: Encodable {
        private enum Key: CodingKey { case faces }

        let thumbnails: ThumbnailStore.Stats
        let faces: FaceStore.Stats

        func encode(to encoder: any Encoder) throws {
            try thumbnails.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(faces, forKey: .faces)
        }
    }

    private struct Checked: Encodable {
        var whole: Int
        var dropped: Int
        var damage: [String]
    }

    static let table = CommandTable<Settings>(
        command: "cache", operands: "stats|trim|verify|clear",
        summary:
            "Looks after the thumbnails that are kept for later: shows how many there are, drops the least recently "
            + "used, checks every one, or drops them all. stats and clear are of the faces that were found, too.",
        groups: [
            (
                "Options",
                [
                    CommandOption("folder", value: "DIR", "Where they are kept. ($XDG_CACHE_HOME/cameo)") {
                        $0.folder = $1.path
                    },
                    CommandOption("size", letter: "s", value: "N[K|M|G]", "trim: to that many bytes. (2G)") {
                        settings, value throws(UsageError) in
                        settings.size = try bytes(value)
                    },
                    CommandOption("older-than", value: "DAYS", "trim: also what was made longer ago.") {
                        settings, value throws(UsageError) in
                        settings.age = try value.integer(0...36500) * 86400
                    },
                    CommandOption("json", letter: "j", "Print a JSON object.") { settings, _ in
                        settings.isJSON = true
                    },
                    CommandOption("help", letter: "h", "Show this text.") { settings, _ in settings.showsHelp = true },
                ]
            )
        ])

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        var settings = Settings()
        let console = Console()
        guard let words = try table.read(arguments, into: &settings, helpIf: \.showsHelp) else { return .done }
        guard let word = words.first?.description else {
            throw UsageError(message: "nothing to do: say stats, trim, verify or clear")
        }
        guard words.count == 1, let action = Action(rawValue: word) else {
            let unknown = words.count > 1 ? words[1].description : word
            throw UsageError(
                message: "unknown action \(unknown)"
                    + Spelling.suggestion(for: unknown, among: Action.allCases.map(\.rawValue)))
        }
        if settings.size != nil || settings.age != nil, action != .trim {
            throw UsageError(message: "--size and --older-than belong to trim")
        }
        guard let folder = settings.folder else {
            throw UsageError(message: "no folder for caches is known: say --folder DIR, or set HOME")
        }
        var options = ThumbnailStore.Options()
        options.onTrouble = { console.message("\($0)") }
        let store = ThumbnailStore(folder: folder, options: options)
        defer { store.waitUntilTold() }
        do throws(StoreError) {
            return try perform(action, store, FaceStore(folder: folder), settings, console)
        } catch {
            console.message("\(error)")
            return .environment
        }
    }

    private static func perform(
        _ action: Action, _ store: ThumbnailStore, _ faces: FaceStore, _ settings: Settings, _ console: Console
    ) throws(StoreError) -> ExitStatus {
        func say(_ object: some Encodable, _ lines: [String]) {
            console.result(lines: settings.isJSON ? [JSONLine.encode(object)] : lines.map { Array($0.utf8) })
        }
        switch action {
        case .stats:
            let (stats, found) = (try store.stats(), try faces.stats())
            say(
                Held(thumbnails: stats, faces: found),
                [
                    "\(stats.entries) thumbnails, \(size(stats.usedBytes)) of \(size(stats.limit)) in \(store.path)",
                    "faces of \(found.searches) pictures, \(size(found.bytes)) in \(faces.path)",
                ])
        case .trim:
            let dropped = try store.trim(to: settings.size, olderThan: settings.age)
            say(Removed(dropped: dropped), ["\(dropped) dropped, \(try store.stats().entries) left"])
        case .verify:
            let result = try store.verify()
            say(
                Checked(whole: result.whole, dropped: result.dropped, damage: result.damage),
                ["\(result.whole) whole, \(result.dropped) dropped"] + result.damage)
            return result.isClean ? .done : .someFailed
        case .clear:
            let entries = try store.clear()
            let forgotten = try faces.clear()
            say(
                Removed(dropped: entries, faces: forgotten),
                ["\(entries) dropped, and the faces of \(forgotten) pictures"])
        }
        return .done
    }

    static func bytes(_ value: OptionValue) throws(UsageError) -> Int {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let text = value.text.uppercased()
        let unit = text.last.flatMap { units[$0] }
        let number = Int(unit == nil ? text : String(text.dropLast())).flatMap { $0 < 0 ? nil : $0 }
        guard let (bytes, isOver) = number?.multipliedReportingOverflow(by: unit ?? 1), !isOver else {
            throw UsageError(message: "'\(value.text)' is not a number of bytes, such as 500M")
        }
        return bytes
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\((bytes + (1 << 19)) >> 20) MiB"
    }
}
