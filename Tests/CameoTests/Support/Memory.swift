import Foundation

/// What this process takes of memory; of use where a test has a process of its own.
enum Memory {
    /// The most that it has held at once, in bytes; nil where that cannot be told.
    static func peak() -> Int? {
        let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}
