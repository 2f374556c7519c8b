import Glibc
import Testing

@testable import Cameo

/// Headers of real files, against what other readers say of them.
@Suite struct HeaderReaderTests {
    /// One line of the corpus's manifest.
    struct Expectation {
        let path: String
        let format: String
        let sizes: [String]
        let date: String?
        let hasPlace: Bool
        let frames: Int
    }

    private static func expectations() -> [Expectation] {
        let file = Corpus.file("MANIFEST.tsv").withCString { open($0, O_RDONLY) }
        guard file >= 0 else { return [] }
        defer { close(file) }
        let text = String(decoding: FileWindow.read(file, at: 0, 1 << 20), as: UTF8.self)
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count >= 10 else { return nil }
            func value(_ key: String, in text: String) -> String? {
                guard let range = text.firstRange(of: key) else { return nil }
                return String(text[range.upperBound...].prefix { $0 != ";" && $0 != " " })
            }
            let sizes = columns[9].split(separator: ";").compactMap { value("size=", in: String($0)) }
            let date = columns[6].firstRange(of: "DateTimeOriginal=").map {
                String(columns[6][$0.upperBound...].prefix(19))
            }
            return Expectation(
                path: columns[0], format: columns[5], sizes: sizes, date: date,
                hasPlace: columns[6].contains("GPS tag"),
                frames: value("frames=", in: columns[9]).flatMap { Int($0) } ?? 1)
        }
    }

    @Test(.disabled(if: Corpus.isAbsent, "shared/corpus is not beside the repository"))
    func headersOfTheCorpusTellSizeDatePlaceAndFrames() {
        let expectations = Self.expectations()
        // Files whose sizes decoders guess at, or whose dates stand where only one maker looks for them.
        let exempt: Set = [
            "hostile/hippopotamus-bad-comment-length.jpeg", "photos/olympus-d320l.jpg", "photos/FujiFilm_SP-2500.jpg",
            "photos/Issue_609.jpg",
        ]
        var checked = 0
        for expected in expectations where !exempt.contains(expected.path) {
            guard let header = HeaderReader.read(Corpus.file(expected.path)) else { continue }
            guard header.form != .other else { continue }
            checked += 1
            let isPhoto = ["JPEG", "PNG", "GIF", "WEBP", "HEIF", "AVIF"].contains(expected.format)
            if !expected.sizes.isEmpty {
                let size = header.uprightSize.map { "\($0.width)x\($0.height)" } ?? "none"
                #expect(expected.sizes.contains(size), "\(expected.path): \(size), not \(expected.sizes)")
            }
            if let date = expected.date {
                let found = header.date.map { date in
                    String("\(date)".prefix(19).map { $0 == "-" ? ":" : $0 == "T" ? " " : $0 })
                }
                #expect(found == date, "\(expected.path)")
            }
            #expect((header.place != nil) == expected.hasPlace, "\(expected.path)")
            if isPhoto, expected.frames > 1 { #expect(header.isAnimated, "\(expected.path)") }
        }
        #expect(checked > 300)
    }

    @Test(.disabled(if: Corpus.isAbsent, "shared/corpus is not beside the repository"))
    func theSizeThatAListTellsIsThatOfTheOpenedPicture() throws {
        let expectations = Self.expectations()
        // Canvases that a decoder makes larger where frames lie outside of them.
        let exempt: Set = [
            "hostile/frame-out-of-bounds.gif", "hostile/issue_1455_oversized.gif", "hostile/oob.gif",
        ]
        var checked = 0
        // A JPEG's size stands in one place, and opening one costs more than all else.
        for expected in expectations where expected.format != "JPEG" && !exempt.contains(expected.path) {
            let path = Corpus.file(expected.path)
            guard let header = HeaderReader.read(path), header.form != .other, header.form != .raw,
                let opened = try? OpenedImage(.file(path))
            else { continue }
            checked += 1
            #expect(header.uprightSize == opened.header.uprightSize, "\(expected.path)")
        }
        #expect(checked > 100)
    }

    @Test(
        arguments: [
            ("", nil), ("clap", PixelSize(width: 33, height: 50)), ("irot clap", PixelSize(width: 33, height: 50)),
            ("clap irot", PixelSize(width: 50, height: 33)), ("irot", PixelSize(width: 80, height: 100)),
        ] as [(String, PixelSize?)])
    func aHEIFsApertureAndTurnsHoldInTheirOrder(order: String, upright: PixelSize?) throws {
        let library = TestLibrary()
        let kinds = order.split(separator: " ").map(String.init)
        // Of 100×80, an aperture of 100/3 by 50; a turn by 90 degrees.
        library.write("a.heic", MadeUp.heif(100, 80, aperture: (100, 3, 50, 1), turns: 1, order: kinds))
        let header = try #require(HeaderReader.read(library.path("a.heic")))
        #expect(header.uprightSize == upright ?? PixelSize(width: 100, height: 80))
    }

    @Test(arguments: [(0, 1, 50, 1), (50, 0, 50, 1), (50, 1, 1, 9), (4_294_967_295, 1, 4_294_967_295, 1)])
    func anApertureThatIsNoneOrLargerThanThePictureTakesNothingAway(aperture: (Int, Int, Int, Int)) throws {
        let library = TestLibrary()
        library.write("a.heic", MadeUp.heif(100, 80, aperture: aperture, turns: 0, order: ["clap"]))
        let header = try #require(HeaderReader.read(library.path("a.heic")))
        #expect(header.uprightSize == PixelSize(width: 100, height: 80))
    }

    @Test func aHeaderCutAnywhereNeverFails() throws {
        let library = TestLibrary()
        let files = [
            MadeUp.jpeg(date: "2025:06:01 10:00:00", place: (1, 2)), MadeUp.dng(60, 40),
            MadeUp.film(64, 48, seconds: 3_000_000_000),
            MadeUp.gif(frames: 3),
        ]
        for bytes in files {
            for length in 0...bytes.count {
                library.write("cut", Array(bytes[..<length]), settles: false)
                _ = HeaderReader.read(library.path("cut"))
            }
        }
    }

    @Test(arguments: 0..<40) func aHeaderWithAnyBytesChangedNeverFails(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let library = TestLibrary()
        let corpus = Self.expectations().filter { $0.format != "SVG" }.map { Corpus.file($0.path) }
        let samples = [
            "At Home/Fruit bowl.heic", "At Home/Meadow flowers.webp", "Lake Weekend/Dawn on the lake.jpg",
            "Stickers and Screens/Moon phases.gif", "Stickers and Screens/Paper boat.png",
        ].map { Corpus.sample($0) }
        library.write("film", MadeUp.film(64, 48, seconds: 3_000_000_000), settles: false)
        library.write("raw", MadeUp.dng(60, 40), settles: false)
        let own = samples + [library.path("film"), library.path("raw")]
        for path in own + corpus.shuffled(using: &random).prefix(12) {
            guard let (file, status) = try? SourceBytes.open(path) else { continue }
            var bytes = FileWindow.read(file, at: 0, min(100_000, Int(status.st_size)))
            close(file)
            for _ in 0..<20 where !bytes.isEmpty {
                let place = Int.random(in: 0..<min(bytes.count, 3000), using: &random)
                bytes[place] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)
                    ?? 0
            }
            library.write("changed", bytes, settles: false)
            Self.list(library.path("changed"))
        }
    }

    /// What cameras write as text, in words that are no such thing; the lengths stay, so that the rest is read too.
    @Test(arguments: 0..<200) func textInAHeaderThatIsNoTimeNeverFails(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let library = TestLibrary()
        func words(_ length: Int) -> String {
            let characters = Array("+-+-0123456789999:::. Z")
            return String((0..<length).map { _ in characters.randomElement(using: &random) ?? "0" })
        }
        for index in 0..<20 {
            library.write(
                "\(index)",
                MadeUp.jpeg(
                    date: index % 2 == 0 ? words(19) : "2025:06:01 10:00:00",
                    offset: words(Int.random(in: 2...24, using: &random)),
                    fraction: words(9)))
            Self.list(library.path("\(index)"))
        }
    }

    @Test(
        arguments: [
            "+-9000000000000000000:00", "--9000000000000000000:00", "+-600:00", "--600:00", "+00:-9223372036854775808",
            "+15:00", "+09:60", "+09:-1", "+9223372036854775807:59",
        ])
    func anOffsetThatNoClockHasIsNone(offset: String) throws {
        let library = TestLibrary()
        library.write("a.jpg", MadeUp.jpeg(date: "2025:06:01 10:00:00", offset: offset))
        let header = try #require(HeaderReader.read(library.path("a.jpg")))
        #expect(header.date.map { "\($0)" } == "2025-06-01T10:00:00")
        Self.list(library.path("a.jpg"))
    }

    /// All that a library does with a file's header.
    private static func list(_ path: FilePath) {
        guard let (file, status) = try? SourceBytes.open(path) else { return }
        defer { close(file) }
        let record = FileRecord(file: file, stamp: ContentStamp(status, now: 0), name: path)
        _ = ("\(record.date)", record.date.civilDay, record.dateKey, record.place)
        #expect(record.encoded.withUnsafeBytes { FileRecord(encoded: $0) } == record)
    }

    @Test func filmsTellWhereAndWhenInWhatApplesMetadataSay() {
        #expect(Place(iso6709: "+47.3700-008.5400+408.000/") == Place(latitude: 47.37, longitude: -8.54))
        #expect(Place(iso6709: "nonsense") == nil)
        #expect(CaptureDate(iso8601: "2026-05-01T10:00:00+0900").map { "\($0)" } == "2026-05-01T10:00:00+09:00")
        #expect(CaptureDate(iso8601: "2026-05-01T10:00:00Z")?.offsetMinutes == 0)
    }
}
