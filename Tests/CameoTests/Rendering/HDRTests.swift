import Testing

@testable import Cameo

struct HDRTests {
    @Test("The PQ curve gives BT.2408's diffuse white at 58 % and 10,000 cd/m² at full")
    func pq() throws {
        let linear = try #require(HDRTransfer(curve: 16, primaries: 9)).linear
        // BT.2408, table 1: 203 cd/m² is 58 % PQ; ST 2084: 100 cd/m² is 50.8 %.
        #expect(abs(linear[Int(0.5807 * 4095)] - 1) < 0.02)
        #expect(abs(linear[Int(0.5081 * 4095)] * 203 - 100) < 1)
        #expect(abs(linear[4095] * 203 - 10_000) < 1 && linear[0] < 1e-6)
    }

    @Test("The HLG curve gives BT.2100's values at its corner points")
    func hlg() throws {
        let linear = try #require(HDRTransfer(curve: 18, primaries: 9)).linear
        #expect(linear[0] == 0 && abs(linear[4095] - 1) < 0.001)
        #expect(abs(linear[2048] - 1.0 / 12) < 0.0005)
    }

    @Test("Grey stays grey and gets brighter with the light, from black to white", arguments: [16, 18], [1, 9, 12])
    func mapping(curve: Int, primaries: Int) throws {
        let transfer = try #require(HDRTransfer(curve: curve, primaries: primaries))
        var previous = -1
        for light in stride(from: 0.0, through: curve == 16 ? 5 : 1, by: 0.01) {
            let (red, green, blue) = transfer.mapped((light, light, light))
            #expect(abs(Int(red) - Int(green)) <= 1 && abs(Int(green) - Int(blue)) <= 1)
            #expect(Int(green) >= previous)
            previous = Int(green)
        }
        #expect(previous >= 254)
        #expect(transfer.mapped((0, 0, 0)) == (0, 0, 0))
    }

    @Test("Standard range has no transfer of this kind", arguments: [1, 13, 6, 2])
    func standardRange(curve: Int) {
        #expect(HDRTransfer(curve: curve, primaries: 9) == nil)
    }

    @Test(
        "A picture in high and in standard range gives much the same thumbnail",
        .disabled(if: Corpus.isAbsent, "shared/corpus is absent"))
    func pair() throws {
        let box = [Rendition.thumbnail(PixelSize(square: 100))]
        let high = try Renderer().render(.file(Corpus.file("modern/colors_hdr_rec2020.avif")), box).images[0].pixels
        let standard = try Renderer().render(.file(Corpus.file("modern/colors_sdr_srgb.avif")), box).images[0].pixels
        for part in Pictures.quarters(of: high.size) {
            #expect(Pictures.difference(Pictures.mean(high, part), Pictures.mean(standard, part)) < 45)
        }
    }
}

struct HEIFPropertiesTests {
    private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 8
        return [0, 0, UInt8(length >> 8), UInt8(length & 255)] + Array(kind.utf8) + content
    }

    /// A file of two items, each with a `colr` of its own; the second is a gain map's.
    private static func file(primaryCurve: UInt8, otherCurve: UInt8, order: [UInt8] = [1]) -> [UInt8] {
        func colour(_ curve: UInt8) -> [UInt8] { box("colr", Array("nclx".utf8) + [0, 9, 0, curve, 0, 9, 0x80]) }
        let container = box("ipco", colour(primaryCurve) + colour(otherCurve) + box("irot", [1]))
        let lists: [UInt8] = [0, 1, UInt8(order.count)] + order + [0, 2, 1, 2]
        let associations = box("ipma", [0, 0, 0, 0, 0, 0, 0, 2] + lists)
        let primary = box("pitm", [0, 0, 0, 0, 0, 1])
        return box("ftyp", Array("avif".utf8))
            + box("meta", [0, 0, 0, 0] + primary + box("iprp", container + associations))
    }

    private static func transfer(_ bytes: [UInt8]) -> HDRTransfer? { HEIFProperties.transfer(bytes.span) }
    private static func corrections(_ bytes: [UInt8]) -> [[UInt8]] {
        HEIFProperties.corrections(bytes.span).map(\.bytes)
    }

    @Test("The primary picture's transfer counts, not that of a gain map beside it")
    func primary() {
        #expect(Self.transfer(Self.file(primaryCurve: 13, otherCurve: 16)) == nil)
        #expect(Self.transfer(Self.file(primaryCurve: 16, otherCurve: 13)) == HDRTransfer(curve: 16, primaries: 9))
        #expect(Self.transfer(Self.file(primaryCurve: 18, otherCurve: 16)) == HDRTransfer(curve: 18, primaries: 9))
    }

    @Test("A rotation before a description is moved behind it, and a file in order is left alone")
    func order() {
        #expect(Self.corrections(Self.file(primaryCurve: 16, otherCurve: 13, order: [0x83, 1])) == [[1, 0x83]])
        #expect(Self.corrections(Self.file(primaryCurve: 16, otherCurve: 13, order: [1, 0x83])).isEmpty)
    }

    @Test("Cut anywhere, the boxes give nothing or something, and never a trap")
    func cut() {
        let whole = Self.file(primaryCurve: 16, otherCurve: 18, order: [0x83, 1])
        for length in 0..<whole.count {
            _ = Self.transfer(Array(whole[..<length]))
            _ = Self.corrections(Array(whole[..<length]))
        }
        #expect(Self.transfer(whole) != nil)
    }
}
