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
