@testable import Cameo

/// Animations whose containers are written by hand: what their first frame covers, and what becomes of it, is as wanted.
struct MadeAnimation {
    /// A frame of one colour.
    struct Frame {
        var area: PixelRect
        var color: [UInt8]
    }

    var size: PixelSize
    var frames: [Frame]

    /// A GIF89a of 127 colours at most, and one more that `hasTransparency` says to be transparent, each frame cleared
    /// after it was shown.
    func gif(hasTransparency: Bool = true) -> [UInt8] {
        let colors = Array(Set(frames.map(\.color)))
        let table = colors.flatMap { $0 } + [UInt8](repeating: 0, count: (128 - colors.count) * 3)
        var bytes = Array("GIF89a".utf8) + Self.little(size.width, 2) + Self.little(size.height, 2) + [0xF6, 0, 0]
        bytes += table
        for frame in frames {
            let index = UInt8(colors.firstIndex(of: frame.color) ?? 0)
            bytes += [0x21, 0xF9, 4, 2 << 2 | (hasTransparency ? 1 : 0), 10, 0, 127, 0, 0x2C]
            bytes += [frame.area.x, frame.area.y, frame.area.width, frame.area.height].flatMap { Self.little($0, 2) }
            bytes += [0, 7]
            // Codes stay eight bits long, and mean one pixel each, as long as they are cleared often: 128 clears them.
            var left = frame.area.size.area
            while left > 0 {
                let count = min(left, 100)
                bytes += [UInt8(count + 1), 128] + [UInt8](repeating: index, count: count)
                left -= count
            }
            bytes += [1, 129, 0]
        }
        return bytes + [0x3B]
    }

    /// A WebP (RFC 9649) of lossy frames on even places, each cleared after it was shown.
    func webp() throws -> [UInt8] {
        var chunks = Self.chunk(
            "VP8X", [0x12, 0, 0, 0] + Self.little(size.width - 1, 3) + Self.little(size.height - 1, 3))
        chunks += Self.chunk("ANIM", [0, 0, 0, 0, 0, 0])
        for frame in frames {
            let color = RGBColor(frame.color[0], frame.color[1], frame.color[2])
            let still = try PixelBuffer(size: frame.area.size, filledWith: color).encoded(Encoding(.webp)).bytes
            let place = [frame.area.x / 2, frame.area.y / 2, frame.area.width - 1, frame.area.height - 1, 100]
            // What follows the still's own head is its picture.
            chunks += Self.chunk("ANMF", place.flatMap { Self.little($0, 3) } + [1] + still.dropFirst(12))
        }
        return Self.chunk("RIFF", Array("WEBP".utf8) + chunks)
    }

    private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        Array(kind.utf8) + little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func little(_ value: Int, _ width: Int) -> [UInt8] { MadeUp.big(value, width).reversed() }
}
