import JPEGReference
import Testing

@testable import Cameo

/// Pictures with profiles that are made here, against the arithmetic of the specifications.
struct ProfileTests {
    private static let box = [Rendition.thumbnail(PixelSize(square: 40))]
    private static let all: [MadeProfile.Primaries] = [.displayP3, .adobeRGB, .proPhoto, .swapped]

    /// A grey or coloured JPEG of one colour.
    private static func flat(_ color: [UInt8]) throws -> [UInt8] {
        var file = MadeJPEG(width: 80, height: 80)
        (file.color, file.quality, file.content) = (color.count == 1 ? .grey : .rgb, 100, .halves(color, color))
        return try #require(file.encoded())
    }

    private static func render(_ bytes: [UInt8]) throws -> (mean: [Double], warnings: [RenderWarning]) {
        let result = try Renderer().render(.bytes(bytes, name: "made.jpg"), box)
        return (Pictures.mean(result.images[0].pixels), result.warnings)
    }

    @Test("A wide-gamut or swapped profile gives the colours that a managed viewer shows", arguments: all)
    func managed(primaries: MadeProfile.Primaries) throws {
        for color: [UInt8] in [[150, 120, 100], [90, 110, 140], [200, 200, 200], [128, 100, 128]] {
            let bytes = MadeProfile.embedded(MadeProfile.rgb(primaries, gamma: 2.2), in: try Self.flat(color))
            let (mean, warnings) = try Self.render(bytes)
            let want = MadeProfile.inSRGB(color, primaries, gamma: 2.2)
            #expect(Pictures.difference(mean, want) <= 2.5, "\(mean), not \(want)")
            #expect(warnings.isEmpty)
        }
    }

    @Test("A grey picture with a grey profile is shown by it")
    func grey() throws {
        let bytes = MadeProfile.embedded(MadeProfile.grey(gamma: 1), in: try Self.flat([128]))
        let (mean, warnings) = try Self.render(bytes)
        let level = MadeProfile.encoded(128.0 / 255)
        #expect(Pictures.difference(mean, [level, level, level]) <= 2 && warnings.isEmpty)
    }

    @Test("A profile that does not fit is ignored with a warning: grey with an RGB one, RGB with one for CMYK")
    func unfit() throws {
        let cases: [([UInt8], [UInt8])] = [
            ([128], MadeProfile.rgb(.swapped, gamma: 1)), ([150, 120, 100], MadeProfile.cmyk),
            ([150, 120, 100], MadeProfile.grey(gamma: 1)),
        ]
        for (color, profile) in cases {
            let (mean, warnings) = try Self.render(MadeProfile.embedded(profile, in: try Self.flat(color)))
            let want = (color.count == 1 ? [color[0], color[0], color[0]] : color).map { Double($0) }
            #expect(Pictures.difference(mean, want) <= 1 && warnings == [.profileIgnored])
        }
    }

    @Test(
        "A profile in pieces out of order is put together by their numbers",
        arguments: [[1, 2, 3], [3, 1, 2], [2, 1]])
    func pieces(order: [Int]) throws {
        let color: [UInt8] = [200, 60, 60]
        let bytes = MadeProfile.embedded(
            MadeProfile.rgb(.swapped, gamma: 2.2), in: try Self.flat(color), order: order)
        let (mean, warnings) = try Self.render(bytes)
        #expect(Pictures.difference(mean, MadeProfile.inSRGB(color, .swapped, gamma: 2.2)) <= 2.5 && warnings.isEmpty)
    }

    @Test("A truncated or empty profile, or one that lacks a piece, costs a warning at most and not the picture")
    func broken() throws {
        let (color, profile): ([UInt8], [UInt8]) = ([200, 60, 60], MadeProfile.rgb(.swapped, gamma: 2.2))
        let jpeg = try Self.flat(color)
        let cut = MadeProfile.embedded(profile.dropLast(40).map { $0 }, in: jpeg)
        let empty = MadeProfile.embedded([], in: jpeg)
        let missing = MadeProfile.embedded(profile, in: jpeg, order: [1, 2], of: 3)
        for bytes in [cut, empty, missing] {
            let (mean, warnings) = try Self.render(bytes)
            #expect(Pictures.difference(mean, color.map(Double.init)) <= 1)
            #expect(warnings.isEmpty || warnings == [.profileIgnored])
        }
        #expect(try Self.render(cut).warnings == [.profileIgnored])
    }
}
