import Testing

@testable import Cameo

/// Where a crop lies for given faces, against arithmetic by hand.
struct FaceCropTests {
    private let picture = PixelSize(width: 1000, height: 800)

    /// A face by its middle and width, in pixels.
    private func face(_ x: Double, _ y: Double, _ width: Double, in size: PixelSize? = nil, sure: Double = 0.6)
        -> DetectedFace
    {
        let size = size ?? picture
        return DetectedFace(
            x: (x - width / 2) / Double(size.width), y: (y - width / 2) / Double(size.height),
            width: width / Double(size.width), height: width / Double(size.height), confidence: sure)
    }

    private func crop(
        _ faces: [DetectedFace], in size: PixelSize? = nil, aspect: PixelSize = PixelSize(square: 1),
        isCircle: Bool = true, framing: Focus.Framing = .head
    ) -> PixelRect {
        FaceCrop(faces, in: size ?? picture, aspect: aspect, isCircle: isCircle, framing: framing).rect
    }

    @Test("One face: 2.8 of its widths, its middle 0.26 of its width below the crop's")
    func single() {
        // 2.8 × 100 = 280; the middle at (500, 400 − 26), so from 360 and 234.
        #expect(crop([face(500, 400, 100)]) == PixelRect(x: 360, y: 234, width: 280, height: 280))
        #expect(crop([face(500, 400, 100)], isCircle: false) == PixelRect(x: 360, y: 234, width: 280, height: 280))
    }

    @Test(
        "The less room a picture has, the nearer the crop's middle is to that of an average head, 0.2 above the face's",
        arguments: [(320, 300), (360, 274), (400, 248), (480, 208)])
    func room(width: Int, top: Int) {
        // Crops of 1.6, 1.8, 2 and 2.4 widths of the face: 40, 46, 52 and 52 above its middle.
        let narrow = PixelSize(width: width, height: 1000)
        let rect = crop([face(Double(width) / 2, 500, 200, in: narrow)], in: narrow)
        #expect(rect == PixelRect(x: 0, y: top, width: width, height: width))
    }

    @Test("The crop is moved into the picture, and is no larger than its short side")
    func edges() {
        // The side is 800; around 600 it goes from 200 to 1000.
        #expect(crop([face(600, 400, 400)]) == PixelRect(x: 200, y: 0, width: 800, height: 800))
        #expect(crop([face(990, 400, 300)]).lies(inside: picture))
    }

    @Test("A face in a corner gets a narrower crop that still holds the whole head")
    func corner() {
        let faces = [face(80, 110, 100)]
        let rect = crop(faces)
        #expect(rect.x == 0 && rect.y == 0 && rect.width < 280 && rect.width >= 170)
        #expect(Self.holds(rect, 80, 110, 100))
    }

    @Test("Other aspects hold the square that a profile picture would show")
    func aspects() {
        let wide = crop([face(500, 400, 100)], aspect: PixelSize(width: 3, height: 2), isCircle: false)
        #expect(wide == PixelRect(x: 290, y: 234, width: 420, height: 280))
        let tall = crop([face(500, 400, 100)], aspect: PixelSize(width: 2, height: 3), isCircle: false)
        #expect(tall == PixelRect(x: 360, y: 164, width: 280, height: 420))
    }

    @Test("The picture's framing keeps as much as the aspect allows")
    func wholePicture() {
        #expect(crop([face(900, 400, 50)], framing: .picture) == PixelRect(x: 200, y: 0, width: 800, height: 800))
        #expect(crop([face(450, 400, 50)], framing: .picture) == PixelRect(x: 50, y: 0, width: 800, height: 800))
    }

    @Test("Two heads near each other are whole in one circle; a small or faint face does not count")
    func group() {
        let rect = crop([face(400, 400, 100), face(560, 420, 80)])
        #expect(Self.holds(rect, 400, 400, 100) && Self.holds(rect, 560, 420, 80))
        let alone = crop([face(400, 400, 100)])
        #expect(crop([face(400, 400, 100), face(560, 420, 40)]) == alone)
        #expect(crop([face(400, 400, 100), face(560, 420, 80, sure: 0.2)]) == alone)
    }

    @Test("Two people far apart: the main one, and never the wall between them")
    func apart() {
        let wide = PixelSize(width: 3000, height: 600)
        let faces = [face(300, 300, 100, in: wide), face(2700, 300, 90, in: wide)]
        #expect(crop(faces, in: wide) == crop([faces[0]], in: wide))
    }

