import Cameo
import Transfer

/// `cameo inspect`: what the renderer sees in a picture: its header, and the faces in it.
enum InspectCommand {
    struct Settings {
        var isJSON = false
        var findsFaces = true
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
        func fail(_ path: FilePath, _ failure: ResultLine.Failure) -> Bool {
            status = .someFailed
            console.message(failure.message)
            guard settings.isJSON else { return true }
            var line = Line(input: path.description, inputBytes: path.lossyBytes)
            line.error = failure
            return console.result(JSONLine.encode(line))
        }
        let client = TransferClient(settings.transfer)
        let walker = InputWalker(
            naming: nil, outputFolder: nil,
            unreadable: { path, reason in
                fail(path, .init("unreadable", stage: .read, "\(path): cannot be read: \(reason)", retryable: true))
            },
            emit: { input in
                do throws(RenderError) {
                    let seen = try look(at: .file(input.path), settings)
                    return console.result(lines: (settings.isJSON ? json : text)(input.path, seen.header, seen.faces))
                } catch {
                    let isPicture =
                        input.isNamed || ImageFormat.isNamedLikePicture(input.path)
                        || OpenedImage.looksLikePicture(input.path)
                    return isPicture ? fail(input.path, .init(error, of: input.path)) : true
                }
            })
        // Paths are laid over each other; addresses come in their turn between them.
        for group in groups(paths) {
            guard RemoteAddress.isAddress(group[0].description) else {
                walker.walk(group)
                continue
            }
            let shown = FilePath(RemoteAddress.shown(group[0].description))
            let goesOn: Bool
            do throws(ResultLine.Failure) {
                let seen = try look(atAddress: group[0].description, client, settings)
                goesOn = console.result(lines: (settings.isJSON ? json : text)(shown, seen.header, seen.faces))
            } catch {
                goesOn = fail(shown, error)
            }
            if !goesOn { break }
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

    static func look(at source: ImageSource, _ settings: Settings) throws(RenderError) -> Seen {
        let opened = try OpenedImage(source, options: settings.options)
        let renderer = Renderer(options: settings.options, faces: settings.findsFaces ? .standard : nil)
        do throws(RenderError) {
            return (opened.header, try renderer.faces(in: opened))
        } catch {
            if case .incomplete = error { throw error }
            // A picture whose pixels cannot be had still has a header to show.
            return (opened.header, nil)
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
