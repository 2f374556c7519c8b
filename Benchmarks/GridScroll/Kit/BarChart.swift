import Foundation

/// Bars next to each other, with their spread over the repeats.
struct BarChart {
    let title: String
    let unit: String
    let bars: [(name: String, style: String, value: (median: Double, low: Double, high: Double))]

    private static let (width, left, row) = (330.0, 150.0, 22.0)

    /// As SVG.
    var svg: String {
        let (width, left, row) = (Self.width, Self.left, Self.row)
        let highest = Chart.ceiling(bars.map(\.value.high).max() ?? 1)
        var parts = [
            "<svg viewBox=\"0 0 560 \(row * Double(bars.count) + 26)\" role=\"img\" aria-label=\"\(Chart.escaped(title))\">",
            Chart.text("\(title), \(unit)", x: 0, y: 13, "head"),
        ]
        for (index, bar) in bars.enumerated() {
            let y = 22 + row * Double(index)
            let length = width * bar.value.median / highest
            parts.append(Chart.text(bar.name, x: left - 6, y: y + 13, "tick end"))
            parts.append(
                "<rect x=\"\(left)\" y=\"\(y)\" width=\"\(Chart.place(max(1, length)))\" height=\"\(row - 6)\" class=\"bar \(bar.style)\"/>"
            )
            var end = length
            if bar.value.high > bar.value.low {
                let (from, to) = (left + width * bar.value.low / highest, left + width * bar.value.high / highest)
                parts.append(
                    "<line x1=\"\(Chart.place(from))\" x2=\"\(Chart.place(to))\" y1=\"\(y + 8)\" y2=\"\(y + 8)\" class=\"spread\"/>"
                )
                end = max(end, to - left)
            }
            parts.append(Chart.text(Metric.text(bar.value.median), x: left + end + 6, y: y + 13, "tick"))
        }
        return parts.joined() + "</svg>"
    }
}
