import Cameo
import Transfer

/// `cameo inspect`: what the renderer sees in a picture: its header, and the faces in it.
enum InspectCommand {
    struct Settings {
        var isJSON = false
        var findsFaces = true
        var isolation = Isolation.auto
        var options = RenderOptions()
        var transfer = TransferOptions()
        var showsHelp = false
    }

    /// What `inspect --json` prints for each picture.
    private struct Line: Encodable {
        var input: String
        var inputBytes: String?
        var format: String?
        var upright: [Int]?
        var stored: [Int]?
        var orientation: Int?
        var alpha: Bool?
        var bits: Int?
        var colorSpace: String?
        var profile: String?
        var frames: Int?
        var progressive: Bool?
        var date: String?
        var place: [Double]?
        var preview: [Int]?
        /// `[x, y, width, height, confidence]` of each face in upright pixels, the main one first.
        var faces: [[Double]]?
        var error: ResultLine.Failure?
    }

    static let table = CommandTable<Settings>(
        command: "inspect", operands: "PATH|URL...",
        summary:
            "Shows what the renderer sees in each picture: format, upright size, orientation, colour, date, place, "
            + "embedded preview and faces.",
        groups: [
            (
                "Options",
                [
                    CommandOption("json", letter: "j", "Print a JSON object for each picture.") { settings, _ in
                        settings.isJSON = true
                    },
                    CommandOption("no-faces", "Search for no faces: nothing is decoded.") { settings, _ in
                        settings.findsFaces = false
                    },
                    CommandOption("allow", value: "FORMAT[,…]", "Also read jxl, jp2 or svg.") {
                        settings, value throws(UsageError) in
                        settings.options.formats.formUnion(try BatchOptions.formats(value))
                    },
                    BatchOptions.isolation.lifted { settings, apply throws(UsageError) in
                        try apply(&settings.isolation)
                    },
                    CommandOption("help", letter: "h", "Show this text.") { settings, _ in settings.showsHelp = true },
                ]
            ),
            (
                "Addresses",
                TransferOptions.commandOptions.map { option in
                    option.lifted { settings, apply throws(UsageError) in try apply(&settings.transfer) }
                }
            ),
        ],
        notes: [
            "A URL is http(s):// or s3://. With --no-faces no more of it is read than the header takes: the beginning of a",
            "JPEG, PNG, HEIF or AVIF, and the whole of other formats. A search for faces reads the first scan of a large",
            "progressive JPEG, and the whole of all others.",
        ] + TransferOptions.credentialNotes)

    static func run(_ arguments: [FilePath]) throws(UsageError) -> ExitStatus {
        var settings = Settings()
        let console = Console()
        guard let paths = try table.read(arguments, into: &settings, helpIf: \.showsHelp) else { return .done }
        if paths.isEmpty { throw UsageError(message: "nothing to do: name pictures or folders") }
        var status = ExitStatus.done
        // False once nobody reads any more, or the machine is at fault and would be with the next picture too.
        var goesOn = true
        func show(_ path: FilePath, _ seen: Seen) -> Bool {
            goesOn = console.result(lines: (settings.isJSON ? json : text)(path, seen.header, seen.faces))
            return goesOn
        }
        func fail(_ path: FilePath, _ failure: ResultLine.Failure) -> Bool {
            console.message(failure.message)
            let isMachine = failure.kind == RenderError.environment(reason: "").kind
            status = isMachine ? .environment : .someFailed
            if settings.isJSON, !isMachine {
                var line = Line(input: path.description, inputBytes: path.lossyBytes)
                line.error = failure
                goesOn = console.result(JSONLine.encode(line))
            }
            if isMachine { goesOn = false }
            return goesOn
        }
        let client = TransferClient(settings.transfer)
        let inspector = PictureInspector(
            options: settings.options, faces: settings.findsFaces ? .standard : nil, isolation: settings.isolation,
            onWeakSandbox: { console.message("the sandbox is incomplete here: \($0)") })
        defer { inspector.endIdleWorkers() }
        let walker = InputWalker(
            naming: nil, outputFolder: nil,
            unreadable: { path, reason in
                fail(path, .init("unreadable", stage: .read, "\(path): cannot be read: \(reason)", retryable: true))
            },
            emit: { input in
                do throws(RenderError) {
                    return show(input.path, try look(at: .file(input.path), inspector))
                } catch {
                    let isPicture =
                        input.isNamed || ImageFormat.isNamedLikePicture(input.path)
                        || OpenedImage.looksLikePicture(input.path)
                    return isPicture ? fail(input.path, .init(error, of: input.path)) : true
                }
            })
        // Paths are laid over each other; addresses come in their turn between them.
        for group in groups(paths) where goesOn {
            guard RemoteAddress.isAddress(group[0].description) else {
                walker.walk(group)
                continue
            }
            let shown = RemoteAddress.shown(group[0])
            do throws(ResultLine.Failure) {
                _ = show(shown, try look(atAddress: group[0], client, settings, inspector))
            } catch {
                _ = fail(shown, error)
            }
        }
        return status
    }

