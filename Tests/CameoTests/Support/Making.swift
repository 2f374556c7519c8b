import Foundation
import Synchronization

@testable import Cameo

/// A moment in which somebody else makes a database.
enum Making {
    /// What comes of `body`, run on another thread, while a connection to the new database at `path` holds what makes
    /// turning it to WAL fail at once. It lets go after a fifth of a second.
    @discardableResult
    static func during<Result: Sendable>(
        _ path: FilePath, _ body: @escaping @Sendable () -> Result
    ) throws -> Result? {
        let maker = try Database(path: path)
        try maker.execute("BEGIN IMMEDIATE")
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome<Result>()
        Thread.detachNewThread {
            let result = body()
            outcome.value.withLock { $0 = result }
            done.signal()
        }
        usleep(200_000)
        try maker.execute("COMMIT")
        done.wait()
        return outcome.value.withLock { $0 }
    }

    private final class Outcome<Result: Sendable>: Sendable {
        let value = Mutex<Result?>(nil)
    }
}
