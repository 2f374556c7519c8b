import Glibc

/// Where one moment ends and the next begins, in a list of assets in the order of their civil times.
///
/// A new moment begins when the civil day changes, and where an asset lies further from the asset with a place before
/// it than the distance set. Assets without a place between two moments of one day belong to the one that is nearer
/// in time, to the earlier where both are as near.
struct MomentGrouping {
    /// The ranges, in order; every index is in exactly one.
    let ranges: [Range<Int>]

    /// What grouping looks at in an asset.
    struct Item {
        let seconds: Int64
        let latitude: Int32
        let longitude: Int32

        var hasPlace: Bool { latitude != FileRecord.noPlace }
        var day: Int64 { seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400 }
    }

    /// O(n).
    init(count: Int, meters: Double, item: (Int) -> Item) {
        var ranges: [Range<Int>] = []
        var start = 0
        var day: Int64?
        var last: (index: Int, item: Item)?
        for index in 0..<count {
            let next = item(index)
            if next.day != day {
                if index > start { ranges.append(start..<index) }
                (start, day, last) = (index, next.day, nil)
            }
            guard next.hasPlace else { continue }
            if let former = last, Self.distance(former.item, next) > meters {
                var border = former.index + 1
                while border < index, item(border).seconds - former.item.seconds <= next.seconds - item(border).seconds
                {
                    border += 1
                }
                ranges.append(start..<border)
                start = border
            }
            last = (index, next)
        }
        if count > start { ranges.append(start..<count) }
        self.ranges = ranges
    }

    /// Metres along the surface of a round Earth (haversine).
    static func distance(_ a: Item, _ b: Item) -> Double {
        if a.latitude == b.latitude, a.longitude == b.longitude { return 0 }
        let radians = Double.pi / 180 / 1e7
        let (north, south) = (Double(a.latitude) * radians, Double(b.latitude) * radians)
        let rise = sin((north - south) / 2)
        let run = sin((Double(a.longitude) - Double(b.longitude)) * radians / 2)
        let chord = rise * rise + cos(north) * cos(south) * run * run
        return 2 * 6_371_009 * asin(min(1, chord.squareRoot()))
    }

    /// Stops where an index is in no moment or in two, or a moment has two days; for tests.
    func checkInvariants(count: Int, item: (Int) -> Item) {
        precondition(ranges.reduce(0) { $0 + $1.count } == count)
        precondition(ranges.first?.lowerBound ?? 0 == 0)
        precondition(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        for range in ranges {
            precondition(!range.isEmpty)
            precondition(range.allSatisfy { item($0).day == item(range.lowerBound).day })
        }
    }
}
