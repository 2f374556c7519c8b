import Foundation

/// How one replay looked over its time: where the grid stood, which cells were blank or showed a stand-in, which frames
/// were late.
struct TimelineChart {
    let measurement: Measurement
    let title: String

    private static let (width, height) = (520.0, 96.0)
    private static let (left, top) = (42.0, 20.0)

    /// As SVG.
    var svg: String {
        let timeline = measurement.timeline
        let (width, height, left, top) = (Self.width, Self.height, Self.left, Self.top)
        let cells = Double(max(1, timeline.cells.max() ?? 1))
        let blank = timeline.blank.map(Double.init)
        let both = zip(timeline.blank, timeline.degraded).map { Double($0 + $1) }
        func line(_ values: [Double], _ highest: Double) -> [(x: Double, y: Double)] {
            Chart.points(values, width: width, height: height, top: highest, x: left, y: top)
        }
        let floor = line(blank.map { _ in 0 }, cells)
        let (low, high) = (timeline.offset.min() ?? 0, timeline.offset.max() ?? 1)
        let offset = timeline.offset.map { ($0 - low) / max(1, high - low) * 0.96 + 0.02 }
        var parts = [
            "<svg viewBox=\"0 0 \(Chart.place(left + width + 8)) \(Chart.place(top + height + 34))\" role=\"img\" "
                + "aria-label=\"\(Chart.escaped(title))\">",
            Chart.text(title, x: left, y: 13, "head"),
            "<rect x=\"\(left)\" y=\"\(top)\" width=\"\(width)\" height=\"\(height)\" class=\"frame\"/>",
            Chart.area(line(blank, cells), floor, "blank"),
            Chart.area(line(both, cells), line(blank, cells), "degraded"),
            Chart.line(line(offset, 1), "offset"),
            Chart.text("\(Int(cells))", x: left - 4, y: top + 8, "tick end"),
            Chart.text("0", x: left - 4, y: top + height, "tick end"),
        ]
        let count = max(1, timeline.offset.count - 1)
        let longest = max(50, timeline.late.max() ?? 0)
        for (index, late) in timeline.late.enumerated() where late > 0 {
            let x = left + width * Double(index) / Double(count)
            let length = max(3, 16 * late / longest)
            parts.append(
                "<line x1=\"\(Chart.place(x))\" x2=\"\(Chart.place(x))\" y1=\"\(top + height + 2)\" "
                    + "y2=\"\(Chart.place(top + height + 2 + length))\" class=\"late\"/>")
        }
        let seconds = timeline.step * Double(count)
        for second in stride(from: 0, through: seconds, by: 1) {
            let x = left + width * second / max(seconds, 1e-9)
            parts.append(Chart.text("\(Int(second)) s", x: x, y: top + height + 31, "tick middle"))
        }
        return parts.joined() + "</svg>"
    }
}
