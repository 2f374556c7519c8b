import Glibc

/// A head as the box of its face suggests it, in pixels: an ellipse 1.2 widths of the face across, from 0.46 of its
/// height above the box to 0.1 below.
struct FaceHead: Hashable {
    /// The middle of the face.
    let faceX: Double
    let faceY: Double
    let faceWidth: Double
    let faceHeight: Double
    let confidence: Double

    init(_ face: DetectedFace, in size: PixelSize) {
        faceWidth = face.width * Double(size.width)
        faceHeight = face.height * Double(size.height)
        faceX = face.x * Double(size.width) + faceWidth / 2
        faceY = face.y * Double(size.height) + faceHeight / 2
        confidence = face.confidence
    }

    /// The middle of the head.
    var x: Double { faceX }
    var y: Double { faceY - faceHeight * (0.46 - 0.1) / 2 }

    private static let directions = (0..<24).map { step in
        let angle = Double(step) * .pi / 12
        return (across: cos(angle), down: sin(angle))
    }

    /// Points of the outline, moved into the picture: what its frame cuts off, no crop can show.
    func outline(in size: PixelSize) -> [(x: Double, y: Double)] {
        let (halfWidth, halfHeight) = (0.6 * faceWidth, (1 + 0.46 + 0.1) / 2 * faceHeight)
        return Self.directions.map { direction in
            (
                min(max(x + direction.across * halfWidth, 0), Double(size.width)),
                min(max(y + direction.down * halfHeight, 0), Double(size.height))
            )
        }
    }
}
