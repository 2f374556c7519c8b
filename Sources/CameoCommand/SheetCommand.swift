import Cameo
import Glibc
import Transfer

/// `cameo sheet`: a contact sheet of pictures.
enum SheetCommand {
    struct Settings {
        var output: FilePath?
        var columns: Int?
        var cell = PixelSize(square: 200)
        var mode = Rendition.Mode.fit
        var shape = Rendition.Shape.rectangle
        var focus: Focus?
        var background = RGBColor.white
        var hasLabels = true
        var quality = 85
        var options = RenderOptions()
        var isolation = Isolation.auto
        var progress = Console.ProgressMode.automatic
        var showsHelp = false
    }

    static let table = CommandTable<Settings>(
        command: "sheet", operands: "PATH... -o FILE",
        summary:
            "Draws every picture named, and every picture in the folders named, on one contact sheet. More than fit on "
            + "one of 16384 pixels go on to FILE-2, FILE-3 and so on, which replace only pages of an earlier sheet.",
        groups: [
            (
                "The sheet",
                [
                    CommandOption("output", letter: "o", value: "FILE", "Write FILE: .jpg, .png or .webp. Required.") {
                        $0.output = $1.path
                    },
                    CommandOption(
                        "columns", letter: "c", value: "N", "Cells across. (about as many as down, 12 at most)"
                    ) { settings, value throws(UsageError) in
                        settings.columns = try value.integer(1...1000)
                    },
                    CommandOption("size", letter: "s", value: "N|WxH", "Pixels of a cell. (200)") {
                        settings, value throws(UsageError) in
                        settings.cell = try BatchOptions.size(value)
                    },
                    CommandOption("fill", "Fill the cells and crop what is over.") { settings, _ in
                        settings.mode = .fill
                    },
                    CommandOption("shape", value: "SHAPE", "rectangle, or circle, which fills. (rectangle)") {
                        settings, value throws(UsageError) in
                        settings.shape = try value.choice(["rectangle": .rectangle, "circle": .circle])
                    },
                    CommandOption(
                        "focus", value: "FOCUS",
                        "What a crop keeps: faces, centre, upper, top, attention or entropy. "
                            + "(centre; faces for circles)"
                    ) { settings, value throws(UsageError) in
                        settings.focus = try value.choice(
                            [
                                "centre": .centre, "center": .centre, "upper": .upper, "top": .top, "faces": .faces(),
                                "attention": .attention, "entropy": .entropy,
                            ])
                    },
                    CommandOption("background", value: "COLOUR", "#rrggbb or a name. (white)") {
                        settings, value throws(UsageError) in
                        settings.background = try BatchOptions.color(value)
                    },
                    CommandOption("no-labels", "Leave the names out.") { settings, _ in settings.hasLabels = false },
                    CommandOption("quality", letter: "q", value: "N", "1 to 100, for JPEG and WebP. (85)") {
                        settings, value throws(UsageError) in
                        settings.quality = try value.integer(1...100)
                    },
                ]
            ),
            (
                "The work",
                [
                    CommandOption("allow", value: "FORMAT[,…]", "Also read jxl, jp2 or svg.") {
                        settings, value throws(UsageError) in
                        settings.options.formats.formUnion(try BatchOptions.formats(value))
                    },
                    BatchOptions.isolation.lifted { settings, apply throws(UsageError) in
                        try apply(&settings.isolation)
                    },
                    CommandOption("progress", value: "WHEN", "Show progress: auto, always or never. (auto)") {
                        settings, value throws(UsageError) in
                        settings.progress = try value.choice(["auto": .automatic, "always": .always, "never": .never])
                    },
                    CommandOption("help", letter: "h", "Show this text.") { settings, _ in settings.showsHelp = true },
                ]
            ),
        ])

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        var settings = Settings()
        guard let paths = try table.read(arguments, into: &settings, helpIf: \.showsHelp) else { return .done }
        guard let output = settings.output else { throw UsageError(message: "where to? -o FILE is missing") }
        if paths.isEmpty { throw UsageError(message: "nothing to do: name pictures or folders") }
        try RemoteAddress.refuse(paths + [output])
        let formats: [String: Encoding.Format] = ["jpg": .jpeg, "jpeg": .jpeg, "png": .png, "webp": .webp]
        guard var names = SheetNames(output), let format = formats[names.format] else {
            throw UsageError(message: "\(output): a sheet is a .jpg, .png or .webp")
        }
        let console = Console(progress: settings.progress)
        let (inputs, unreadable) = find(paths, sparing: names, console: console)
        if inputs.isEmpty {
            console.message("no pictures there")
            return .someFailed
        }
        let columns = settings.columns ?? min(12, max(1, Int(Double(inputs.count).squareRoot().rounded(.up))))
        let layout = ContactSheet.Layout(columns: columns, cell: settings.cell, hasLabels: settings.hasLabels)
        if layout.size(columns).width > Rendition.sideLimit {
            throw UsageError(
                message: "\(columns) columns of \(settings.cell) are wider than \(Rendition.sideLimit) pixels")
        }
        let starts = Array(stride(from: 0, to: inputs.count, by: layout.capacity))
        try names.prepare(pages: starts.count)
        WholeFile.removeLeftovers(in: output.parent.bytes.isEmpty ? "." : output.parent)
        var failed = unreadable
        for (page, start) in zip(1..., starts) {
            let part = Array(inputs[start..<min(inputs.count, start + layout.capacity)])
            let name = names.page(page)
            do {
                let sheet = try SheetPage(layout: layout, inputs: part, settings: settings, console: console).drawn()
                failed += sheet.failed
                let encoded = try sheet.pixels.encoded(Encoding(format, quality: settings.quality))
                try WholeFile.write(encoded.bytes, to: name)
                names.note(encoded.bytes, page: page)
            } catch {
                console.progress("")
                console.message("\(error)")
                return .environment
            }
            console.progress("")
            console.result(name.bytes)
        }
        return failed > 0 ? .someFailed : .done
    }

    /// The pictures under `paths`, but for the sheet's own pages.
    private static func find(
        _ paths: [FilePath], sparing names: SheetNames, console: Console
    ) -> (inputs: [FilePath], unreadable: Int) {
        var inputs: [FilePath] = []
        var unreadable = 0
        InputWalker(
            naming: nil, outputFolder: nil,
            unreadable: { path, reason in
                console.message("\(path): cannot be read: \(reason)")
                unreadable += 1
                return true
            },
            emit: { input in
                let isPicture =
                    input.isNamed || ImageFormat.isNamedLikePicture(input.path)
                    || OpenedImage.looksLikePicture(input.path)
                if isPicture, !names.isEarlierPage(input.path) { inputs.append(input.path) }
                return true
            }
        ).walk(paths)
        return (inputs, unreadable)
    }
}
