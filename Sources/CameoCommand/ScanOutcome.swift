import Cameo
import Synchronization

/// What a scan came to, handed from the task that scanned to the thread that waits.
final class ScanOutcome: Sendable {
    private let result = Mutex<Result<LibrarySnapshot, LibraryError>>(.failure(.cancelled))

    func set(_ outcome: Result<LibrarySnapshot, LibraryError>) { result.withLock { $0 = outcome } }

    func get() throws(LibraryError) -> LibrarySnapshot { try result.withLock { $0 }.get() }
}
