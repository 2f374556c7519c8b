import Cameo
import FaceDetection
import Foundation
import Synchronization
import Testing

/// Profile pictures against heads that were drawn by hand.
@Suite(.enabled(if: !KnownHeads.pictures.isEmpty, "shared/faces is not beside the repository"))
struct KnownHeadsTests {
    struct Crop {
        let picture: KnownHeads.Picture
        let rect: PixelRect
        let focus: Focus
        let faces: Int
    }

    static let isSlow = ProcessInfo.processInfo.environment["CAMEO_SLOW_TESTS"] != nil

    /// The crops of circles, made by two threads with one detector.
    private func crops(_ pictures: [KnownHeads.Picture]) throws -> [Crop] {
        let renderer = Renderer(faces: FaceSearch(FrontalFaceDetector()))
        let crops = Mutex([Crop]())
        let failures = Mutex([any Error]())
        DispatchQueue.concurrentPerform(iterations: 2) { worker in
            for (place, picture) in pictures.enumerated() where place % 2 == worker {
                do {
                    let result = try renderer.render(.file(picture.file), [.profilePicture(32)])
                    let crop = Crop(
                        picture: picture, rect: result.images[0].crop, focus: result.images[0].focus,
                        faces: result.faces?.count ?? -1)
                    crops.withLock { $0.append(crop) }
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
        }
        if let first = failures.withLock({ $0.first }) { throw first }
        return crops.withLock { $0 }
    }

    @Test("A dozen people are whole in their circles")
    func dozen() throws {
        let people = KnownHeads.pictures.filter { $0.main.count == 1 && !$0.isHard && $0.canBeInCircle }
        let crops = try crops(Array(people.prefix(12)))
        #expect(crops.count { $0.focus == .faces() } >= 11)
        for crop in crops {
            #expect(crop.rect.width == crop.rect.height)
            #expect(crop.picture.main[0].shareInCircle(crop.rect) >= 0.95, "\(crop.picture.file): \(crop.rect)")
        }
    }

    @Test("Heads are whole in their crops as often as the best rule that is known", .enabled(if: isSlow))
    func all() throws {
        let crops = try crops(KnownHeads.pictures)
        #expect(crops.count == KnownHeads.pictures.count)
        let single = crops.filter { $0.picture.main.count == 1 }
        let plain = single.filter { !$0.picture.isHard && $0.picture.canBeInCircle }
        #expect(plain.count == 38)
        #expect(plain.count { $0.picture.main[0].isInCircle($0.rect) } >= 36)
        for crop in plain {
            #expect(crop.picture.main[0].shareInCircle(crop.rect) >= 0.95, "\(crop.picture.file): \(crop.rect)")
        }
        #expect(single.count { $0.picture.main[0].isInSquare($0.rect) } >= 46, "of \(single.count)")
        #expect(single.count { $0.picture.main[0].isInCircle($0.rect) } >= 45, "of \(single.count)")

        let groups = crops.filter { $0.picture.main.count > 1 }
        #expect(groups.reduce(0) { $0 + $1.picture.main.count } == 97)
        let whole = groups.map { crop in crop.picture.main.count { $0.isInCircle(crop.rect) } }.reduce(0, +)
        #expect(whole >= 70)

        let nobody = crops.filter { $0.picture.tags.contains("negative") && !$0.picture.tags.contains("lookalike") }
        #expect(nobody.count == 38)
        #expect(nobody.count { $0.faces > 0 } <= 5)
        #expect(nobody.filter { $0.faces == 0 }.allSatisfy { $0.focus == .attention })
    }
}
