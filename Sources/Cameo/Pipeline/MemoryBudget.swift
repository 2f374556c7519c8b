import Glibc

/// How much memory decoding may take on this machine.
public enum MemoryBudget {
    /// 512 MiB, or a quarter of what the control group allows where that is less.
    public static let standard: Int = {
        let usual = 512 << 20
        guard let limit = controlGroupLimit() else { return usual }
        return min(usual, limit / 4)
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
