import Foundation
import Testing

@testable import Cameo

struct EncodingTests {
    /// The markers of a JPEG's segments, the types of a PNG's or a WebP's chunks.
    private static func parts(_ bytes: [UInt8], _ format: Encoding.Format) -> [String] {
        var parts: [String] = []
        switch format {
        case .jpeg:
            var offset = 2
            while offset + 4 <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] != 0xDA {
                parts.append(String(bytes[offset + 1], radix: 16))
                offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
            }
        case .png:
            var offset = 8
            while offset + 8 <= bytes.count {
                parts.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
                offset += 12 + bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            }
        case .webp:
            var offset = 12
            while offset + 8 <= bytes.count {
                parts.append(String(decoding: bytes[offset..<offset + 4], as: UTF8.self))
                let length = bytes[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
                offset += 8 + length + length & 1
            }
        }
        return parts
    }

    /// What a file needs to be a picture; anything else could carry something of the source.
    private static let needed: [Encoding.Format: Set<String>] = [
        .jpeg: ["e0", "db", "c0", "c4"], .png: ["IHDR", "IDAT", "IEND"], .webp: ["VP8 ", "VP8L", "VP8X", "ALPH"],
    ]

    private static let laden = [
        "Lake Weekend/Dawn on the lake.jpg", "By the Sea/Sunset in Display P3.jpg", "At Home/Fruit bowl.heic",
        "At Home/Meadow flowers.webp", "Stickers and Screens/Screenshot 2025-10-12.png",
        "Stickers and Screens/Paper boat.png",
        "Stickers and Screens/Moon phases.gif",
    ]

    @Test("An output holds no metadata of its source", arguments: laden, Encoding.Format.allCases)
    func nothingSurvives(name: String, format: Encoding.Format) throws {
        let rendition = Rendition(size: PixelSize(square: 120), encoding: Encoding(format))
        let bytes = try Renderer().render(.file(Corpus.sample(name)), [rendition]).images[0].encoded().bytes
        let parts = Set(Self.parts(bytes, format))
        let needed = try #require(Self.needed[format])
        #expect(!parts.isEmpty && parts.isSubset(of: needed), "\(parts)")
    }

    @Test("No output of the corpus holds metadata", .disabled(if: Corpus.isAbsent, "shared/corpus is absent"))
    func nothingSurvivesFromRealFiles() throws {
        var checked = 0
        for entry in Corpus.entries where entry.path.hasPrefix("photos/") {
            guard let image = try? Renderer().render(.file(entry.file), [.thumbnail(PixelSize(square: 40))]).images[0]
            else { continue }
            let (format, bytes) = try image.encoded()
            let needed = try #require(Self.needed[format])
            #expect(Set(Self.parts(bytes, format)).isSubset(of: needed), "\(entry.path)")
            checked += 1
        }
        #expect(checked > 90)
    }

    @Test("The same picture and rendition give the same bytes", arguments: Encoding.Format.allCases)
    func deterministic(format: Encoding.Format) throws {
        var rendition = Rendition.profilePicture(90)
        rendition.encoding = Encoding(format)
        rendition.background = format == .jpeg ? .white : nil
        let source = ImageSource.file(Corpus.sample("Portraits/Amara.jpg"))
        let first = try Renderer().render(source, [rendition]).images[0].encoded().bytes
        for _ in 0..<3 { #expect(try Renderer().render(source, [rendition]).images[0].encoded().bytes == first) }
    }

    @Test("Lossless formats give the pixels back", arguments: [3, 4])
    func lossless(channels: Int) throws {
        let pixels = Pictures.painted(PixelSize(width: 31, height: 17), channels: channels) { x, y in
            Array([UInt8(x * 8), UInt8(y * 15), UInt8(x * y % 256), UInt8(255 - x)].prefix(channels))
        }
        let opened = try OpenedImage(Pictures.source(pixels, .png))
        let again = try Renderer().render(opened, [.thumbnail(PixelSize(square: 64))]).images[0].pixels
        #expect(again == pixels)
    }

    @Test("A rendition survives JSON, and equal renditions have equal JSON")
    func codable() throws {
        var rendition = Rendition.profilePicture(200, focus: .rectangle(PixelRect(x: 1, y: 2, width: 3, height: 4)))
        rendition.ring = Rendition.Ring(width: 2.5, color: .black)
        rendition.encoding = Encoding(.webp, quality: 70)
        let data = try JSONEncoder().encode(rendition)
        #expect(try JSONDecoder().decode(Rendition.self, from: data) == rendition)
    }
}
