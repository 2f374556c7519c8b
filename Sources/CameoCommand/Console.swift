import Glibc
import Synchronization

/// Where the command writes: results to standard output, everything else to standard error.
///
/// One lock for both, so that a line is never torn and the progress line never runs into another.
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
    func result(_ line: some Sequence<UInt8>) -> Bool {
        state.withLock { state in
            clearProgress(state)
            if !state.isBroken { state.isBroken = !Self.write(Array(line) + [10], to: STDOUT_FILENO) }
            drawProgress(state)
            return !state.isBroken
        }
    }

    /// Tells people something.
    func message(_ text: String) {
        state.withLock { state in
            clearProgress(state)
            _ = Self.write(Array("cameo: \(text)\n".utf8), to: STDERR_FILENO)
            drawProgress(state)
        }
    }

    /// Text without a prefix on standard error: a summary.
    func note(_ text: String) {
        state.withLock { state in
            clearProgress(state)
            _ = Self.write(Array("\(text)\n".utf8), to: STDERR_FILENO)
            drawProgress(state)
        }
    }

    /// Replaces the progress line; an empty one removes it.
    func progress(_ line: String) {
        guard showsProgress else { return }
        state.withLock { state in
            clearProgress(state)
            state.progressLine = line
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
