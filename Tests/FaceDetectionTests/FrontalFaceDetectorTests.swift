import CFaceDetection
import Cameo
import FaceDetection
import Foundation
import Testing

struct FrontalFaceDetectorTests {
    /// People without anything on or before their faces.
    private static let people = KnownHeads.pictures.filter { $0.main.count == 1 && $0.tags.isEmpty && $0.canBeInCircle }

    private func grey(_ size: PixelSize, _ value: (Int, Int) -> UInt8) -> GreyPixels {
        GreyPixels(size: size, bytes: (0..<size.area).map { value($0 % size.width, $0 / size.width) })
    }

    @Test(
        "Pictures of every small size, flat, striped and noisy, are searched and hold nobody",
        arguments: [1, 2, 3, 7, 39, 40, 80])
    func small(side: Int) throws {
        let detector = FrontalFaceDetector()
        for size in [PixelSize(square: side), PixelSize(width: side, height: 1), PixelSize(width: 3, height: side)] {
            #expect(try detector.faces(in: grey(size) { _, _ in 128 }).isEmpty)
            #expect(try detector.faces(in: grey(size) { x, _ in x % 2 == 0 ? 0 : 255 }).isEmpty)
            #expect(try detector.faces(in: grey(size) { x, y in UInt8((x * 7919 + y * 104_729) % 251) }).isEmpty)
        }
    }

    @Test("A picture of no size or no room for boxes is refused or answered, not crashed on")
    func interface() {
        let detector = cface_create(0)
        defer { cface_destroy(detector) }
        var box = cface_box()
        #expect(cface_search(detector, [0], 0, 1, 0, &box, 1) == -1)
        #expect(cface_search(detector, [0], 1, -1, 0, &box, 1) == -1)
        #expect(cface_search(detector, [0], 1, 1, 0, &box, -1) == -1)
        #expect(cface_search(detector, [0], 1, 1, 0, &box, 0) == 0)
        cface_destroy(nil)
    }

    @Test("The build for better processors finds what the one for all finds", .enabled(if: !people.isEmpty))
    func engines() throws {
        let (plain, fast) = (FrontalFaceDetector(allowsFast: false), FrontalFaceDetector())
        #expect(!plain.isFast)
        #expect(plain.version == fast.version)
        for picture in Self.people.prefix(4) {
            let opened = try OpenedImage(.file(picture.file))
            let slow = try #require(try Renderer(faces: FaceSearch(plain)).faces(in: opened))
            let quick = try #require(try Renderer(faces: FaceSearch(fast)).faces(in: opened))
            #expect(!slow.isEmpty && slow.count == quick.count)
            for (a, b) in zip(slow, quick) {
                #expect(a.rect(in: opened.header.uprightSize) == b.rect(in: opened.header.uprightSize))
                #expect(abs(a.confidence - b.confidence) < 1e-4)
            }
        }
    }

    @Test("Many threads may search with one detector", .enabled(if: !people.isEmpty))
    func threads() async throws {
        let renderer = Renderer(faces: FaceSearch(FrontalFaceDetector()))
        let picture = Self.people[0]
        let alone = try renderer.faces(in: OpenedImage(.file(picture.file)))
        try await withThrowingTaskGroup(of: [DetectedFace]?.self) { group in
            for _ in 0..<8 { group.addTask { try renderer.faces(in: OpenedImage(.file(picture.file))) } }
            for try await faces in group { #expect(faces == alone) }
        }
    }

    @Test("A face is found where the head is, upright whatever the file's orientation", .enabled(if: !people.isEmpty))
    func orientation() throws {
        let turned = KnownHeads.pictures.filter { $0.tags.contains("exif") && $0.main.count == 1 }
        for picture in turned + Self.people.prefix(3) {
            let opened = try OpenedImage(.file(picture.file))
            let renderer = Renderer(faces: FaceSearch(FrontalFaceDetector()))
            let face = try #require(try renderer.faces(in: opened)?.first).rect(in: opened.header.uprightSize)
            let head = picture.main[0]
            let (x, y) = (Double(face.x) + Double(face.width) / 2, Double(face.y) + Double(face.height) / 2)
            #expect(x > head.x && x < head.x + head.width && y > head.y && y < head.y + head.height)
            #expect(Double(face.width) > 0.5 * head.width && Double(face.width) < 1.5 * head.width)
        }
    }
}
