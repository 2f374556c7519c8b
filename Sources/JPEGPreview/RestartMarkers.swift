/// Finds the restart markers of a scan in their turn, and decides what to do when another stands there.
///
/// The decision is libjpeg's: a marker that is one or two ahead is waited for, because an interval or two got lost;
/// one that is one or two behind is passed over; at any other restart marker the data go on.
struct RestartMarkers {
    /// Whether the marker at `position` belongs to a later interval, so that the next one has no data.
    private(set) var isWaiting = false
    /// Whether no restart marker follows.
    private(set) var isOver = false
    /// Where the marker stands that is waited for, or that ends the scan.
    private(set) var position = 0
    private(set) var findings: Findings = []

    private let bytes: UnsafePointer<UInt8>
    private let end: Int
    private var expected: UInt8

    /// - Parameter interval: How many intervals lie before the one that is read first.
    init(_ bytes: UnsafePointer<UInt8>, end: Int, interval: Int = 0) {
        self.bytes = bytes
        self.end = end
        expected = UInt8(truncatingIfNeeded: interval & 7)
    }

    /// Goes on to the next interval.
    ///
    /// - Returns: Where its data begin; `position`, where there are none, if `isWaiting` or `isOver`.
    mutating func next(after start: Int) -> Int {
        let wanted = expected
        expected = (expected + 1) & 7
        var from = isWaiting || isOver ? position : start
        while true {
            guard let marker = Marker(after: from, in: bytes, end: end) else {
                (isOver, isWaiting, position) = (true, false, end)
                findings.insert(.truncated)
                return end
            }
            if marker.skipped > 0 { findings.insert(.irregular) }
            position = marker.start
            let number = marker.code &- 0xD0
            if number == wanted {
                isWaiting = false
                return marker.end
            }
            findings.insert(.damaged)
            if marker.code < 0xC0 || (number < 8 && [6, 7].contains((number &- wanted) & 7)) {
                from = marker.end
                continue
            }
            if number >= 8 {
                // The scan is cut short.
                (isOver, isWaiting) = (true, false)
                findings.insert(.truncated)
                return position
            }
            isWaiting = [1, 2].contains((number &- wanted) & 7)
            return isWaiting ? position : marker.end
        }
    }
}
