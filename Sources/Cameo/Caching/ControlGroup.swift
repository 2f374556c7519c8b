import Glibc

/// The control groups that this process is in (cgroups(7)): what limits its memory and tells of its pressure.
struct ControlGroup {
    /// Folders of version 2, this process's own group first, then those around it up to what is mounted.
    let unified: [String]
    /// The same of version 1's memory controller.
    let memory: [String]

    /// Where Linux has them.
    static let own = ControlGroup(text(of: "/proc/self/cgroup") ?? "", mount: "/sys/fs/cgroup")

    /// The groups that `text` tells, a line for each hierarchy, in what is mounted at `mount`.
    ///
    /// Inside a container the path may be one of the host, of which nothing is mounted here: what is mounted then is the
    /// container's own, and the last of each list.
    init(_ text: String, mount: String) {
        var (unified, memory) = ([mount], [mount + "/memory"])
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[0] == "0", parts[1].isEmpty {
                unified = Self.around(parts[2], in: mount)
            } else if parts[1].split(separator: ",").contains("memory") {
                memory = Self.around(parts[2], in: mount + "/memory")
            }
        }
        self.unified = unified
        self.memory = memory
    }

    /// The least that one of the groups allows, in bytes, in version 2 or else in version 1; nil where none limits it.
    var memoryLimit: Int? {
        unified.compactMap { Self.number(in: $0 + "/memory.max") }.min()
            ?? memory.compactMap { Self.number(in: $0 + "/memory.limit_in_bytes") }.min()
    }

    private static func around(_ path: Substring, in mount: String) -> [String] {
        var names = path.split(separator: "/")
        // A group outside what this process may see.
        if names.contains("..") { return [mount] }
        var folders: [String] = []
        while !names.isEmpty {
            folders.append(mount + "/" + names.joined(separator: "/"))
            names.removeLast()
        }
        return folders + [mount]
    }

    /// Version 2 writes `max` for no limit, version 1 the largest page-aligned number.
    private static func number(in path: String) -> Int? {
        let digits = text(of: path)?.prefix { $0.isASCII && $0.isNumber }
        return digits.flatMap { Int($0) }.flatMap { $0 < 1 << 60 ? $0 : nil }
    }

    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return String(decoding: FileWindow.read(file, at: 0, 16_384), as: UTF8.self)
    }
}
