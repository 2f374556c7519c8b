import CVips

/// SHA-256, by GLib.
package enum Digest {
    /// The digest of `bytes`, in lower-case hexadecimal.
    package static func sha256(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { sha256($0) }
    }

    /// The digest of what the file at `path` holds. No decoder looks at it, so it may be of anybody's file. O(bytes).
    ///
    /// - Parameter limit: The most bytes that are read.
    /// - Throws: `RenderError.unreadable`, `empty` or `tooLarge`.
    public static func sha256(of path: FilePath, limit: Int) throws(RenderError) -> String {
        let bytes = try SourceBytes(.file(path), limit: limit) { _ in }
        return withExtendedLifetime(bytes) { sha256(bytes.buffer) }
    }

    static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
        let data = bytes.bindMemory(to: UInt8.self).baseAddress
        guard let text = g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, gsize(bytes.count)) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}

extension OpenedImage {
    /// The SHA-256 of the source's bytes. O(bytes).
    ///
    /// - Throws: `RenderError.incomplete` where not all of them are known.
    public var digest: String {
        get throws(RenderError) {
            if isComplete { return Digest.sha256(bytes.buffer) }
            guard let whole = try bytes.whole(name: name, limit: .max) else { throw .incomplete(source: name) }
            return withExtendedLifetime(whole) { Digest.sha256(whole.buffer) }
        }
    }
}
