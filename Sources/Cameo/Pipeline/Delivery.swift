/// Which pictures a request is given.
public enum Delivery: String, Codable, Sendable {
    /// One picture, as soon as there is any: a stand-in is good enough.
    case fast
    /// One picture, the one that was asked for.
    case final
    /// Stand-ins as they come to hand, then the one that was asked for.
    case opportunistic
}
