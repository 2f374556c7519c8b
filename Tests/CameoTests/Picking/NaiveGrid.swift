@testable import Cameo

/// A grid laid out cell by cell, as one would explain it: the model that `GridLayout` is held against. In pixels.
struct NaiveGrid {
    struct Box: Equatable {
        var x, y, width, height: Int

        func overlaps(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Bool {
            Double(x) < right && Double(x + width) > left && Double(y) < bottom && Double(y + height) > top
        }
    }

    var cells: [Box] = []
    var positions: [(section: Int, item: Int)] = []
    var headers: [Int: Box] = [:]
    var height = 0

    init(width: Int, columns: Int, spacing: Int, header: Int, sections: [Int]) {
        var side = 0
        while columns * (side + 1) + (columns - 1) * spacing <= width { side += 1 }
        guard side > 0 else { return }
        let margin = (width - columns * side - (columns - 1) * spacing) / 2
        var y = 0
        for (section, count) in sections.enumerated() where count > 0 {
            if height > 0 { y = height + spacing }
            headers[section] = Box(x: 0, y: y, width: width, height: header)
            y += header
            for item in 0..<count {
                if item > 0, item % columns == 0 { y += side + spacing }
                cells.append(Box(x: margin + item % columns * (side + spacing), y: y, width: side, height: side))
                positions.append((section, item))
            }
            height = y + side
        }
    }
}
