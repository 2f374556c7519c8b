import Cameo
import Foundation

/// Prints what GridLayout and CropSession say in random cases, for the page's own copies of them to be held against.
///
///     PickerVectors SEED
@main
enum Main {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        /// SplitMix64.
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    static func main() throws {
        var random = Generator(state: CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1)
        let layouts = try (0..<120).map { _ in try layout(&random) }
        let crops = try (0..<120).map { _ in try crop(&random) }
        let data = try JSONSerialization.data(withJSONObject: [
            "layouts": layouts, "crops": crops, "blurs": (0..<60).map { _ in blur(&random) },
        ])
        FileHandle.standardOutput.write(data)
    }

    private static func layout(_ random: inout Generator) throws -> [String: Any] {
        var metrics = GridLayout.Metrics(width: Double.random(in: 1...2000, using: &random).rounded())
        if Bool.random(using: &random) {
            metrics.columns = .count(Int.random(in: 1...12, using: &random))
        } else {
            metrics.columns = .minimumCell(Double.random(in: 20...300, using: &random))
        }
        metrics.spacing = Double(Int.random(in: 0...8, using: &random)) / 2
        metrics.headerHeight = [0, 30, 52.5].randomElement(using: &random) ?? 0
        metrics.scale = [1, 1.25, 1.5, 2, 3].randomElement(using: &random) ?? 1
        let sections = (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: 0...90, using: &random) }
        let layout = try GridLayout(metrics, sections: sections)
        var sent: [String: Any] = [
            "width": metrics.width, "spacing": metrics.spacing, "headerHeight": metrics.headerHeight,
            "scale": metrics.scale,
        ]
        switch metrics.columns {
        case .count(let count): sent["columns"] = count
        case .minimumCell(let points): sent["minimumCell"] = points
        }
        let indexes = layout.count == 0 ? [] : (0..<8).map { _ in Int.random(in: 0..<layout.count, using: &random) }
        let heights = 0...max(1, layout.contentHeight * 1.1)
        let spans = (0..<8).map { _ in
            (Double.random(in: heights, using: &random) - 50, Double.random(in: 0...900, using: &random))
        }
        let picture = PixelSize(
            width: Int.random(in: 1...5000, using: &random), height: Int.random(in: 1...5000, using: &random))
        return [
            "metrics": sent, "sections": sections, "columns": layout.columns, "side": layout.cellPixels?.width ?? 0,
            "height": layout.contentHeight, "picture": [picture.width, picture.height],
            "frames": indexes.map { index in [Double(index)] + (layout.frame(of: index).map(numbers) ?? []) },
            "headers": sections.indices.compactMap { section in
                layout.headerFrame(of: section).map { [Double(section), $0.y] }
            },
            "ranges": spans.map { top, length -> [Double] in
                let range = layout.range(from: top, to: top + length)
                return [top, length, Double(range.lowerBound), Double(range.upperBound)]
            },
            "reveals": indexes.map { index -> [Double] in
                let (offset, height) = (Double.random(in: heights, using: &random), 600.0)
                return [
                    Double(index), offset, height,
                    layout.offset(revealing: index, from: offset, viewportHeight: height),
                ]
            },
            "anchors": spans.map { offset, length -> [Double] in
                let anchor = layout.anchor(at: offset, viewportHeight: length)
                let kept = layout.offset(keeping: anchor, viewportHeight: length * 0.7)
                return switch anchor {
                case .top: [offset, length, 0, 0, 0, kept]
                case .end: [offset, length, 1, 0, 0, kept]
                case .cell(let index, let share): [offset, length, 2, Double(index), share, kept]
                }
            },
            "transitions": indexes.compactMap { index -> [Double]? in
                let viewport = LayoutSize(width: 800, height: 600)
                return layout.zoomTransition(of: index, picture: picture, offset: 120, viewport: viewport).map {
                    [Double(index)] + numbers($0.pictureInCell) + numbers($0.pictureInDetail)
                }
            },
        ]
    }

    private static func crop(_ random: inout Generator) throws -> [String: Any] {
        let picture = PixelSize(
            width: Int.random(in: 1...6000, using: &random), height: Int.random(in: 1...6000, using: &random))
        let viewport = LayoutSize(
            width: Double.random(in: 50...900, using: &random), height: Double.random(in: 50...900, using: &random))
        let aspect = Bool.random(using: &random) ? 1 : Double.random(in: 0.3...3, using: &random)
        var session = try CropSession(picture: picture, viewport: viewport, mask: .free(aspect: aspect))
        let steps = (0..<20).map { _ -> [Double] in
            var step: [Double]
            switch Int.random(in: 0...2, using: &random) {
            case 0:
                step = [
                    0, Double.random(in: -300...300, using: &random), Double.random(in: -300...300, using: &random),
                ]
                session.pan(x: step[1], y: step[2])
            case 1:
                step = [
                    1, Double.random(in: 0.5...9, using: &random),
                    Double.random(in: 0...viewport.width, using: &random),
                    Double.random(in: 0...viewport.height, using: &random),
                ]
                session.zoom(to: step[1], at: LayoutPoint(x: step[2], y: step[3]))
            default:
                step = [2, Double(Int.random(in: -3...3, using: &random))]
                session.turn(Int(step[1]))
            }
            while step.count < 4 { step.append(0) }
            let crop = session.crop
            return step + [
                session.shownCentre.x, session.shownCentre.y, session.zoom, Double(session.quarterTurns),
                Double(crop.x), Double(crop.y), Double(crop.width), Double(crop.height),
            ] + numbers(session.maskFrame)
        }
        return [
            "picture": [picture.width, picture.height], "viewport": [viewport.width, viewport.height], "aspect": aspect,
            "steps": steps,
        ]
    }

    private static func blur(_ random: inout Generator) -> [String: Any] {
        let size = PixelSize(
            width: Int.random(in: 1...40, using: &random), height: Int.random(in: 1...40, using: &random))
        let channels = Bool.random(using: &random) ? 4 : 3
        let bytes = (0..<size.area * channels).map { _ in UInt8.random(in: 0...255, using: &random) }
        let hash = ThumbHash(PixelBuffer(size: size, channels: channels, bytes: bytes))
        let blurred = hash.pixels(PixelSize(width: 9, height: 7))
        return [
            "hash": hash.bytes.map(Int.init), "channels": blurred.channels, "pixels": blurred.bytes.map(Int.init),
        ]
    }

    private static func numbers(_ rect: LayoutRect) -> [Double] { [rect.x, rect.y, rect.width, rect.height] }
}
