import Foundation
import Testing

@testable import Cameo

/// Pictures in 25 bytes.
struct ThumbHashTests {
    @Test(
        "A picture of one colour comes back as that colour",
        arguments: [RGBColor(200, 40, 90), RGBColor(0, 0, 0), RGBColor(255, 255, 255), RGBColor(20, 120, 240)])
    func oneColor(color: RGBColor) throws {
        let hash = ThumbHash(PixelBuffer(size: PixelSize(width: 40, height: 30), filledWith: color))
        let back = hash.pixels(PixelSize(width: 16, height: 12))
        // Lightness has 64 steps, a colour difference 64 over twice the range.
        let expected = [Double(color.red), Double(color.green), Double(color.blue)]
        #expect(Pictures.difference(Pictures.mean(back), expected) < 10)
        #expect(Set(stride(from: 0, to: back.bytes.count, by: 3).map { back.bytes[$0] }).count == 1)
    }

    @Test("Each quarter keeps its colour, and the picture its orientation")
    func quarters() throws {
        let pixels = Pictures.quarters(PixelSize(width: 60, height: 40))
        let back = ThumbHash(pixels).pixels(PixelSize(width: 30, height: 20))
        for (a, b) in zip(Pictures.quarters(of: back.size), Pictures.quarters(of: pixels.size)) {
            let (got, want) = (Pictures.mean(back, a), Pictures.mean(pixels, b))
            // A blur mixes; the strongest channel stays the strongest.
            for channel in 0..<3 where want[channel] > 200 { #expect(got[channel] > 110) }
            for channel in 0..<3 where want[channel] < 50 { #expect(got[channel] < 145) }
        }
    }

    @Test("It takes 21 to 25 bytes opaque and at most 34 with alpha, whatever the shape", arguments: [1, 2, 7, 40, 64])
    func length(height: Int) throws {
        let size = PixelSize(width: 64, height: height)
        let opaque = ThumbHash(Pictures.quarters(size))
        #expect((16...25).contains(opaque.bytes.count))
        let clear = ThumbHash(Pictures.painted(size, channels: 4) { x, _ in [200, 30, 30, UInt8(x * 4)] })
        #expect((20...34).contains(clear.bytes.count))
        let back = clear.pixels(PixelSize(width: 32, height: 16))
        #expect(back.channels == 4)
        // Of a line or two, terms of a higher order than there are lines say nothing.
        if height >= 7 { #expect(back[2, 8][3] < 70 && back[29, 8][3] > 180) }
    }

    @Test("Bytes that are no hash are refused, and any others give a picture and never a trap")
    func hostile() throws {
        #expect(ThumbHash([]) == nil && ThumbHash([1, 2, 3, 4]) == nil)
        var random = Seeded(7)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard let hash = ThumbHash(bytes) else { continue }
            #expect(ThumbHash(hash.bytes) == hash)
            #expect(hash.pixels(PixelSize(width: 5, height: 3)).size == PixelSize(width: 5, height: 3))
        }
    }

    @Test("A horizontal ramp is written as the definition says, term by term")
    func byHand() throws {
        // Lightness x/15 over 16 columns: mean 1/2, first cosine term negative and by far the largest, no colour.
        let pixels = Pictures.painted(PixelSize(square: 16)) { x, _ in [UInt8(x * 17), UInt8(x * 17), UInt8(x * 17)] }
        let bytes = ThumbHash(pixels).bytes
        var term = 0.0
        for x in 0..<16 { term += Double(x) / 15 * cos(Double.pi / 16 * (Double(x) + 0.5)) / 16 }
        let head = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        #expect(head & 63 == 32)
        #expect(head >> 6 & 63 == 32 && head >> 12 & 63 == 32)
        #expect(head >> 18 & 31 == Int((abs(term) * 31).rounded()))
        // Seven terms each way, square; the first nibble is the least value: the ramp rises where the cosine falls.
        #expect(Int(bytes[3]) & 7 == 7 && bytes[4] >> 7 == 0)
        #expect(bytes[5] & 15 == 0)
    }
}
