import Foundation

@testable import Cameo

/// The executable that tests start as a worker.
enum Worker {
    /// A pool that refuses a sandbox with gaps.
    static func pool(seconds: Double = 30, _ onWeakness: (@Sendable (String) -> Void)? = nil) -> WorkerPool {
        var options = RenderOptions()
        options.limits.seconds = seconds
        return WorkerPool(executable: Worker.executable, options: options, isRequired: true, onWeakness: onWeakness)
    }

    /// A small picture.
    static func jpeg(_ size: PixelSize = PixelSize(width: 60, height: 40)) throws -> [UInt8] {
        try Pictures.quarters(size).encoded(Encoding(.jpeg)).bytes
    }

    /// What `body` throws.
    static func error(of body: () throws(RenderError) -> Void) -> RenderError? {
        do throws(RenderError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    /// `cameo`, which lies beside the bundle of the tests. Debug builds of it act out what a taken-over decoder would do,
    /// for sources that are named for it.
    static let executable: FilePath = {
        setenv("CAMEO_REHEARSAL", "1", 1)
        return beside("cameo")
    }()

    /// An executable that lies beside the bundle of the tests.
    static func beside(_ name: String) -> FilePath {
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        let beside = (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        return FilePath(beside.appendingPathComponent(name).path)
    }

    /// The same under a name of its own, so that a test can tell its processes from those of others that run beside it.
    ///
    /// - Parameter name: At most 15 bytes, as many as a process keeps.
    static func executable(named name: String, in folder: TemporaryFolder) throws -> FilePath {
        let link = folder.path.appending(FilePath(name))
        try FileManager.default.createSymbolicLink(
            atPath: link.description, withDestinationPath: executable.description)
        return link
    }

    /// The processes of this name that this one has started, those that have ended and were not waited for among them.
    static func children(named name: String) -> Set<Int> {
        Set(children(of: Int(getpid())) { $0.contains("(\(name))") })
    }

    /// The processes that `parent` has started, of whose stat `isWanted`.
    static func children(of parent: Int, _ isWanted: (String) -> Bool = { _ in true }) -> [Int] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int($0) } ?? []
        return all.filter { process in
            let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && Int(fields[1]) == parent && isWanted(text)
        }
    }

    /// The most bytes that a process has held in memory so far; 0 for one that has ended.
    static func peak(_ process: Int) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
    }

    /// Bytes that a process holds in memory.
    static func resident(_ process: Int) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
