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
        /// Boxes in pixels; nil where none were searched for.
        let faces: [PixelRect]?

        /// How far heads reach above and below the boxes of their faces, in widths of the boxes. Of small faces the boxes
        /// say too little, and a head that the frame cuts says nothing.
        var reaches: [(above: Double, below: Double)] {
            (faces ?? []).filter { $0.width >= 60 }.compactMap { face in
                let (x, y, width) = (Double(face.x), Double(face.y), Double(face.width))
                let (middleX, middleY) = (x + width / 2, y + Double(face.height) / 2)
                let head = picture.heads.first { head in
                    (head.x...head.x + head.width).contains(middleX)
                        && (head.y...head.y + head.height).contains(middleY)
                        && (0.35 * head.width...1.6 * head.width).contains(width)
                }
                guard let head, !head.isCut(by: picture.size) else { return nil }
                return ((y - head.y) / width, (head.y + head.height - y - Double(face.height)) / width)
            }
        }
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
                        faces: result.faces?.map { $0.rect(in: picture.size) })
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
        #expect(single.count { $0.picture.main[0].isInSquare($0.rect) } >= 47, "of \(single.count)")
        #expect(single.count { $0.picture.main[0].isInCircle($0.rect) } >= 46, "of \(single.count)")

        let groups = crops.filter { $0.picture.main.count > 1 }
        #expect(groups.reduce(0) { $0 + $1.picture.main.count } == 97)
        let whole = groups.map { crop in crop.picture.main.count { $0.isInCircle(crop.rect) } }.reduce(0, +)
        #expect(whole >= 70)

        let nobody = crops.filter { $0.picture.tags.contains("negative") && !$0.picture.tags.contains("lookalike") }
        #expect(nobody.count == 38)
        #expect(nobody.count { $0.faces?.isEmpty == false } <= 5)
        #expect(nobody.filter { $0.faces?.isEmpty == true }.allSatisfy { $0.focus == .attention })

        let place = Placing(crops)
        #expect(place.count >= 60)
        #expect(
            abs(place.middle - 0.2) < 0.02 && abs(place.height - 1.6) < 0.05 && abs(place.share - 0.65) < 0.05,
            "\(place)")
        halves(crops)
    }

    /// Nothing is fitted to where pictures come from: those of every other source, and those of the rest, say the same.
    private func halves(_ crops: [Crop]) {
        let sources = Set(crops.map(\.picture.source)).sorted()
        for half in 0..<2 {
            let those = crops.filter { (sources.firstIndex(of: $0.picture.source) ?? 0) % 2 == half }
            let single = those.filter { $0.picture.main.count == 1 }
            let plain = single.filter { !$0.picture.isHard && $0.picture.canBeInCircle }
            let whole = { (crops: [Crop]) in crops.count { $0.picture.main[0].isInCircle($0.rect) } }
            let place = Placing(those)
            print(
                "half \(half + 1): whole in the circle \(whole(plain)) of \(plain.count) plain heads,",
                "\(whole(single)) of \(single.count) single ones; \(place)")
            #expect(plain.count >= 12 && place.count >= 20)
            #expect(Double(whole(plain)) >= 0.9 * Double(plain.count))
            #expect(Double(whole(single)) >= 0.8 * Double(single.count))
            // Half as many heads say it half as surely again.
            #expect(
                abs(place.middle - 0.2) < 0.04 && abs(place.height - 1.6) < 0.1 && abs(place.share - 0.65) < 0.1,
                "\(place)")
        }
    }

    /// What the crop's place is made of, in widths of the face.
    private struct Placing: CustomStringConvertible {
        /// How many heads it is taken from.
        let count: Int
        /// How far the middle of a head lies above that of its face.
        let middle: Double
        /// Of a head.
        let height: Double
        /// The share of the room that is to go above.
        let share: Double

        init(_ crops: [Crop]) {
            let reaches = crops.flatMap(\.reaches)
            let (above, below) = (Spread(reaches.map(\.above)), Spread(reaches.map(\.below)))
            count = reaches.count
            middle = (above.mean - below.mean) / 2
            height = 1 + above.mean + below.mean
            share = above.deviation / (above.deviation + below.deviation)
        }

        var description: String {
            let numbers = [middle, height, share].map { String(($0 * 1000).rounded() / 1000) }
            return "of \(count) heads: middle \(numbers[0]) above, height \(numbers[1]), share above \(numbers[2])"
        }
    }

    /// Mean and standard deviation.
    private struct Spread {
        let mean: Double
        let deviation: Double

        init(_ values: [Double]) {
            let mean = values.reduce(0, +) / Double(values.count)
            self.mean = mean
            deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
        }
    }
}
