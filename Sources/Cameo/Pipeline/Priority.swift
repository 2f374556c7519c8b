/// How urgent work is.
public enum Priority: Int, CaseIterable, Comparable, Codable, Sendable {
    /// What may be wanted soon. First come, first served; may be dropped; gives way to everything else.
    case prefetch
    /// Work through a whole folder. First come, first served; is never starved.
    case batch
    /// What somebody waits for who does not look at it.
    case normal
    /// What is on screen: newest first, since a fling has left behind what was asked before.
    case visible
    /// The one picture that somebody looks at.
    case immediate

    /// By urgency.
    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
}
