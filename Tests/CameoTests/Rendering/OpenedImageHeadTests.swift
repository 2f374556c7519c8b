import Testing

@testable import Cameo

struct OpenedImageHeadTests {
    private static func refusal(_ bytes: [UInt8], edge: Int = 100_000) -> String? {
        var options = RenderOptions()
        options.limits.edge = edge
        return OpenedImage.refusal(ofHead: bytes, named: "x", options: options)?.kind
    }

    @Test("The first bytes tell what is no picture, what is none of ours, and what is too large")
    func refused() throws {
        let pixels = PixelBuffer(size: PixelSize(width: 80, height: 60), filledWith: RGBColor(9, 9, 9))
        #expect(Self.refusal(Array("words".utf8)) == "notAnImage" && Self.refusal([]) == "notAnImage")
        #expect(Self.refusal(Array("%PDF-1.7\n".utf8)) == "unsupported")
        for format in [Encoding.Format.jpeg, .png] {
            let bytes = try pixels.encoded(Encoding(format)).bytes
            for count in [bytes.count, bytes.count / 2, 40] {
                #expect(Self.refusal(Array(bytes.prefix(count))) == nil, "\(format) \(count)")
            }
            #expect(Self.refusal(bytes, edge: 79) == "tooLarge", "\(format)")
        }
    }
}
