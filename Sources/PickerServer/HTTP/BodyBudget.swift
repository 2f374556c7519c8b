import Synchronization

/// How many more bytes of requests' bodies a server holds, of all its exchanges together.
final class BodyBudget: Sendable {
    /// Guards what is left.
    private let left: Mutex<Int>

    init(_ bytes: Int) { left = Mutex(bytes) }

    /// Takes `bytes` from what is left; false, and nothing is taken, where less is left.
    func take(_ bytes: Int) -> Bool {
        left.withLock { left in
            if left < bytes { return false }
            left -= bytes
            return true
        }
    }

    /// Gives back what was taken.
    func giveBack(_ bytes: Int) { left.withLock { $0 += bytes } }
}
