import Cameo

/// What tells one content of a file from the next, as text that is the same on every machine that sees the file.
enum SourceStamp {
    /// The stamp of the file at `path`; nil where it cannot be read. Size and time of the last modification, or the
    /// digest of the content where the file changed too shortly ago for those to prove anything.
    static func of(_ path: FilePath, options: RenderOptions) -> String? {
        guard let stamp = ContentStamp(path: path) else { return nil }
        return stamp.isRacy ? digest(of: path, options: options) : text(stamp)
    }

    /// Whether `stamp`, which may be a caller's own of any kind, is one of the file's content as it is now.
    static func isValid(_ stamp: String, of path: FilePath, options: RenderOptions) -> Bool {
        if stamp.hasPrefix(digestPrefix) { return stamp == digest(of: path, options: options) }
        let parts = stamp.split(separator: "-")
        guard parts.count == 2, parts.allSatisfy({ Int64($0) != nil }) else { return true }
        return ContentStamp(path: path).map(text) == stamp
    }

    static let digestPrefix = "sha256:"

    private static func text(_ stamp: ContentStamp) -> String { "\(stamp.size)-\(stamp.modified)" }

    private static func digest(of path: FilePath, options: RenderOptions) -> String? {
        (try? Digest.sha256(of: path, limit: options.limits.bytes)).map { digestPrefix + $0 }
    }
}
