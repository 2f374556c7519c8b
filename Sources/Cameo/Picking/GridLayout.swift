/// Where the cells of a grid lie: equal squares in rows, in sections that may have headers.
///
/// All edges lie on whole pixels of the screen, so that a thumbnail is drawn as it was rendered and all cells ask for
/// thumbnails of one size; what is left of the width stands half at either side. A section without cells takes no
/// room. While the width has no room for a cell, as before a first layout, the grid is collapsed: nothing is
/// visible, and there is no size to ask thumbnails of.
public struct GridLayout: Hashable, Sendable {
    /// How many cells stand in a row.
    public enum Columns: Hashable, Sendable {
        /// That many.
        case count(Int)
        /// As many as there are with cells of at least that many points.
        case minimumCell(Double)
    }

    /// The room that the grid has, and how it is divided.
    public struct Metrics: Hashable, Sendable {
        /// Points across.
        public var width: Double
        /// How many cells stand in a row.
        public var columns: Columns
        /// Points between cells, and between sections.
        public var spacing: Double
        /// Points of the header above each section; 0 for none.
        public var headerHeight: Double
        /// Pixels a point: 1, 2 or 3.
        public var scale: Double

        /// Room for a grid.
        public init(
            width: Double, columns: Columns = .count(4), spacing: Double = 1, headerHeight: Double = 0,
            scale: Double = 1
        ) {
            self.width = width
            self.columns = columns
            self.spacing = spacing
            self.headerHeight = headerHeight
            self.scale = scale
        }
    }

    /// A section that has cells; lengths in pixels.
    struct Band: Hashable, Sendable {
        let section: Int
        /// The index of its first cell.
        let first: Int
        let count: Int
        /// The upper edge of its header.
        let top: Int
    }

    /// The most cells of a section, and the most sections.
    public static let countLimit = 1_000_000_000

    /// What the layout was made for.
    public let metrics: Metrics
    /// How many cells each section has.
    public let sections: [Int]
    /// How many cells there are.
    public let count: Int
    /// Cells in a full row; 0 while the grid is collapsed.
    public let columns: Int

    let bands: [Band]
    /// Which band a section is, or comes before.
    let bandOfSection: [Int]
    let side: Int
    let spacing: Int
    let header: Int
    let margin: Int
    let height: Int

    /// A layout of `sections`, given as their numbers of cells. O(sections).
    ///
    /// - Throws: `PickingError.invalidGeometry` for a number of cells that is negative or over `countLimit`, a length
    ///   that is none, a scale not over 0, or more than a million pixels across.
    public init(_ metrics: Metrics, sections: [Int]) throws(PickingError) {
        try Self.check(metrics)
        guard sections.allSatisfy({ (0...Self.countLimit).contains($0) }), sections.count <= Self.countLimit else {
            throw .invalidGeometry(reason: "a section of less than no cells, or of more than \(Self.countLimit)")
        }
        self.metrics = metrics
        self.sections = sections
        let pixels = { (points: Double) in Int((points * metrics.scale).rounded()) }
        let width = Int((metrics.width * metrics.scale).rounded(.down))
        let (gap, headerPixels) = (pixels(metrics.spacing), pixels(metrics.headerHeight))
        let wanted: Int =
            switch metrics.columns {
            case .count(let count): count
            case .minimumCell(let points):
                max(1, (width + gap) / max(1, Int((points * metrics.scale).rounded(.up)) + gap))
            }
        side = max(0, (width - (wanted - 1) * gap) / wanted)
        columns = side == 0 ? 0 : wanted
        spacing = gap
        header = headerPixels
        margin = side == 0 ? 0 : (width - wanted * side - (wanted - 1) * gap) / 2

        var bands: [Band] = []
        var bandOfSection: [Int] = []
        var (first, bottom) = (0, 0)
        for (section, cells) in sections.enumerated() {
            bandOfSection.append(bands.count)
            guard cells > 0 else { continue }
            let top = bands.isEmpty ? 0 : bottom + gap
            bands.append(Band(section: section, first: first, count: cells, top: top))
            first += cells
            bottom = top + headerPixels + ((cells - 1) / wanted + 1) * (side + gap) - gap
        }
        count = first
        self.bands = bands
        self.bandOfSection = bandOfSection
        height = side == 0 ? 0 : bottom
    }

    /// A layout of one section.
    public init(_ metrics: Metrics, count: Int) throws(PickingError) {
        try self.init(metrics, sections: [count])
    }

    private static func check(_ metrics: Metrics) throws(PickingError) {
        let (widest, lengths) = (1_000_000.0, 0.0...100_000.0)
        guard metrics.scale > 0, metrics.scale <= 100 else {
            throw .invalidGeometry(reason: "a scale of \(metrics.scale) is not over 0, or over 100")
        }
        guard metrics.width >= 0, metrics.width * metrics.scale <= widest else {
            throw .invalidGeometry(reason: "a grid of \(metrics.width) points is not in 0 to \(Int(widest)) pixels")
        }
        guard lengths.contains(metrics.spacing), lengths.contains(metrics.headerHeight) else {
            throw .invalidGeometry(reason: "spacing and headers must be 0 to 100,000 points")
        }
        switch metrics.columns {
        case .count(let count):
            guard (1...100_000).contains(count) else { throw .invalidGeometry(reason: "\(count) columns") }
        case .minimumCell(let points):
            guard points > 0, lengths.contains(points) else {
                throw .invalidGeometry(reason: "a smallest cell of \(points) points")
            }
        }
    }
}

extension GridLayout {
    /// Stops the program if the bands do not follow each other or the cells of a row do not fit. O(sections).
    func checkInvariants() {
        precondition(count == sections.reduce(0, +), "\(count) cells in all")
        var (first, top) = (0, 0)
        for (place, band) in bands.enumerated() {
            precondition(band.count == sections[band.section] && band.count > 0, "section \(band.section)")
            precondition(bandOfSection[band.section] == place, "section \(band.section) is not band \(place)")
            precondition(band.first == first && band.top >= top, "band \(place) does not follow the one before")
            first += band.count
            top = band.top + header + side
        }
        precondition(first == count && (isCollapsed ? height == 0 : count == 0 || height >= top), "the end")
        precondition(
            isCollapsed
                || Double(2 * margin + columns * side + (columns - 1) * spacing) <= metrics.width * metrics.scale,
            "the rows are wider than the grid")
    }
}
