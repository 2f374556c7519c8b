import Testing

@testable import Cameo

/// The geometry of an editing step.
@Suite struct CropSessionTests {
    let viewport = LayoutSize(width: 400, height: 600)

    private func session(_ width: Int, _ height: Int, _ mask: CropSession.Mask = .square) throws -> CropSession {
        try CropSession(picture: PixelSize(width: width, height: height), viewport: viewport, mask: mask)
    }

    @Test("An untouched session shows the middle, just covering the mask")
    func untouched() throws {
        let square = try session(1200, 800)
        #expect(square.maskFrame == LayoutRect(x: 0, y: 100, width: 400, height: 400))
        #expect(square.pictureFrame == LayoutRect(x: -100, y: 100, width: 600, height: 400))
        #expect(square.crop == PixelRect(x: 200, y: 0, width: 800, height: 800))
        #expect(square.isEdited && !square.canReset)
        let whole = try session(1200, 800, .free(aspect: 1.5))
        #expect(whole.crop == PixelRect(PixelSize(width: 1200, height: 800)))
        #expect(!whole.isEdited && !whole.canReset)
        #expect(try session(500, 500, .circle).isEdited == false)
    }

    @Test("Zooming keeps the point under the fingers where it is")
    func anchored() throws {
        var session = try session(1200, 800)
        session.zoom(to: 2, at: LayoutPoint(x: 0, y: 100))
        #expect(session.crop == PixelRect(x: 200, y: 0, width: 400, height: 400))
        session.zoom(to: 4, at: LayoutPoint(x: 400, y: 500))
        #expect(session.crop == PixelRect(x: 400, y: 200, width: 200, height: 200))
        session.zoom(to: 100)
        #expect(session.zoom == 8)
        session.zoom(to: 0.2)
        #expect(session.zoom == 1 && session.crop.size == PixelSize(square: 800))
        session.zoom(to: .nan)
        session.pan(x: .infinity, y: 0)
        #expect(session.zoom == 1)
    }

    @Test("The picture follows the finger as it is seen, turned and mirrored too, and stops at its edges")
    func panning() throws {
        var session = try session(1200, 800)
        session.pan(x: 50, y: 70)
        #expect(session.crop.x == 100 && session.crop.y == 0)
        session.pan(x: 1e9, y: -1e9)
        #expect(session.crop.x == 0 && session.crop.y == 0)
        session.reset()
        session.turn()
        session.pan(x: 0, y: 50)
        // Turned clockwise, the left edge is on top: pulled down, it is nearer.
        #expect(session.crop.x == 100)
        session.reset()
        session.mirror()
        session.pan(x: 50, y: 0)
        #expect(session.crop.x == 300)
    }

    @Test("Four turns, or two mirrors, lead back; a mirrored picture turns as it is seen")
    func turns() throws {
        var session = try session(1200, 800)
        session.zoom(to: 3, at: LayoutPoint(x: 30, y: 150))
        let start = session
        for _ in 0..<4 { session.turn() }
        #expect(session == start)
        session.mirror()
        session.turn()
        #expect(session.quarterTurns == 3 && session.isMirrored)
        // Clockwise of left to right: up is right, and so the upper row is the right column, from its top.
        #expect(session.edit.turn == .rightMirrored)
        session.turn(-1)
        session.mirror()
        #expect(session == start)
        session.turn(.min)
        session.checkInvariants()
    }

    @Test("A crop does not change with the viewport")
    func rotation() throws {
        var session = try session(4032, 3024, .free(aspect: 1.6))
        session.zoom(to: 2.7, at: LayoutPoint(x: 13, y: 301))
        let crop = session.crop
        try session.setViewport(LayoutSize(width: 600, height: 400))
        #expect(session.crop == crop)
        session.checkInvariants()
    }

    @Test("Impossible pictures, viewports and masks are typed errors")
    func impossible() {
        for (width, height) in [(0, 10), (10, -1)] {
            #expect(throws: PickingError.self) { try session(width, height) }
        }
        for aspect in [0, -1, .nan, .infinity, 1e9] {
            #expect(throws: PickingError.self) { try session(10, 10, .free(aspect: aspect)) }
        }
        #expect(throws: PickingError.self) {
            try CropSession(picture: PixelSize(square: 9), viewport: LayoutSize(width: 0, height: 9))
        }
    }

    @Test("After any gestures the crop lies inside the picture, in its own pixels, and is what the mask shows")
    func random() throws {
        for _ in 0..<400 {
            let mask: CropSession.Mask = [.square, .circle, .free(aspect: .random(in: 0.2...5))].randomElement()!
            let (width, height) = (Int.random(in: 1...60) * Int.random(in: 1...99), Int.random(in: 1...3000))
            var session = try session(width, height, mask)
            for _ in 0..<25 {
                switch Int.random(in: 0..<6) {
                case 0, 1:
                    session.zoom(
                        to: .random(in: 0.5...10),
                        at: LayoutPoint(x: .random(in: 0...400), y: .random(in: 0...600)))
                case 2, 3: session.pan(x: .random(in: -300...300), y: .random(in: -300...300))
                case 4: session.turn(Int.random(in: -3...3))
                default: session.mirror()
                }
                session.checkInvariants()
                let crop = session.crop
                if mask.aspect == 1 { #expect(crop.width == crop.height) }
                // Where the crop's rectangle is on the screen, by way of the frame of the whole picture.
                let shown = session.shownOnScreen(crop)
                let pixel = session.pictureFrame.width / Double(session.edit.turn.upright(session.picture).width)
                let mask = session.maskFrame
                for (edge, maskEdge) in [
                    (shown.x, mask.x), (shown.y, mask.y), (shown.maxX, mask.maxX), (shown.maxY, mask.maxY),
                ] {
                    #expect(abs(edge - maskEdge) <= pixel * 1.01, "\(session)")
                }
            }
            session.reset()
            #expect(!session.canReset)
        }
    }
}

extension CropSession {
    /// A rectangle of the upright original in the viewport, worked out corner by corner.
    fileprivate func shownOnScreen(_ rect: PixelRect) -> LayoutRect {
        func turned(_ x: Double, _ y: Double) -> LayoutPoint {
            var (x, y, width, height) = (x, y, Double(picture.width), Double(picture.height))
            for _ in 0..<quarterTurns {
                (x, y) = (height - y, x)
                (width, height) = (height, width)
            }
            if isMirrored { x = width - x }
            let frame = pictureFrame
            return LayoutPoint(x: frame.x + x / width * frame.width, y: frame.y + y / height * frame.height)
        }
        let a = turned(Double(rect.x), Double(rect.y))
        let b = turned(Double(rect.x + rect.width), Double(rect.y + rect.height))
        return LayoutRect(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
    }
}
