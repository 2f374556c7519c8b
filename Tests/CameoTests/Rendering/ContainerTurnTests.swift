import Testing

@testable import Cameo

/// HEIC and AVIF whose containers turn and mirror their pictures.
struct ContainerTurnTests {
    struct Turn: Sendable {
        var turns: UInt8?
        var mirror: UInt8?
    }

    private static let turns = [
        Turn(), Turn(turns: 1), Turn(turns: 2), Turn(turns: 3), Turn(mirror: 0), Turn(mirror: 1),
        Turn(turns: 1, mirror: 0), Turn(turns: 3, mirror: 1),
    ]

    /// Which quarter is seen where, as one reads: a turn against the clock brings the right one up.
    private static func quarters(_ turn: Turn) -> [Int] {
        var quarters = [0, 1, 2, 3]
        for _ in 0..<(turn.turns ?? 0) { quarters = [quarters[1], quarters[3], quarters[0], quarters[2]] }
        if turn.mirror == 0 { quarters = [quarters[2], quarters[3], quarters[0], quarters[1]] }
        if turn.mirror == 1 { quarters = [quarters[1], quarters[0], quarters[3], quarters[2]] }
        return quarters
    }

    @Test(
        "The rotation and mirror of a HEIC's or AVIF's container win; an EXIF orientation beside them is ignored",
        arguments: MadeHEIF.Coding.allCases, turns)
    func turned(coding: MadeHEIF.Coding, turn: Turn) throws {
        let stored = PixelSize(width: 128, height: 64)
        let size = (turn.turns ?? 0) % 2 == 1 ? stored.transposed : stored
        for orientation in [nil, 1, 6, 8, 2] {
            let file = MadeHEIF(coding: coding, turns: turn.turns, mirror: turn.mirror, orientation: orientation)
            let opened = try OpenedImage(.bytes(file.encoded(), name: "made.\(coding)"))
            #expect(opened.header.format == (coding == .heic ? .heif : .avif))
            #expect(opened.header.uprightSize == size)
            let box = PixelSize(square: 64)
            let image = try Renderer().render(opened, [.thumbnail(box)]).images[0]
            #expect(image.pixels.size == size.fitted(into: box, enlarging: false))
            for (part, quarter) in zip(Pictures.quarters(of: image.pixels.size), Self.quarters(turn)) {
                let want = Pictures.quarterColor(right: quarter % 2 == 1, low: quarter > 1).map(Double.init)
                #expect(Pictures.difference(Pictures.mean(image.pixels, part), want) < 12, "\(orientation ?? 0)")
            }
        }
    }

    @Test(
        "A picture in high dynamic range, by either curve, is a picture in standard range and no error",
        arguments: MadeHEIF.Coding.allCases, [UInt8(16), 18])
    func highRange(coding: MadeHEIF.Coding, curve: UInt8) throws {
        let file = MadeHEIF(coding: coding, curve: curve, primaries: 9)
        let result = try Renderer().render(.bytes(file.encoded(), name: "hdr"), [.thumbnail(PixelSize(square: 64))])
        #expect(result.warnings.isEmpty)
        // Of each quarter the same channels are the bright ones as in the file, and the dark ones are not lifted.
        for (index, part) in Pictures.quarters(of: result.images[0].pixels.size).enumerated() {
            let mean = Pictures.mean(result.images[0].pixels, part)
            let stored = Pictures.quarterColor(right: index % 2 == 1, low: index > 1)
            for (seen, level) in zip(mean, stored) { #expect(level > 100 ? seen > 150 : seen < 100, "\(mean)") }
        }
    }
}
