import Testing

@testable import Cameo

struct CropSessionFacesTests {
    @Test("A session begins with the face in its mask")
    func face() throws {
        let picture = PixelSize(width: 1000, height: 800)
        var session = try CropSession(picture: picture, viewport: LayoutSize(width: 300, height: 500), mask: .circle)
        // 100 pixels wide, its middle at (500, 400): 280 pixels around (500, 380).
        session.show([DetectedFace(x: 0.45, y: 0.4375, width: 0.1, height: 0.125, confidence: 1)])
        session.checkInvariants()
        #expect(session.crop == PixelRect(x: 360, y: 234, width: 280, height: 280))
        session.reset()
        #expect(session.crop == PixelRect(x: 100, y: 0, width: 800, height: 800))
        session.show([])
        #expect(session.crop == PixelRect(x: 100, y: 0, width: 800, height: 800))
        // Too small for the largest zoom: as near as it goes.
        session.show([DetectedFace(x: 0.5, y: 0.5, width: 0.001, height: 0.00125, confidence: 1)])
        session.checkInvariants()
        #expect(session.crop.width == 100)
    }

    @Test(
        "A face that no picture has changes nothing and traps nowhere",
        arguments: [Double.nan, .infinity, 1e300, -1e300])
    func impossible(number: Double) throws {
        let picture = PixelSize(width: 1000, height: 800)
        var session = try CropSession(picture: picture, viewport: LayoutSize(width: 300, height: 500), mask: .circle)
        let before = session
        let boxes: [WritableKeyPath<DetectedFace, Double>] = [\.x, \.y, \.width, \.height]
        for box in boxes {
            var face = DetectedFace(x: 0.4, y: 0.4, width: 0.1, height: 0.1, confidence: 1)
            face[keyPath: box] = number
            session.show([face])
            #expect(session == before)
            #expect(face.rect(in: picture).width >= 1)
        }
    }
}