    /// Runs of paths, and each address alone.
    private static func groups(_ paths: [FilePath]) -> [[FilePath]] {
        var groups: [[FilePath]] = []
        for path in paths {
            let joins = groups.last.map { !RemoteAddress.isAddress($0[0].description) } ?? false
            if joins, !RemoteAddress.isAddress(path.description) {
                groups[groups.count - 1].append(path)
            } else {
                groups.append([path])
            }
        }
        return groups
    }

    /// What there is to show of a picture.
    typealias Seen = (header: ImageHeader, faces: [DetectedFace]?)

    static func look(at source: ImageSource, _ inspector: PictureInspector) throws(RenderError) -> Seen {
        let seen = try inspector.look(at: source)
        switch seen.faces {
        case .success(let faces): return (seen.header, faces)
        // More of it can be had, or it is hostile.
        case .failure(.incomplete(let source)): throw .incomplete(source: source)
        case .failure(.crashed(let source, let reason)): throw .crashed(source: source, reason: reason)
        case .failure(.timedOut(let source, let seconds)): throw .timedOut(source: source, seconds: seconds)
        case .failure(.tooLarge(let source, let reason)): throw .tooLarge(source: source, reason: reason)
        // A picture whose pixels cannot be had still has a header to show.
        case .failure: return (seen.header, nil)
        }
    }

    private static func json(_ path: FilePath, _ header: ImageHeader, _ faces: [DetectedFace]?) -> [[UInt8]] {
        var line = Line(input: path.description, inputBytes: path.lossyBytes)
        line.format = header.format.rawValue
        line.upright = [header.uprightSize.width, header.uprightSize.height]
        line.stored = [header.storedSize.width, header.storedSize.height]
        line.orientation = header.orientation.rawValue
        line.alpha = header.hasAlpha
        line.bits = header.bitsPerChannel
        line.colorSpace = header.colorSpace
        line.profile = header.profile
        line.frames = header.frames
        line.progressive = header.isProgressive
        line.date = header.date?.description
        line.place = header.place.map { [$0.latitude, $0.longitude] }
        line.preview = header.previewSize.map { [$0.width, $0.height] }
        line.faces = faces?.map { $0.numbers(in: header.uprightSize) }
        return [JSONLine.encode(line)]
    }

    private static func text(_ path: FilePath, _ header: ImageHeader, _ faces: [DetectedFace]?) -> [[UInt8]] {
        var rows: [(String, String)] = []
        rows.append(
            ("format", header.format.title + (header.format == .jpeg && header.isProgressive ? ", progressive" : "")))
        rows.append(("upright", "\(header.uprightSize)"))
        if header.orientation != .up {
            rows.append(("stored", "\(header.storedSize), orientation \(header.orientation.rawValue)"))
        }
        let colour = "\(header.colorSpace)\(header.hasAlpha ? " with alpha" : ""), \(header.bitsPerChannel) bits"
        rows.append(("colour", colour + (header.profile.map { ", profile \"\(Printable.escaped($0))\"" } ?? "")))
        if header.frames > 1 { rows.append(("frames", "\(header.frames)")) }
        if let date = header.date { rows.append(("date", "\(date)")) }
        if let place = header.place { rows.append(("place", "\(place.latitude), \(place.longitude)")) }
        if let preview = header.previewSize { rows.append(("preview", "\(preview)")) }
        for face in faces ?? [] {
            let sureness = Int((face.confidence * 100).rounded())
            rows.append(("face", "\(face.rect(in: header.uprightSize)), confidence \(sureness) %"))
        }
        let lines = rows.map { "  \($0)" + String(repeating: " ", count: 9 - $0.count) + $1 }
        return [path.bytes] + lines.map { Array($0.utf8) }
    }
}
