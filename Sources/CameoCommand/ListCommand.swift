import Cameo
import Dispatch
import Glibc
import Transfer

/// `cameo list`: what can be picked in a folder.
enum ListCommand {
    enum What {
        case assets, albums, moments
    }

    struct Settings {
        var isJSON = false
        var what = What.assets
        var type: String?
        var isDescending = false
        var includesEmpty = false
        /// Kilometres; nil for what is usual.
        var distance: Double?
        var catalog = AssetLibrary.CatalogLocation.standard
        var showsHelp = false

        fileprivate mutating func choose(_ what: What) throws(UsageError) {
            if self.what != .assets, self.what != what { throw UsageError(message: "albums or moments, not both") }
            self.what = what
        }

        /// Throws what is asked for and has no say in what is listed.
        fileprivate func check() throws(UsageError) {
            if type != nil, what != .assets {
                throw UsageError(message: "--type goes with assets, not with albums or moments")
            }
            if includesEmpty, what != .albums { throw UsageError(message: "--all goes with --albums") }
            if distance != nil, what != .moments { throw UsageError(message: "--distance goes with --moments") }
            if isDescending, what == .albums {
                throw UsageError(message: "--descending goes with assets and moments, not with albums")
            }
        }
    }

    private static let types: KeyValuePairs<String, String> = [
        "image": "image", "video": "video", "live": "live", "panorama": "panorama", "screenshot": "screenshot",
        "animated": "animated", "raw": "raw",
    ]

    static let table = CommandTable<Settings>(
        command: "list", operands: "PATH...",
        summary: "Lists what can be picked in folders: assets by date, albums, or moments. Files that have not changed "
            + "since the last time are not read again.",
        groups: [
            (
                "What",
                [
                    CommandOption("albums", "List albums: smart ones, and one a folder.") {
                        settings, _ throws(UsageError) in
                        try settings.choose(.albums)
                    },
                    CommandOption("moments", "List moments: assets of one day and place.") {
                        settings, _ throws(UsageError) in
                        try settings.choose(.moments)
                    },
                    CommandOption(
                        "type", value: "TYPE", "Only image, video, live, panorama, screenshot, animated or raw."
                    ) {
                        settings, value throws(UsageError) in
                        settings.type = try value.choice(types)
                    },
                    CommandOption("all", "Albums without assets too.") { settings, _ in settings.includesEmpty = true },
                ]
            ),
            (
                "How",
                [
                    CommandOption("json", letter: "j", "Print a JSON object for each.") { settings, _ in
                        settings.isJSON = true
                    },
                    CommandOption("descending", "The newest first.") { settings, _ in settings.isDescending = true },
                    CommandOption("distance", value: "KM", "Neighbours further apart are in two moments (25).") {
                        settings, value throws(UsageError) in
                        settings.distance = try value.number(0...20_100)
                    },
                    CommandOption("catalog", value: "DIR|none", "Where what is known is kept ($XDG_CACHE_HOME/cameo).")
                    {
                        settings, value in
                        settings.catalog = value.text == "none" ? .none : .folder(value.path)
                    },
                    CommandOption("help", letter: "h", "Show this text.") { settings, _ in settings.showsHelp = true },
                ]
            ),
        ])

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        var settings = Settings()
        let console = Console()
        guard let paths = try table.read(arguments, into: &settings, helpIf: \.showsHelp) else { return .done }
        if paths.isEmpty { throw UsageError(message: "nothing to do: name a folder") }
        try RemoteAddress.refuse(paths)
        try settings.check()
        do throws(LibraryError) {
            let library = try AssetLibrary(folders: paths, catalog: settings.catalog)
            let snapshot = try scan(library)
            tell(library.catalogState, console)
            for problem in snapshot.problems { console.message("\(problem.path): \(problem.reason)") }
            ListPrinter(settings: settings, roots: roots(paths)) { console.result($0) }.print(snapshot)
            return snapshot.problems.isEmpty ? .done : .someFailed
        } catch {
            console.message("\(error)")
            return error == .cancelled ? .interrupted : .someFailed
        }
    }

    /// Scans while Ctrl-C calls it off.
    private static func scan(_ library: AssetLibrary) throws(LibraryError) -> LibrarySnapshot {
        let interruption = Interruption()
        let done = DispatchSemaphore(value: 0)
        let outcome = ScanOutcome()
        let task = Task {
            do throws(LibraryError) {
                outcome.set(.success(try await library.scan()))
            } catch {
                outcome.set(.failure(error))
            }
            done.signal()
        }
        interruption.observe { task.cancel() }
        done.wait()
        return try outcome.get()
    }

    private static func tell(_ state: CatalogState, _ console: Console) {
        switch state {
        case .setAside(let path, let reason):
            let why = reason == .damaged ? "was damaged" : "is of a newer Cameo"
            console.message("the catalog \(why) and is now \(path); a new one was made")
        case .unavailable(let reason): console.message("no catalog can be kept: \(reason)")
        case .unopened, .created, .opened: break
        }
    }

    /// The paths that people gave, by what they really are, so that results are named as people named them.
    static func roots(_ paths: [FilePath]) -> [(real: FilePath, given: FilePath)] {
        paths.compactMap { path in path.real.map { ($0, path) } }
    }
}
