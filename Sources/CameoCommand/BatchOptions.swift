import Cameo

/// The options that `thumbnails` and `avatar` share.
enum BatchOptions {
    typealias Option = CommandOption<BatchSettings>

    static let files: [Option] = [
        Option("output", letter: "o", value: "DIR", "Write into DIR, which is made if need be. Required.") {
            $0.output = $1.path
        },
        Option(
            "manifest", value: "FILE",
            "Read inputs from FILE, or from standard input if it is -: one JSON object a line, "
                + "{\"input\":PATH,\"output\":NAME,…}, where other keys are options below that are marked with *."
        ) { $0.manifest = $1.path },
        Option("root", value: "DIR", "Refuse inputs that do not lie in DIR, however a path or a link gets there.") {
            $0.root = $1.path
        },
        Option(
            "name", value: "TEMPLATE",
            "Name outputs by TEMPLATE, in which {name} is the input's name without its extension, "
                + "{ext} its extension, {size} the size and {scale} the scale. Those of a manifest line without an "
                + "\"output\" lie in its input's folders below DIR."
        ) { settings, value throws(UsageError) in
            settings.template = try NameTemplate(value.text)
        },
        Option("force", letter: "f", "Make again what is current.") { settings, _ in settings.isForced = true },
        Option("json", letter: "j", "Print a JSON object for each input instead of the outputs' paths.") {
            settings, _ in settings.isJSON = true
        },
    ]

    static let looks: [Option] = [
        Option(
            "scale", value: "N[,N…]", "Also make the sizes N times as large, named @2x, @3x, … (1)", isOverride: true
        ) { settings, value throws(UsageError) in
            settings.scales = try numbers(value, 1...8)
        },
        Option(
            "focus", value: "FOCUS",
            "What a crop keeps: faces, centre, upper, top, attention, entropy, a point X,Y or a rectangle X,Y,W,H "
                + "in upright pixels. Without a face, faces is attention, faces:centre the centre and so on.",
            isOverride: true
        ) { settings, value throws(UsageError) in
            guard let focus = Focus(value.text) else {
                throw UsageError(
                    message: "'\(value.text)' is none of faces, centre, upper, top, attention, entropy, X,Y, X,Y,W,H")
            }
            settings.focus = focus
        },
        Option(
            "background", value: "COLOUR", "What lies behind transparency: #rrggbb, a name such as white, or none.",
            isOverride: true
        ) { settings, value throws(UsageError) in
            settings.background = value.text == "none" ? nil : try color(value)
        },
        Option("ring", value: "WIDTH:COLOUR", "A line of WIDTH points along the inner edge.", isOverride: true) {
            settings, value throws(UsageError) in
            let parts = value.text.split(separator: ":", maxSplits: 1).map { OptionValue(String($0)) }
            guard parts.count == 2 else { throw UsageError(message: "'\(value.text)' is not WIDTH:COLOUR") }
            settings.ring = Rendition.Ring(width: try parts[0].number(1...1000), color: try color(parts[1]))
        },
        Option(
            "format", value: "FORMAT", "auto (JPEG, or PNG where there is transparency), jpeg, png or webp. (auto)",
            isOverride: true
        ) { settings, value throws(UsageError) in
            settings.encoding.format = try value.choice(["auto": nil, "jpeg": .jpeg, "png": .png, "webp": .webp])
        },
        Option("quality", letter: "q", value: "N", "1 to 100, for JPEG and WebP. (80)", isOverride: true) {
            settings, value throws(UsageError) in
            settings.encoding.quality = try value.integer(1...100)
        },
    ]

    static let work: [Option] = [
        Option("workers", letter: "w", value: "N", "Render on N threads. (the number of processors)") {
            settings, value throws(UsageError) in
            settings.workers = try value.integer(1...256)
        },
        Option("allow", value: "FORMAT[,…]", "Also read jxl, jp2 or svg.") { settings, value throws(UsageError) in
            settings.options.formats.formUnion(try formats(value))
        },
        Option("strict", "Count a truncated or damaged picture as failed.") { settings, _ in
            settings.options.isStrict = true
        },
        Option("max-megapixels", value: "N", "Refuse larger pictures. (268)") { settings, value throws(UsageError) in
            settings.options.limits.pixels = Int(try value.number(0.001...100_000) * 1e6)
        },
        Option("max-edge", value: "N", "Refuse pictures with a longer edge. (100000)") {
            settings, value throws(UsageError) in
            settings.options.limits.edge = try value.integer(1...10_000_000)
        },
        Option("max-bytes", value: "N", "Refuse larger files. (1073741824)") { settings, value throws(UsageError) in
            settings.options.limits.bytes = try value.integer(1...(1 << 40))
        },
        Option("timeout", value: "SECONDS", "Give up on a picture after so long; 0 for never. (30)") {
            settings, value throws(UsageError) in
            settings.options.limits.seconds = try value.number(0...86_400)
        },
        Option(
            "memory", value: "MIB",
            "Decode as much at once as fits into so much memory. (512, or a quarter of the control group's limit)"
        ) { settings, value throws(UsageError) in
            settings.memory = try value.integer(1...1_048_576) << 20
        },
        isolation.lifted { settings, apply throws(UsageError) in try apply(&settings.isolation) },
        Option("progress", value: "WHEN", "Show progress: auto (on a terminal), always or never. (auto)") {
            settings, value throws(UsageError) in
            settings.progress = try value.choice(["auto": .automatic, "always": .always, "never": .never])
        },
        Option("help", letter: "h", "Show this text.") { settings, _ in settings.showsHelp = true },
    ]

    /// Of every command that opens pictures that may be anybody's.
    static let isolation = CommandOption<Isolation>(
        "isolate", value: "HOW",
        "Decode in processes that may do nothing else: auto (with as much of the sandbox as there is), required (or "
            + "not at all) or none. (auto)"
    ) { isolation, value throws(UsageError) in
        isolation = try value.choice(["auto": .auto, "required": .required, "none": .none])
    }

    static func formats(_ value: OptionValue) throws(UsageError) -> [ImageFormat] {
        var formats: [ImageFormat] = []
        for part in value.list { formats.append(try part.choice(["jxl": .jxl, "jp2": .jp2, "svg": .svg])) }
        return formats
    }

    static func numbers(_ value: OptionValue, _ range: ClosedRange<Int>) throws(UsageError) -> [Int] {
        var numbers: [Int] = []
        for part in value.list { numbers.append(try part.integer(range)) }
        return numbers
    }

    /// `N` or `WxH`.
    static func size(_ value: OptionValue) throws(UsageError) -> PixelSize {
        let sides = value.text.split(separator: "x", omittingEmptySubsequences: false).map { OptionValue(String($0)) }
        guard sides.count == 1 || sides.count == 2 else {
            throw UsageError(message: "'\(value.text)' is neither N nor WxH")
        }
        let range = 1...Rendition.sideLimit
        let width = try sides[0].integer(range)
        return PixelSize(width: width, height: sides.count == 2 ? try sides[1].integer(range) : width)
    }

    static func color(_ value: OptionValue) throws(UsageError) -> RGBColor {
        guard let color = RGBColor(value.text) else {
            throw UsageError(message: "'\(value.text)' is neither #rrggbb nor one of CSS's sixteen basic colour names")
        }
        return color
    }
}
