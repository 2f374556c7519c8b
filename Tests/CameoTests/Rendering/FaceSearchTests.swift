import Glibc
import Synchronization
import Testing

@testable import Cameo

/// How the renderer uses a detector: whatever it is, here one that is made up.
struct FaceSearchTests {
    /// Finds what it is told to, and notes what it was shown.
    final class Detector: FaceDetecting {
        let version: String
        let searchSides: [Int]
        let answer: @Sendable (GreyPixels) throws(FaceDetectionError) -> [DetectedFace]
        let seen = Mutex<[GreyPixels]>([])

        init(
            version: String = "made-up-1", sides: [Int] = [480, 960],
            _ answer: @escaping @Sendable (GreyPixels) throws(FaceDetectionError) -> [DetectedFace]
        ) {
            self.version = version
            searchSides = sides
            self.answer = answer
        }

        func faces(in picture: GreyPixels) throws(FaceDetectionError) -> [DetectedFace] {
            seen.withLock { $0.append(picture) }
            return try answer(picture)
        }
    }

    /// Remembers in memory.
    final class Memory: FaceRemembering {
        let known = Mutex<[String: [DetectedFace]]>([:])
        private func key(_ stamp: ContentStamp, _ version: String) -> String {
            "\(stamp.inode) \(stamp.changed) \(version)"
        }
        func faces(of stamp: ContentStamp, detector version: String) -> [DetectedFace]? {
            known.withLock { $0[key(stamp, version)] }
        }
        func remember(_ faces: [DetectedFace], of stamp: ContentStamp, detector version: String) {
            known.withLock { $0[key(stamp, version)] = faces }
        }
    }

    /// A quarter of the picture's width, in the middle of its lower right quarter.
    private static let face = DetectedFace(x: 0.625, y: 0.625, width: 0.25, height: 0.25, confidence: 0.9)

    private func picture(_ size: PixelSize) throws -> ImageSource {
        try Pictures.source(Pictures.quarters(size), .jpeg)
    }

    /// A file that was not just written.
    private func settledFile() throws -> FilePath {
        let path = FilePath("/tmp/cameo-faces-\(getpid())-\(UInt64.random(in: 0...(.max))).jpg")
        try WholeFile.write(Pictures.quarters(PixelSize(square: 600)).encoded(Encoding(.jpeg)).bytes, to: path)
        // A stamp proves something only two seconds after a change.
        usleep(2_100_000)
        return path
    }

    @Test("A profile picture shows the face, and says how it was placed")
    func found() throws {
        let renderer = Renderer(faces: FaceSearch(Detector { _ in [Self.face] }))
        let result = try renderer.render(picture(PixelSize(square: 400)), [.profilePicture(50)])
        // 2.8 × 100 around (300, 300 − 26), moved to the edges.
        #expect(result.images[0].crop == PixelRect(x: 120, y: 120, width: 280, height: 280))
        #expect(result.images[0].focus == .faces())
        #expect(result.faces == [Self.face])
        #expect(result.images[0].rendition == .profilePicture(50))
    }

    @Test("The caller's point or rectangle, and a fit, are not searched for faces")
    func callerWins() throws {
        let detector = Detector { _ in [Self.face] }
        let renderer = Renderer(faces: FaceSearch(detector))
        let area = PixelRect(x: 3, y: 5, width: 200, height: 200)
        let result = try renderer.render(
            picture(PixelSize(square: 400)),
            [
                .profilePicture(50, focus: .rectangle(area)), .profilePicture(50, focus: .point(x: 1, y: 1)),
                .thumbnail(PixelSize(square: 64)), Rendition(size: PixelSize(square: 40), focus: .faces()),
            ])
        #expect(result.images[0].crop == area)
        #expect(result.images[3].crop == PixelRect(PixelSize(square: 400)))
        #expect(result.faces == nil && detector.seen.withLock { $0.isEmpty })
    }

