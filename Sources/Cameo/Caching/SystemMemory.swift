import Glibc

/// How much memory this process can hope for.
public enum SystemMemory {
    /// Bytes of the machine's memory, or what the control group allows where that is less.
    public static let available: Int = {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        // A machine that will not say is taken for a small one.
        let installed = pages > 0 && pageSize > 0 ? pages * pageSize : 1 << 30
        return min(installed, controlGroupLimit() ?? installed)
    }()

    /// The control group's limit in bytes (version 2, then version 1); nil where there is none.
    static func controlGroupLimit() -> Int? {
        for path in ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"] {
            guard let file = fopen(path, "re") else { continue }
            defer { fclose(file) }
            var buffer = [CChar](repeating: 0, count: 32)
            guard fgets(&buffer, 31, file) != nil else { continue }
            let digits = buffer.prefix { $0 >= 48 && $0 <= 57 }.map { UInt8($0) }
            // Version 1 writes "none" as the largest page-aligned number.
            if let value = Int(String(decoding: digits, as: UTF8.self)), value < 1 << 60 { return value }
        }
        return nil
    }
}
