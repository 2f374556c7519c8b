import Foundation

@testable import Cameo

/// The executable that tests start as a worker.
enum Worker {
    /// `cameo`, which lies beside the bundle of the tests. Debug builds of it act out what a taken-over decoder would do,
    /// for sources that are named for it.
    static let executable: FilePath = {
        setenv("CAMEO_REHEARSAL", "1", 1)
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let beside = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        return FilePath(beside.appendingPathComponent("cameo").path)
    }()

    /// The processes that this one has started.
    static var children: Set<Int> {
        let mine = getpid()
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int($0) } ?? []
        return Set(
            all.filter { process in
                let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
                let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
                return fields.count > 1 && Int32(fields[1]) == mine
            })
    }

    /// Whether these processes end within a minute. Suites run beside each other, and what another one has started
    /// meanwhile ends in its own time.
    static func areGone(_ processes: Set<Int>) -> Bool {
        for _ in 0..<600 {
            if children.isDisjoint(with: processes) { return true }
            usleep(100_000)
        }
        return false
    }

    /// Bytes that a process holds in memory.
    static func resident(_ process: Int) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