    @Test("Without a face, or without a detector, the crop is the fallback's", arguments: Focus.Fallback.allCases)
    func fallback(fallback: Focus.Fallback) throws {
        let source = try picture(PixelSize(width: 400, height: 300))
        let plain = try Renderer().render(source, [.profilePicture(50, focus: fallback.focus)]).images[0]
        let wanted = Rendition.profilePicture(50, focus: .faces(fallback: fallback))
        for renderer in [Renderer(), Renderer(faces: FaceSearch(Detector { _ in [] }))] {
            let result = try renderer.render(source, [wanted])
            #expect(result.images[0].crop == plain.crop && result.images[0].focus == fallback.focus)
            #expect(result.warnings == [] && (result.faces ?? []).isEmpty)
        }
    }

    @Test("A detector that fails costs a warning, not the picture; numbers that make no sense are no faces")
    func failing() throws {
        let failing = Detector { (_) throws(FaceDetectionError) in throw FaceDetectionError(reason: "out of order") }
        let result = try Renderer(faces: FaceSearch(failing)).render(
            picture(PixelSize(square: 400)), [.profilePicture(50, focus: .faces(fallback: .centre))])
        #expect(result.warnings == [.facesNotSearched] && result.images[0].focus == .centre)
        let nonsense = Detector { _ in
            [(0, 0), (-1, 0.5), (.nan, 0.5), (0.5, .infinity), (1e300, 1e300)].map {
                DetectedFace(x: 0.1, y: 0.1, width: $0.0, height: $0.1, confidence: 1)
            }
        }
        let empty = try Renderer(faces: FaceSearch(nonsense)).render(
            picture(PixelSize(square: 400)), [.profilePicture(50)])
        #expect(empty.faces == [])
    }

    @Test("What is remembered is believed as little as what is found: nonsense is no face, and 256 are enough")
    func liars() throws {
        /// Says the same of every file.
        struct Liar: FaceRemembering {
            let told: [DetectedFace]
            func faces(of stamp: ContentStamp, detector version: String) -> [DetectedFace]? { told }
            func remember(_ faces: [DetectedFace], of stamp: ContentStamp, detector version: String) {}
        }
        let file = try settledFile()
        defer { _ = file.withCString { unlink($0) } }
        let nonsense = [Double.nan, .infinity, -.infinity, 1e300, 0, -1].map {
            DetectedFace(x: 0.1, y: 0.1, width: $0, height: 0.1, confidence: 1)
        }
        let many = [DetectedFace](repeating: Self.face, count: 5000)
        let cases = [(nonsense, []), (nonsense + [Self.face], [Self.face]), (many, Array(many.prefix(256)))]
        for (told, wanted) in cases {
            let renderer = Renderer(faces: FaceSearch(Detector { _ in [] }, memory: Liar(told: told)))
            let result = try renderer.render(
                .file(file), [.profilePicture(50), .profilePicture(20, shape: .rectangle)])
            #expect(result.faces == wanted && result.images.count == 2)
            #expect(try renderer.faces(in: OpenedImage(.file(file))) == wanted)
        }
        // Nor is a detector that sees faces everywhere.
        let crowd = Renderer(faces: FaceSearch(Detector { _ in many }))
        #expect(try crowd.render(.file(file), [.profilePicture(50)]).faces?.count == 256)
    }

