/// The smallest circle around points, to about a thousandth of its radius.
///
/// By Bădoiu and Clarkson: from the middle, step towards the farthest point again and again, each time less far.
/// O(points).
struct EnclosingCircle {
    private(set) var x: Double
    private(set) var y: Double
    private(set) var radius: Double

    init(_ points: [(x: Double, y: Double)]) {
        let count = Double(max(1, points.count))
        x = points.reduce(0) { $0 + $1.x } / count
        y = points.reduce(0) { $0 + $1.y } / count
        radius = 0
        var best = (x: x, y: y, square: Double.infinity)
        for step in 1...1000 {
            var farthest = (x: x, y: y, square: -1.0)
            for point in points {
                let (across, down) = (point.x - x, point.y - y)
                let square = across * across + down * down
                if square > farthest.square { farthest = (point.x, point.y, square) }
            }
            if farthest.square < best.square { best = (x, y, max(0, farthest.square)) }
            x += (farthest.x - x) / Double(step + 1)
            y += (farthest.y - y) / Double(step + 1)
        }
        (x, y, radius) = (best.x, best.y, best.square.squareRoot())
    }
}
