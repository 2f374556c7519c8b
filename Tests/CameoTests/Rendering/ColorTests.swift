import Testing

@testable import Cameo

struct ColorTests {
    @Test(
        "A flat picture without a profile keeps its colour to the level, with no edge",
        arguments: [Encoding.Format.png, .jpeg])
    func neutral(format: Encoding.Format) throws {
        for level: UInt8 in [0, 1, 64, 128, 200, 255] {
            let flat = PixelBuffer(size: PixelSize(width: 301, height: 203), filledWith: RGBColor(level, level, level))
            let image = try Renderer().render(
                Pictures.source(flat, format), [.thumbnail(PixelSize(width: 37, height: 37))])
            #expect(Set(image.images[0].pixels.bytes) == [level])
        }
    }

    @Test(
        "A wide-gamut photo agrees with the same photo whose colours were left alone only where a profile says so",
        .disabled(if: Corpus.isAbsent, "shared/corpus is absent"))
    func displayP3() throws {
        let box = [Rendition.thumbnail(PixelSize(square: 128))]
        let managed = try Renderer().render(.file(Corpus.file("color/ferry_sunset.jpg")), box).images[0].pixels
        let bare = try Renderer().render(.file(Corpus.file("color/ferry_sunset_no_icc.jpg")), box).images[0].pixels
        // The manifest's means, from another colour engine: 144,102,107 and 139,105,109.
        #expect(Pictures.difference(Pictures.mean(managed), [144, 102, 107]) < 1.5)
        #expect(Pictures.difference(Pictures.mean(bare), [139, 105, 109]) < 1.5)
    }

    @Test(
        "A profile that is broken or does not fit is a warning and not a failure",
        .disabled(if: Corpus.isAbsent, "shared/corpus is absent"),
        arguments: [
            "color/corrupted-icc-srgb.jpg", "color/jfif-cmyk-invalid-icc-profile-srgb.jpg", "orientation/f1t.jpg",
        ])
    func unfitProfiles(name: String) throws {
        let result = try Renderer().render(.file(Corpus.file(name)), [.thumbnail(PixelSize(square: 64))])
        #expect(result.warnings == [.profileIgnored])
    }

    @Test(
        "The four codings of one photo give the same thumbnail",
        .disabled(if: Corpus.isAbsent, "shared/corpus is absent"))
    func codingsAgree() throws {
        let names = ["jpeg", "lossless.webp", "lossy.webp", "png"].map { "modern/hibiscus.regular.\($0)" }
        let pictures = try names.map {
            try Renderer().render(.file(Corpus.file($0)), [.thumbnail(PixelSize(square: 128))]).images[0].pixels
        }
        for picture in pictures.dropFirst() {
            let differences = zip(picture.bytes, pictures[0].bytes).map { abs(Int($0) - Int($1)) }
            // Full decodes by Pillow, reduced by Lanczos, are themselves up to 2.8 apart: the lossy WebP is.
            #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 3.5)
        }
    }

    private static func profile(_ bytes: [UInt8]) -> ICCProfile? { ICCProfile(bytes.span) }

    @Test("A profile's name and space are read from its header, and its lengths are not trusted")
    func profileHeader() {
        var bytes = [UInt8](repeating: 0, count: 180)
        bytes.replaceSubrange(0..<4, with: [0, 0, 0, 180])
        bytes.replaceSubrange(16..<20, with: Array("RGB ".utf8))
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        bytes[131] = 1
        bytes.replaceSubrange(132..<144, with: Array("desc".utf8) + [0, 0, 0, 144, 0, 0, 0, 36])
        bytes.replaceSubrange(144..<148, with: Array("desc".utf8))
        bytes[155] = 5
        bytes.replaceSubrange(156..<160, with: Array("Test".utf8))
        #expect(Self.profile(bytes)?.name == "Test")
        #expect(Self.profile(bytes)?.colorSpace == .rgb)
        #expect(Self.profile(Array(bytes.dropLast())) == nil)
        bytes[139] = 200
        #expect(Self.profile(bytes) == nil)
    }
}