    @Test("A search that is called off, or whose time is over, is told as that, and is no fault of the machine")
    func calledOff() throws {
        let source = try Pictures.source(Pictures.quarters(PixelSize(width: 600, height: 400)), .png)
        let watch = RenderWatch()
        let impatient = Renderer(
            faces: FaceSearch(
                Detector { _ in
                    watch.cancel()
                    return []
                }))
        #expect(throws: RenderError.cancelled(source: source.name)) {
            try impatient.faces(in: OpenedImage(source), watch: watch)
        }
        var options = RenderOptions()
        options.limits.seconds = 1
        let slow = Renderer(
            options: options,
            faces: FaceSearch(
                Detector { _ in
                    usleep(1_100_000)
                    return []
                }))
        #expect(throws: RenderError.timedOut(source: source.name, seconds: 1)) {
            try slow.faces(in: OpenedImage(source))
        }
    }

    @Test("Copies are upright and grey, grow while no face of some size is found, by four times at most")
    func copies() throws {
        let detector = Detector { _ in [] }
        _ = try Renderer(faces: FaceSearch(detector)).render(
            picture(PixelSize(width: 1000, height: 500)), [.profilePicture(50)])
        _ = try Renderer(faces: FaceSearch(detector)).render(
            picture(PixelSize(width: 50, height: 100)), [.profilePicture(50)])
        let seen = detector.seen.withLock { $0 }
        #expect(
            seen.map(\.size) == [
                PixelSize(width: 480, height: 240), PixelSize(width: 960, height: 480),
                PixelSize(width: 200, height: 400),
                PixelSize(width: 200, height: 400),
            ])
        // Red is (200 × 299 + 40 × 587 + 40 × 114) / 1000 = 88, yellow 182.
        #expect(abs(Int(seen[0].bytes[100]) - 88) <= 3 && abs(Int(seen[0].bytes.last ?? 0) - 182) <= 3)

        // A face of 0.05 of the width suggests smaller ones; of 0.25 none.
        for (width, searches) in [(0.05, 2), (0.25, 1)] {
            let detector = Detector { _ in
                [DetectedFace(x: 0.4, y: 0.4, width: width, height: width, confidence: 1)]
            }
            _ = try Renderer(faces: FaceSearch(detector)).render(picture(PixelSize(square: 600)), [.profilePicture(50)])
            #expect(detector.seen.withLock { $0.count } == searches)
        }
    }

    @Test("Transparent pixels are white in the copy")
    func transparency() throws {
        let detector = Detector(sides: [64]) { _ in [] }
        let clear = Pictures.painted(PixelSize(square: 64), channels: 4) { _, _ in [0, 0, 0, 0] }
        _ = try Renderer(faces: FaceSearch(detector)).render(Pictures.source(clear, .png), [.profilePicture(16)])
        #expect(detector.seen.withLock { $0[0].bytes.allSatisfy { $0 == 255 } })
    }

    @Test("A small face in a large picture is as sharp as the picture has it")
    func sharp() throws {
        // Lines two pixels wide that any reduction to less than half would turn grey.
        let size = PixelSize(width: 1600, height: 200)
        let lines = Pictures.painted(size) { x, _ in x % 4 < 2 ? [0, 0, 0] : [255, 255, 255] }
        let face = DetectedFace(x: 0.5, y: 0.4, width: 0.02, height: 0.16, confidence: 1)
        let result = try Renderer(faces: FaceSearch(Detector { _ in [face] })).render(
            Pictures.source(lines, .jpeg), [.profilePicture(90, shape: .rectangle)])
        #expect(result.images[0].crop.width == 90)
        let values = result.images[0].pixels.bytes
        #expect((values.max() ?? 0) > 225 && (values.min() ?? 255) < 30)
    }

    @Test("A picture is searched once, and what is remembered gives the same bytes")
    func remembered() throws {
        let file = try settledFile()
        defer { _ = file.withCString { unlink($0) } }
        let (detector, memory) = (Detector { _ in [Self.face] }, Memory())
        let renderer = Renderer(faces: FaceSearch(detector, memory: memory))
        let first = try renderer.render(.file(file), [.profilePicture(50)])
        let second = try renderer.render(.file(file), [.profilePicture(50)])
        #expect(detector.seen.withLock { $0.count } == 1)
        #expect(first.images == second.images && first.faces == second.faces)
        #expect(try renderer.faces(in: OpenedImage(.file(file))) == [Self.face])
        #expect(detector.seen.withLock { $0.count } == 1)
        // Another version of the detector searches anew.
        let newer = Detector(version: "made-up-2") { _ in [] }
        _ = try Renderer(faces: FaceSearch(newer, memory: memory)).render(.file(file), [.profilePicture(50)])
        #expect(newer.seen.withLock { $0.count } == 2)
    }

    @Test("The text of a focus on faces reads back, and its JSON too")
    func texts() throws {
        for fallback in Focus.Fallback.allCases {
            let focus = Focus.faces(fallback: fallback)
            #expect(Focus(focus.description) == focus)
        }
        #expect(Focus("faces") == .faces(fallback: .attention) && Focus("faces:center") == .faces(fallback: .centre))
        for wrong in ["faces:", "faces:left", "face", "faces:1,2", "Faces"] { #expect(Focus(wrong) == nil) }
    }
}
