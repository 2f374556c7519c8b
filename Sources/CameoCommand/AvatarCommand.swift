import Cameo

/// `cameo avatar`: profile pictures, round or square, of exactly the sizes asked for.
enum AvatarCommand {
    static let table = CommandTable<BatchSettings>(
        command: "avatar", operands: "PATH... -o DIR",
        summary: "Makes profile pictures of every picture named and of every picture in the folders named.",
        groups: [
            ("Input and output", BatchOptions.files),
            (
                "The profile picture (* may stand in a manifest line)",
                [
                    CommandOption(
                        "size", letter: "s", value: "N[,N…]",
                        "Points a side; pixels are these times the scale. (100,200)", isOverride: true
                    ) {
                        settings, value throws(UsageError) in
                        settings.sizes = try BatchOptions.numbers(value, 1...Rendition.sideLimit).map {
                            PixelSize(square: $0)
                        }
                    },
                    CommandOption("shape", value: "SHAPE", "circle or square. (circle)", isOverride: true) {
                        settings, value throws(UsageError) in
                        settings.shape = try value.choice(["circle": .circle, "square": .rectangle])
                    },
                    CommandOption(
                        "initials", value: "NAME",
                        "Make the placeholder of somebody called NAME instead of a picture: "
                            + "initials, or a silhouette where there are none to draw."
                    ) { settings, value throws(UsageError) in
                        settings.initials = value.text
                    },
                ] + BatchOptions.looks
            ),
            ("The work", BatchOptions.work),
        ])

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        try BatchCommand.run(arguments, table: table, settings: .avatar)
    }
}
