import CGlibc
import Dispatch
import Glibc

/// Tells when the other side of a connection has left while nobody reads from it.
///
/// The daemon does not look at a connection that is suspended, so a client that goes away while its picture is being
/// made would not be noticed. A client that closes its sending half counts as gone; browsers do no such thing.
///
/// `@unchecked Sendable`: the source is never changed, and only cancelled at the end.
final class HangupWatcher: @unchecked Sendable {
    private let poll: Int32
    private let source: any DispatchSourceRead

    /// Calls `report`, on a queue of its own, with the number of each connection whose client has left.
    init?(_ report: @escaping @Sendable (UInt64) -> Void) {
        let poll = cglibc_hangup_watch()
        guard poll >= 0 else { return nil }
        self.poll = poll
        source = DispatchSource.makeReadSource(fileDescriptor: poll, queue: DispatchQueue(label: "cameo.hangups"))
        source.setEventHandler {
            while case let number = cglibc_take_hangup(poll), number != 0 { report(number) }
        }
        source.setCancelHandler { Glibc.close(poll) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Watches a socket until `unwatch`; `number` is not 0.
    func watch(_ file: Int32, _ number: UInt64) { _ = cglibc_watch_hangup(poll, file, number) }

    func unwatch(_ file: Int32) { cglibc_unwatch(poll, file) }
}