    @Test("A row too long for a square: the most whole heads, the main one among them where that costs none")
    func row() {
        let wide = PixelSize(width: 3000, height: 600)
        let places = [200.0, 1200, 1400, 1600, 2800]
        let faces = [1400.0, 200, 1200, 1600, 2800].map { face($0, 300, 100, in: wide) }
        let rect = crop(faces, in: wide)
        #expect(rect.width == 600 && places.filter { Self.holds(rect, $0, 300, 100) } == [1200, 1400, 1600])
        // The three are in the middle of it.
        #expect(abs(rect.x + 300 - 1400) <= 24)
    }

    @Test(
        "Whatever the faces, the crop lies inside, has its aspect, and holds a head that has room",
        arguments: Patience.isForThreads ? 0..<4 : 0..<40)
    func anything(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed + 1))
        let size = PixelSize(
            width: Int.random(in: 1...2000, using: &generator), height: Int.random(in: 1...2000, using: &generator))
        for _ in 0..<20 {
            let faces = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                face(
                    Double.random(in: -50...Double(size.width) + 50, using: &generator),
                    Double.random(in: -50...Double(size.height) + 50, using: &generator),
                    Double.random(in: 0.5...900, using: &generator), in: size,
                    sure: Double.random(in: 0...1, using: &generator))
            }
            for isCircle in [true, false] {
                let rect = crop(faces, in: size, isCircle: isCircle)
                #expect(rect.lies(inside: size))
                #expect(rect.width == rect.height)
                let wide = crop(faces, in: size, aspect: PixelSize(width: 16, height: 9), isCircle: isCircle)
                #expect(wide.lies(inside: size))
            }
            let width = Double.random(in: 1...100, using: &generator)
            let (x, y) = (Double(size.width) / 2, Double(size.height) / 2)
            guard Double(min(size.width, size.height)) > 4 * width, width > 4 else { continue }
            #expect(Self.holds(crop([face(x, y, width, in: size)], in: size), x, y, width))
        }
    }

    /// Whether the head of the face with this middle and width lies in the circle in `crop`: an ellipse from 0.46 above
    /// the face to 0.1 below and 1.2 wide. A pixel of rounding is allowed.
    private static func holds(_ crop: PixelRect, _ x: Double, _ y: Double, _ width: Double) -> Bool {
        let (top, bottom) = (y - 0.96 * width, y + 0.6 * width)
        let radius = Double(crop.width) / 2
        let (middleX, middleY) = (Double(crop.x) + radius, Double(crop.y) + radius)
        return (0...100).allSatisfy { step in
            let height = top + (bottom - top) * Double(step) / 100
            let share = (height - (top + bottom) / 2) / ((bottom - top) / 2)
            let reach = 0.6 * width * max(0, 1 - share * share).squareRoot()
            return [x - reach, x + reach].allSatisfy { point in
                let (across, down) = (point - middleX, height - middleY)
                return across * across + down * down <= (radius + 1) * (radius + 1)
            }
        }
    }

    @Test(
        "The smallest circle around points is that of two or three of them",
        arguments: Patience.isForThreads ? 0..<4 : 0..<20)
    func enclosing(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed + 1))
        let points = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
            (
                x: Double.random(in: 0...100, using: &generator), y: Double.random(in: 0...100, using: &generator)
            )
        }
        func distance(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> Double {
            ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
        }
        var candidates = points
        for (place, a) in points.enumerated() {
            for (other, b) in points[..<place].enumerated() {
                candidates.append(((a.x + b.x) / 2, (a.y + b.y) / 2))
                for c in points[..<other] {
                    let area = 2 * (a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y))
                    guard abs(area) > 1e-9 else { continue }
                    let (aa, bb, cc) = (a.x * a.x + a.y * a.y, b.x * b.x + b.y * b.y, c.x * c.x + c.y * c.y)
                    candidates.append(
                        (
                            (aa * (b.y - c.y) + bb * (c.y - a.y) + cc * (a.y - b.y)) / area,
                            (aa * (c.x - b.x) + bb * (a.x - c.x) + cc * (b.x - a.x)) / area
                        ))
                }
            }
        }
        let least = candidates.map { candidate in points.map { distance($0, candidate) }.max() ?? 0 }.min() ?? 0
        let circle = EnclosingCircle(points)
        #expect(points.allSatisfy { distance($0, (circle.x, circle.y)) <= circle.radius + 1e-9 })
        #expect(circle.radius <= least * 1.005 + 1e-9)
    }
}
