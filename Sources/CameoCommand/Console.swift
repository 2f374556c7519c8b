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

    private struct State {
        var progressLine = ""
        var isBroken = false
    }

    private let state = Mutex(State())
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

    /// Writes one line of results and flushes it. False once nobody reads any more.
    @discardableResult
    func result(_ line: some Sequence<UInt8>) -> Bool { result(lines: [Array(line)]) }

    /// The same for results of several lines, which stay together.
    @discardableResult
    func result(lines: [[UInt8]]) -> Bool {
        var bytes: [UInt8] = []
        for line in lines { bytes += (isTerminal ? Printable.escaped(line) : line) + [10] }
        return state.withLock { state in
            clearProgress(state)
            if !state.isBroken { state.isBroken = !Self.write(bytes, to: STDOUT_FILENO) }
            drawProgress(state)
            return !state.isBroken
        }
    }

    /// Writes text of the command's own, such as its help, as a result.
    func text(_ text: String) { result(lines: Self.lines(text).map { Array($0.utf8) }) }

    /// Tells people something, on one line.
    func message(_ text: String) { tell("cameo: " + Printable.escaped(text)) }

    /// Text without a prefix on standard error: a summary.
    func note(_ text: String) { tell(Self.lines(text).map { Printable.escaped(String($0)) }.joined(separator: "\n")) }

    private func tell(_ text: String) {
        state.withLock { state in
            clearProgress(state)
            _ = Self.write(Array("\(text)\n".utf8), to: STDERR_FILENO)
            drawProgress(state)
        }
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Replaces the progress line; an empty one removes it.
    func progress(_ line: String) {
        guard showsProgress else { return }
        state.withLock { state in
            clearProgress(state)
            state.progressLine = Printable.escaped(line)
            drawProgress(state)
        }
    }

    private func clearProgress(_ state: State) {
        if !state.progressLine.isEmpty { _ = Self.write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
    }

    private func drawProgress(_ state: State) {
        if !state.progressLine.isEmpty { _ = Self.write(Array(state.progressLine.utf8), to: STDERR_FILENO) }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var position = 0
        while position < bytes.count {
            let written = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress.unsafelyUnwrapped + position, $0.count - position)
            }
            if written > 0 {
                position += written
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
