import Cameo
import PickerServer

/// `cameo pick`: a picker in the browser, whose picks are printed.
enum PickCommand {
    struct Settings {
        var browser = BrowserSettings()
        var limit = 1
        var minimum = 1
        var isOrdered: Bool?
        var isJSON = false
        var profile: PickerServer.Mask?
        /// What the profile pictures are rendered by: the very settings of `avatar`.
        var pictures = BatchSettings.avatar
        /// An option that says how profile pictures are rendered, if there is one.
        var pictureOption: String?

        /// Whether profile pictures are rendered.
        var rendersPictures: Bool { profile != nil && pictures.output != nil }
    }

    static let table = CommandTable<Settings>(
        command: "pick", operands: "PATH...",
        summary: "Opens a photo picker in a browser on this machine, waits, and prints what was picked, in pick order. "
            + "Nothing is printed, and the exit status is 1, when it is cancelled; closing the window does not end it, "
            + "Ctrl-C does.",
        groups: [
            (
                "What can be picked",
                [
                    CommandOption("limit", letter: "n", value: "N", "At most N; 0 for any number. (1)") {
                        settings, value throws(UsageError) in
                        settings.limit = try value.integer(0...1_000_000)
                    },
                    CommandOption("minimum", value: "N", "At least N. (1)") { settings, value throws(UsageError) in
                        settings.minimum = try value.integer(0...1_000_000)
                    },
                    CommandOption("unordered", "Show ticks, not the picks' places in their order.") { settings, _ in
                        settings.isOrdered = false
                    },
                    BrowserSettings.typeOption.lifted { settings, update throws(UsageError) in
                        try update(&settings.browser)
                    },
                ]
            ),
            (
                "Profile pictures",
                [
                    CommandOption(
                        "profile", value: "SHAPE",
                        "Let the picks be cropped to a circle or square. Videos are not offered."
                    ) { settings, value throws(UsageError) in
                        settings.profile = try value.choice(["circle": .circle, "square": .square])
                        settings.pictures.shape = settings.profile == .circle ? .circle : .rectangle
                    },
                    CommandOption(
                        "output", letter: "o", value: "DIR",
                        "Write a profile picture of each pick into DIR. (only the crops are printed, with --json)"
                    ) {
                        $0.pictures.output = $1.path
                    },
                ] + pictureOptions
            ),
            (
                "How",
                [
                    CommandOption(
                        "json", letter: "j",
                        "Print a JSON object for each pick, with its crop, and with quarterTurns (clockwise) where that was "
                            + "turned."
                    ) { settings, _ in
                        settings.isJSON = true
                    }
                ]
                    + BrowserSettings.options.map {
                        $0.lifted { settings, update throws(UsageError) in try update(&settings.browser) }
                    }
            ),
        ])

    /// Those of `avatar` that a picker leaves open.
    private static var pictureOptions: [CommandOption<Settings>] {
        let names = ["size", "scale", "background", "ring", "format", "quality"]
        return AvatarCommand.table.options.filter { names.contains($0.name) }.map { option in
            option.lifted { settings, update throws(UsageError) in
                settings.pictureOption = option.name
                try update(&settings.pictures)
            }
        }
    }

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        var settings = Settings()
        let console = Console()
        guard let paths = try table.read(arguments, into: &settings, helpIf: \.browser.showsHelp) else { return .done }
        if paths.isEmpty { throw UsageError(message: "nothing to do: name a folder") }
        try check(settings)
        // Of a video there is no profile picture.
        if settings.profile != nil, settings.browser.type == nil { settings.browser.type = .image }
        do {
            let run = try BrowserRun(paths, settings.browser, configuration(settings), console: console)
            switch run.wait(opens: settings.browser.opens) {
            case nil: return .interrupted
            case .cancelled: return .someFailed
            case .picked(let picks):
                return PickPrinter(
                    settings: settings, paths: paths, console: console, interruption: run.interruption
                ).print(picks)
            }
        } catch {
            console.message("\(error)")
            return error is PickerServerError ? .environment : .someFailed
        }
    }

    private static func check(_ settings: Settings) throws(UsageError) {
        if settings.limit > 0, settings.minimum > settings.limit {
            throw UsageError(message: "--minimum \(settings.minimum) is over --limit \(settings.limit)")
        }
        guard settings.profile != nil else {
            if settings.pictures.output != nil { throw UsageError(message: "-o goes with --profile") }
            return
        }
        if settings.rendersPictures {
            try settings.pictures.check()
        } else if let option = settings.pictureOption {
            throw UsageError(message: "--\(option) needs -o DIR")
        }
        if settings.browser.type == .video { throw UsageError(message: "there are no profile pictures of videos") }
    }

    private static func configuration(_ settings: Settings) -> PickerServer.Configuration {
        var configuration = PickerServer.Configuration()
        configuration.picker = PickerConfiguration(
            limit: settings.limit, minimum: settings.minimum, filter: settings.browser.type?.filter ?? .everything,
            isOrdered: settings.isOrdered ?? (settings.limit != 1))
        configuration.mask = settings.profile
        configuration.options = settings.pictures.options
        return configuration
    }
}
