import Foundation

/// How long cells waited, as the share of cells that had their picture after each time.
struct LatencyChart {
    let title: String
    /// A curve an engine: its name, its style, and its quantiles in steps of 2 %, in milliseconds.
    let curves: [(name: String, style: String, values: [Double])]

    private static let (width, height) = (520.0, 150.0)
    private static let (left, top) = (42.0, 20.0)
    private static let (shortest, longest) = (4.0, 4000.0)

    /// As SVG.
    var svg: String {
        let (width, height, left, top) = (Self.width, Self.height, Self.left, Self.top)
        func x(_ milliseconds: Double) -> Double {
            let share =
                log(max(Self.shortest, min(Self.longest, milliseconds)) / Self.shortest)
                / log(Self.longest / Self.shortest)
            return left + width * share
        }
        var parts = [
            "<svg viewBox=\"0 0 \(left + width + 8) \(top + height + 22)\" role=\"img\" "
                + "aria-label=\"\(Chart.escaped(title))\">",
            Chart.text(title, x: left, y: 13, "head"),
            "<rect x=\"\(left)\" y=\"\(top)\" width=\"\(width)\" height=\"\(height)\" class=\"frame\"/>",
        ]
        for (time, word) in [
            (4.0, "at once"), (16, "16 ms"), (50, "50 ms"), (100, "100 ms"), (250, "250 ms"), (1000, "1 s"),
            (4000, "4 s"),
        ] {
            parts.append(
                "<line x1=\"\(Chart.place(x(time)))\" x2=\"\(Chart.place(x(time)))\" y1=\"\(top)\" y2=\"\(top + height)\" class=\"grid\"/>"
            )
            parts.append(
                Chart.text(
                    word, x: x(time), y: top + height + 14,
                    time == 4 ? "tick" : time == 4000 ? "tick end" : "tick middle"))
        }
        for share in [0, 50, 90, 100] {
            let y = top + height - height * Double(share) / 100
            parts.append(
                "<line x1=\"\(left)\" x2=\"\(left + width)\" y1=\"\(Chart.place(y))\" y2=\"\(Chart.place(y))\" class=\"grid\"/>"
            )
            parts.append(Chart.text("\(share) %", x: left - 3, y: y + 4, "tick end"))
        }
        for curve in curves where !curve.values.isEmpty {
            let points = curve.values.enumerated().map { index, value in
                (x: x(value), y: top + height - height * Double(index) / Double(max(1, curve.values.count - 1)))
            }
            parts.append(Chart.line(points, "curve \(curve.style)"))
        }
        return parts.joined() + "</svg>"
    }
}
