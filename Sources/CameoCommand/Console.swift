import Cameo
import Glibc
import Synchronization

/// Where the command writes: results to standard output, everything else to standard error.
///
/// One lock for both, so that a line is never torn and the progress line never runs into another. Results go into a file
/// or a pipe byte for byte; what a terminal shows, and every message, is made printable first.
final class Console: Sendable {
    /// When a progress line is shown.
    enum ProgressMode {
        case automatic, always, never
    }

    /// The progress line that stands there.
    private let progressLine = Mutex("")
    private let showsProgress: Bool
    private let isTerminal = isatty(STDOUT_FILENO) != 0

    init(progress: ProgressMode = .never) {
        showsProgress =
            switch progress {
            case .automatic: isatty(STDERR_FILENO) != 0
            case .always: true
            case .never: false
            }
    }

    /// Writes one line of results and flushes it. False once nobody reads any more, or nothing can be written.
    @discardableResult
    func result(_ line: some Sequence<UInt8>) -> Bool { result(lines: [Array(line)]) }

    /// The same for results of several lines, which stay together.
    @discardableResult
    func result(lines: [[UInt8]]) -> Bool {
        var bytes: [UInt8] = []
        for line in lines { bytes += (isTerminal ? Printable.escaped(line) : line) + [10] }
        return progressLine.withLock { line in
            Self.clear(line)
            let isWritten = StandardOutput.write(bytes)
            Self.write(line)
            return isWritten
        }
    }

    /// Writes text of the command's own, such as its help, as a result.
    func text(_ text: String) { result(lines: Self.lines(text).map { Array($0.utf8) }) }

    /// Tells people something, on one line.
    func message(_ text: String) { tell("cameo: " + Printable.escaped(text)) }

    /// Text without a prefix on standard error: a summary.
    func note(_ text: String) { tell(Self.lines(text).map { Printable.escaped(String($0)) }.joined(separator: "\n")) }

    private func tell(_ text: String) {
        progressLine.withLock { line in
            Self.clear(line)
            Self.write(text + "\n")
            Self.write(line)
        }
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Replaces the progress line; an empty one removes it.
    func progress(_ new: String) {
        guard showsProgress else { return }
        progressLine.withLock { line in
            Self.clear(line)
            line = Printable.escaped(new)
            Self.write(line)
        }
    }

    private static func clear(_ line: String) { if !line.isEmpty { write("\r\u{1B}[K") } }

    private static func write(_ text: String) { _ = writeAll(Array(text.utf8), to: STDERR_FILENO) }
}
