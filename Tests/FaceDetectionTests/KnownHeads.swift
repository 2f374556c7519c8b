import Cameo
import Foundation

/// Pictures whose heads somebody drew by hand, which lie beside the repository where they are at hand.
enum KnownHeads {
    /// One line of the list, in pixels of the upright picture.
    struct Picture: Sendable {
        let file: FilePath
        let size: PixelSize
        let heads: [Box]
        /// The heads that a profile picture should show.
        let main: [Box]
        let canBeInCircle: Bool
        let tags: Set<Substring>
        /// The project or package that it comes from.
        let source: String
        var isHard: Bool { tags.contains("hard") }
    }

    struct Box: Sendable {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/faces")

    static let pictures: [Picture] = {
        guard let text = try? String(contentsOf: folder.appendingPathComponent("TRUTH.tsv"), encoding: .utf8) else {
            print("skipped: tests of pictures with known heads, since shared/faces is not beside the repository")
            return []
        }
        return text.split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            let heads = columns[4].split(separator: ";").map { head in
                let sides = head.split(separator: ",").compactMap { Double($0) }
                return Box(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
            }
            let main =
                columns[5] == "all" ? heads : columns[5].split(separator: ",").compactMap { Int($0) }.map { heads[$0] }
            return Picture(
                file: FilePath(folder.appendingPathComponent(String(columns[0])).path),
                size: PixelSize(width: Int(columns[2]) ?? 0, height: Int(columns[3]) ?? 0), heads: heads, main: main,
                canBeInCircle: columns[6] == "circle", tags: Set(columns[7].split(separator: " ")),
                source: String(columns[8].prefix { $0 != ":" }))
        }
    }()
}

extension KnownHeads.Box {
    /// The boxes are true to a fiftieth of their size, so one is drawn in by a hundredth on each side.
    private var drawnIn: KnownHeads.Box {
        KnownHeads.Box(x: x + width / 100, y: y + height / 100, width: width * 0.98, height: height * 0.98)
    }

    /// Whether it touches the frame of a picture of `size`.
    func isCut(by size: PixelSize) -> Bool {
        x <= 1 || y <= 1 || x + width >= Double(size.width - 1) || y + height >= Double(size.height - 1)
    }

    func isInSquare(_ crop: PixelRect) -> Bool {
        let box = drawnIn
        return box.x >= Double(crop.x) && box.y >= Double(crop.y)
            && box.x + box.width <= Double(crop.x + crop.width) && box.y + box.height <= Double(crop.y + crop.height)
    }

    /// Whether every point of the ellipse in the box lies in the circle in the crop, asked of its outline.
    func isInCircle(_ crop: PixelRect) -> Bool {
        let box = drawnIn
        return (0..<360).allSatisfy { degree in
            let angle = Double(degree) * .pi / 180
            return Self.isInCircle(
                box.x + box.width / 2 * (1 + cos(angle)), box.y + box.height / 2 * (1 + sin(angle)), crop)
        }
    }

    /// The share of the ellipse in the box that lies in the circle in the crop, by the mid-points of a fine grid.
    func shareInCircle(_ crop: PixelRect) -> Double {
        var (inside, all) = (0.0, 0.0)
        for across in stride(from: -0.98, through: 0.98, by: 0.04) {
            for down in stride(from: -0.98, through: 0.98, by: 0.04) where across * across + down * down <= 1 {
                all += 1
                if Self.isInCircle(x + width / 2 * (1 + across), y + height / 2 * (1 + down), crop) { inside += 1 }
            }
        }
        return inside / all
    }

    private static func isInCircle(_ x: Double, _ y: Double, _ crop: PixelRect) -> Bool {
        let radius = Double(crop.width) / 2
        return hypot(x - Double(crop.x) - radius, y - Double(crop.y) - radius) <= radius
    }
}
