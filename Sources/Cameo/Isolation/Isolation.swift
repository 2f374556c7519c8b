/// Where pictures are decoded.
///
/// Pictures come from strangers, and their decoders are large C libraries. Decoded in processes that may do nothing
/// but compute, what a hostile file makes of a decoder stays there.
public enum Isolation: String, Sendable, CaseIterable {
    /// In the host's own process: the lowest latency, for pictures that are trusted.
    case none
    /// In child processes, with as much of the sandbox as this machine has.
    case auto
    /// In child processes, and not at all where a part of the sandbox cannot be set up.
    case required
}
