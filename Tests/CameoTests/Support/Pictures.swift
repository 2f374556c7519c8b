import Foundation

@testable import Cameo

/// Pictures that tests make, and what they measure of pictures.
enum Pictures {
    /// `size` pixels, each as `color` has it.
    static func painted(_ size: PixelSize, channels: Int = 3, _ color: (_ x: Int, _ y: Int) -> [UInt8]) -> PixelBuffer {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width { bytes += color(x, y) }
        }
        return PixelBuffer(size: size, channels: channels, bytes: bytes)
    }

    /// Four quarters of different colours: red, green, blue, yellow, as one reads.
    static func quarters(_ size: PixelSize) -> PixelBuffer {
        // Two rows, many times: tests make many of these, and large ones.
        let rows = [false, true].map { isLow in
            (0..<size.width).flatMap { x in quarterColor(right: x * 2 >= size.width, low: isLow) }
        }
        var bytes: [UInt8] = []
        for y in 0..<size.height { bytes += rows[y * 2 >= size.height ? 1 : 0] }
        return PixelBuffer(size: size, channels: 3, bytes: bytes)
    }

    static func quarterColor(right: Bool, low: Bool) -> [UInt8] {
        switch (right, low) {
        case (false, false): [200, 40, 40]
        case (true, false): [40, 200, 40]
        case (false, true): [40, 40, 200]
        case (true, true): [200, 200, 40]
        }
    }

    static func source(_ pixels: PixelBuffer, _ format: Encoding.Format, quality: Int = 95) throws -> ImageSource {
        .bytes(try pixels.encoded(Encoding(format, quality: quality)).bytes, name: "made.\(format.fileExtension)")
    }

    /// A JPEG with an EXIF segment behind its start.
    static func jpeg(_ pixels: PixelBuffer, exif: [UInt8], quality: Int = 95) throws -> [UInt8] {
        let plain = try pixels.encoded(Encoding(.jpeg, quality: quality)).bytes
        let payload = Array("Exif\0\0".utf8) + exif
        let length = payload.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + payload + plain.dropFirst(2)
    }

    /// The smallest TIFF structure with an orientation tag.
    static func exif(orientation: Int) -> [UInt8] {
        Array("MM".utf8) + [
            0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0,
        ]
    }

    /// The mean of each colour channel over a part of a picture, over white.
    static func mean(_ pixels: PixelBuffer, _ part: PixelRect? = nil) -> [Double] {
        let flat = pixels.flattened(on: .white)
        let part = part ?? PixelRect(pixels.size)
        var sums = [0.0, 0, 0]
        for y in part.y..<part.y + part.height {
            for x in part.x..<part.x + part.width {
                for channel in 0..<3 { sums[channel] += Double(flat.bytes[(y * flat.size.width + x) * 3 + channel]) }
            }
        }
        return sums.map { $0 / Double(part.size.area) }
    }

    /// The four quarters, as one reads; a middle row or column belongs to both sides as the corpus's values have it.
    static func quarters(of size: PixelSize) -> [PixelRect] {
        let (width, height) = (max(1, size.width / 2), max(1, size.height / 2))
        return [
            PixelRect(x: 0, y: 0, width: width, height: height),
            PixelRect(x: size.width - width, y: 0, width: width, height: height),
            PixelRect(x: 0, y: size.height - height, width: width, height: height),
            PixelRect(x: size.width - width, y: size.height - height, width: width, height: height),
        ]
    }

    static func difference(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).map { abs($0 - $1) }.max() ?? 0 }
}

/// A folder that is gone when the test is.
final class TemporaryFolder {
    let path: FilePath
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("cameo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = FilePath(url.path)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ bytes: [UInt8], to name: String) throws -> FilePath {
        let target = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: target)
        return FilePath(target.path)
    }
}
