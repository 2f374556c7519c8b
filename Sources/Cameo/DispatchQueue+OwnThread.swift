import Dispatch

extension DispatchQueue {
    /// A thread of Dispatch's for work that runs long.
    ///
    /// A serial queue: it has a thread at once. Concurrent queues share as many as there are processors with all else in
    /// the program, and a program that keeps those busy would keep pictures from being made.
    static func ofOwnThread(_ label: String) -> DispatchQueue { DispatchQueue(label: label) }
}
