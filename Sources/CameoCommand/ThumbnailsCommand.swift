import Cameo

/// `cameo thumbnails`: pictures of any kind in, thumbnails out.
enum ThumbnailsCommand {
    static let table = CommandTable<BatchSettings>(
        command: "thumbnails", operands: "PATH... -o DIR",
        summary: "Makes a thumbnail of every picture named and of every picture in the folders named.",
        groups: [
            ("Input and output", BatchOptions.files),
            (
                "The thumbnail (* may stand in a manifest line)",
                [
                    CommandOption(
                        "size", letter: "s", value: "N|WxH", "Pixels; a thumbnail fits into N x N or W x H. (256)",
                        isOverride: true
                    ) { settings, value throws(UsageError) in
                        settings.sizes = [try BatchOptions.size(value)]
                    },
                    CommandOption(
                        "fill", "Fill the size and crop what is over, instead of fitting into it.", isOverride: true
                    ) { settings, _ in
                        settings.mode = .fill
                    },
                ] + BatchOptions.looks
            ),
            ("The work", BatchOptions.work),
        ])

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        try BatchCommand.run(arguments, table: table, settings: BatchSettings())
    }
}
