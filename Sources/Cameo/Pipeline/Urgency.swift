/// Where work stands in the queue: the priority of its most urgent request, and one more, for what is on screen and shows
/// a stand-in already.
enum Urgency: Int, CaseIterable, Comparable, Sendable {
    case prefetch
    case batch
    case normal
    /// On screen, with a stand-in: gives way to what shows nothing.
    case standingIn
    case visible
    case immediate

    init(_ priority: Priority) {
        self =
            switch priority {
            case .prefetch: .prefetch
            case .batch: .batch
            case .normal: .normal
            case .visible: .visible
            case .immediate: .immediate
            }
    }

    /// Whether of two the newer goes first: it is in the middle of what a fling shows, and the older is about to leave.
    var isNewestFirst: Bool { self == .visible || self == .standingIn }

    static func < (a: Urgency, b: Urgency) -> Bool { a.rawValue < b.rawValue }
}
