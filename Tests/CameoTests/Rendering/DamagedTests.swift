import Foundation
import Testing

@testable import Cameo

struct DamagedTests {
    private static let box = [Rendition.thumbnail(PixelSize(square: 64))]

    private static func noise(_ side: Int) -> PixelBuffer {
        var state: UInt32 = 7
        return Pictures.painted(PixelSize(square: side)) { x, y in
            state = state &* 1_664_525 &+ 1_013_904_223
            return [UInt8(x & 255), UInt8(y & 255), UInt8(state >> 24)]
        }
    }

    @Test(
        "A truncated file gives the part that is there with a warning, or a typed error, at any length",
        arguments: [Encoding.Format.jpeg, .png, .webp])
    func truncatedAnywhere(format: Encoding.Format) throws {
        let whole = try Self.noise(200).encoded(Encoding(format)).bytes
        var pictures = 0
        for length in stride(from: 1, to: whole.count - 2, by: max(1, whole.count / 60)) {
            do throws(RenderError) {
                let result = try Renderer().render(.bytes(Array(whole[..<length]), name: "cut"), Self.box)
                pictures += 1
                #expect(
                    result.warnings.contains(.truncated) || result.warnings.contains(.damaged),
                    "\(format) cut at \(length)")
            } catch {
                #expect(["corrupt", "notAnImage", "unsupported"].contains(error.kind), "\(error)")
            }
        }
        // libwebp gives nothing of a picture that is not whole; the other two give what there is.
        if format != .webp { #expect(pictures > 40) }
    }

    @Test("A whole file carries no warning", arguments: [Encoding.Format.jpeg, .png, .webp])
    func whole(format: Encoding.Format) throws {
        #expect(try Renderer().render(Pictures.source(Self.noise(200), format), Self.box).warnings.isEmpty)
    }

    @Test("Strictness makes a truncated picture a failure")
    func strict() throws {
        let whole = try Self.noise(200).encoded(Encoding(.jpeg)).bytes
        let cut = ImageSource.bytes(Array(whole[..<(whole.count / 2)]), name: "cut")
        var options = RenderOptions()
        options.isStrict = true
        #expect(try Renderer().render(cut, Self.box).warnings == [.truncated])
        let error = #expect(throws: RenderError.self) { try Renderer(options: options).render(cut, Self.box) }
        #expect(error?.kind == "corrupt")
    }

    @Test("Random damage ends in a picture or a typed error, and never changes a neighbour", arguments: 0..<20)
    func mutated(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ limit: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(limit))
        }
        let good = try Pictures.source(Self.noise(90), .jpeg)
        let before = try Renderer().render(good, Self.box).images
        for format in Encoding.Format.allCases {
            var bytes = try Self.noise(60).encoded(Encoding(format)).bytes
            for _ in 0..<(1 + next(12)) { bytes[next(bytes.count)] = UInt8(next(256)) }
            do throws(RenderError) {
                let image = try Renderer().render(.bytes(bytes, name: "hurt"), Self.box).images[0]
                #expect(image.pixels.size.width <= 64 && image.pixels.size.height <= 64)
            } catch {
                #expect(["corrupt", "notAnImage", "unsupported", "tooLarge"].contains(error.kind), "\(error)")
            }
        }
        #expect(try Renderer().render(good, Self.box).images == before)
    }
}
