import Foundation

/// Pieces of SVG and HTML.
enum Chart {
    /// Text as HTML and SVG want it.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// A number of pixels.
    static func place(_ value: Double) -> String { String(format: "%.1f", value) }

    /// The points of a line through `values`, at equal steps over `width`, `top` being as high as `height`.
    static func points(_ values: [Double], width: Double, height: Double, top: Double, x: Double = 0, y: Double = 0)
        -> [(x: Double, y: Double)]
    {
        let step = width / Double(max(1, values.count - 1))
        return values.enumerated().map { index, value in
            (x + Double(index) * step, y + height - height * min(1, value / max(top, 1e-9)))
        }
    }

    /// A line.
    static func line(_ points: [(x: Double, y: Double)], _ style: String) -> String {
        let path = points.map { "\(place($0.x)),\(place($0.y))" }.joined(separator: " ")
        return "<polyline points=\"\(path)\" class=\"\(style)\"/>"
    }

    /// The area between a line and the one under it.
    static func area(_ upper: [(x: Double, y: Double)], _ lower: [(x: Double, y: Double)], _ style: String) -> String {
        let path = (upper + lower.reversed()).map { "\(place($0.x)),\(place($0.y))" }.joined(separator: " ")
        return "<polygon points=\"\(path)\" class=\"\(style)\"/>"
    }

    /// A word at a place.
    static func text(_ text: String, x: Double, y: Double, _ style: String = "") -> String {
        "<text x=\"\(place(x))\" y=\"\(place(y))\" class=\"\(style)\">\(escaped(text))</text>"
    }

    /// A round number not under `value`, for the end of an axis.
    static func ceiling(_ value: Double) -> Double {
        guard value > 0 else { return 1 }
        let unit = pow(10, floor(log10(value)))
        return [1, 2, 3, 5, 10].map { $0 * unit }.first { $0 >= value } ?? value
    }
}
