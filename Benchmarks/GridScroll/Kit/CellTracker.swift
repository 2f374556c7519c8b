/// One frame as it went.
package struct FrameNote: Sendable {
    let time: Double
    /// How long it stays on screen.
    let seconds: Double
    let late: Double
    let offset: Double
    let hasMoved: Bool
    let cost: FrameCost
    var blank = 0
    var degraded = 0
    var cells = 0

    init(time: Double, seconds: Double, late: Double, offset: Double, hasMoved: Bool, cost: FrameCost) {
        self.time = time
        self.seconds = seconds
        self.late = late
        self.offset = offset
        self.hasMoved = hasMoved
        self.cost = cost
    }
}

/// Writes down when each cell came, first showed something, showed its picture, and left.
package struct CellTracker: Sendable {
    struct Life: Sendable {
        let cell: Int
        let columns: Int
        let entered: Double
        var first: Double?
        var final: Double?
        var left: Double?
        var firstPicture = CellPicture.blank
        var origin: CellOrigin?
        var hasFailed = false

        /// Seconds without anything to show.
        func blankSeconds(end: Double) -> Double { (first ?? left ?? end) - entered }
    }

    private(set) var frames: [FrameNote] = []
    /// Cells that have left, and at the end all.
    private(set) var lives: [Life] = []
    private(set) var end = 0.0
    private var onScreen: [Int: Life] = [:]
    private var blank = 0
    private var degraded = 0

    init() {}

    mutating func enter(_ cell: Int, columns: Int, at time: Double) {
        onScreen[cell] = Life(cell: cell, columns: columns, entered: time)
        blank += 1
    }

    /// Whether a cell on screen has not shown its picture yet.
    func awaits(_ cell: Int) -> Bool {
        guard let life = onScreen[cell] else { return false }
        return life.final == nil && !life.hasFailed
    }

    mutating func note(_ picture: CellPicture, _ cell: Int, at time: Double) {
        guard var life = onScreen[cell] else { return }
        switch picture {
        case .blank: return
        case .degraded:
            if life.first == nil {
                blank -= 1
                degraded += 1
            }
        case .final(let origin):
            if life.first == nil { blank -= 1 } else { degraded -= 1 }
            life.final = time
            life.origin = origin
        case .failed:
            // A broken photo shows a sign that it is broken; that is no blank.
            if life.first == nil { blank -= 1 } else { degraded -= 1 }
            life.hasFailed = true
        }
        if life.first == nil {
            life.first = time
            life.firstPicture = picture
        }
        onScreen[cell] = life
    }

    mutating func leave(_ cell: Int, at time: Double) {
        guard var life = onScreen.removeValue(forKey: cell) else { return }
        if life.first == nil { blank -= 1 } else if life.final == nil, !life.hasFailed { degraded -= 1 }
        life.left = time
        lives.append(life)
    }

    mutating func end(_ frame: FrameNote) {
        var frame = frame
        (frame.blank, frame.degraded, frame.cells) = (blank, degraded, onScreen.count)
        frames.append(frame)
    }

    mutating func close(at time: Double) {
        end = time
        lives += onScreen.values.sorted { $0.cell < $1.cell }
        onScreen = [:]
    }
}
