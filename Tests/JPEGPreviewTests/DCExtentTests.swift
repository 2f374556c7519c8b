import JPEGReference
import Testing

@testable import JPEGPreview

struct DCExtentTests {
    private static func extent(_ bytes: some Collection<UInt8>) -> DCExtent {
        Array(bytes).withUnsafeBytes { DCExtent($0) }
    }

    private static func made(_ color: MadeJPEG.Color, split: Bool, restart: Int = 0) throws -> [UInt8] {
        var made = MadeJPEG(width: 131, height: 70)
        (made.color, made.isProgressive, made.isSplit, made.restartInterval) = (color, true, split, restart)
        made.sampling = color == .yCbCr ? [(2, 2)] : []
        return try #require(made.encoded())
    }

    @Test(
        "So many bytes, and none less, are what the coefficients are read from",
        arguments: [MadeJPEG.Color.grey, .yCbCr, .rgb, .cmyk], [false, true])
    func exact(color: MadeJPEG.Color, split: Bool) throws {
        for restart in [0, 3] {
            let bytes = try Self.made(color, split: split, restart: restart)
            guard case .first(let end) = Self.extent(bytes) else {
                Issue.record("no extent")
                return
            }
            for count in 4..<bytes.count {
                #expect(Self.extent(bytes[..<count]) == (count < end ? .beyond : .first(end)))
            }
            // The last of them is the last of the header of a scan that is not needed: its three bytes tell of AC.
            #expect(bytes[end - 3] == 1 || bytes[end - 1] >> 4 == 1, "\(bytes[end - 3..<end])")
            let scans = (0..<end - 1).filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }.count
            #expect(scans == (split ? color.components : 1) + 1)
            // Whatever follows makes no difference.
            let parts = try DCDecoder(bytes[..<end] + [UInt8](repeating: 0, count: bytes.count - end))
            let whole = try DCDecoder(bytes)
            #expect(parts.findings == whole.findings && parts.position == whole.position && parts.position <= end)
            for (part, plane) in zip(parts.planes, whole.planes) {
                for row in 0..<plane.rows {
                    #expect((0..<plane.columns).allSatisfy { part[$0, row] == plane[$0, row] })
                }
            }
        }
    }

    @Test("There is none of a file that is not progressive, of one without a height, and of what is none")
    func none() throws {
        let baseline = try #require(MadeJPEG(width: 40, height: 30).encoded())
        #expect(Self.extent(baseline) == .none)
        var bytes = try Self.made(.yCbCr, split: false)
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
        (bytes[frame + 5], bytes[frame + 6]) = (0, 0)
        #expect(Self.extent(bytes) == .none)
        #expect(Self.extent([]) == .none && Self.extent("no JPEG".utf8) == .none)
    }

    @Test("It ends for broken files, and promises no byte that is not there", arguments: 0..<40)
    func broken(seed: UInt64) throws {
        let original = try Self.made(.yCbCr, split: seed % 2 == 0)
        var random = Xorshift(seed: seed + 1)
        for _ in 0..<200 {
            var bytes = original
            for _ in 0..<4 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next() >> 40)
            }
            bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
            if case .first(let end) = Self.extent(bytes) { #expect(end <= bytes.count) }
        }
    }
}
