import Foundation
import Glibc
import Synchronization

/// What a replay took of the machine.
package struct ProcessFigures: Codable, Hashable, Sendable {
    /// The most bytes that were resident.
    package var peakResident = 0
    /// The most threads that there were.
    package var peakThreads = 0
    /// Bytes read, by reading calls and by the disk.
    package var bytesRead = 0
    /// Bytes that came from the disk.
    package var diskRead = 0
    /// Bytes written, by writing calls.
    package var bytesWritten = 0

    /// Nothing taken.
    package init() {}
}

/// Watches the process from a thread of its own, twenty times a second.
final class ProcessWatch: Sendable {
    private struct State {
        var figures = ProcessFigures()
        var isOver = false
    }

    /// Guards what was seen.
    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)
    private let before = ProcessWatch.counts()
    private let cpu = processTime()

    init() {
        let thread = Thread { [self] in
            while !state.withLock({ $0.isOver }) {
                look()
                usleep(50_000)
            }
            done.signal()
        }
        thread.start()
    }

    /// Ends the watch: what was taken since it began, and seconds of processor time.
    func end() -> (ProcessFigures, cpu: Double) {
        let used = Double(processTime() - cpu) / 1e9
        look()
        state.withLock { $0.isOver = true }
        done.wait()
        var figures = state.withLock { $0.figures }
        let after = Self.counts()
        func grown(_ name: String) -> Int { (after[name] ?? 0) - (before[name] ?? 0) }
        (figures.bytesRead, figures.diskRead) = (grown("rchar"), grown("read_bytes"))
        figures.bytesWritten = grown("wchar")
        return (figures, used)
    }

    private func look() {
        let numbers = Self.numbers("/proc/self/status")
        state.withLock { state in
            state.figures.peakResident = max(state.figures.peakResident, (numbers["VmRSS"] ?? 0) * 1024)
            state.figures.peakThreads = max(state.figures.peakThreads, numbers["Threads"] ?? 0)
        }
    }

    private static func counts() -> [String: Int] { numbers("/proc/self/io") }

    private static func numbers(_ path: String) -> [String: Int] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [:] }
        var numbers: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " })
            if parts.count >= 2, let number = Int(parts[1]) { numbers[String(parts[0])] = number }
        }
        return numbers
    }
}
