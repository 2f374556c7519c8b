import Glibc

/// Where things are kept that can be made again.
package enum CacheFolder {
    /// Who may look into such a folder where it is made: its owner. What is in it is made of photos.
    static let mode: mode_t = 0o700

    /// `$XDG_CACHE_HOME/cameo` or `~/.cache/cameo`; nil where neither is known. Never a folder that all may write to, where
    /// somebody else could have put one of this name.
    package static var standard: FilePath? {
        func variable(_ name: String) -> FilePath? {
            guard let value = getenv(name), value.pointee != 0 else { return nil }
            return FilePath(bytes: UnsafeRawBufferPointer(start: value, count: strlen(value)))
        }
        if let cache = variable("XDG_CACHE_HOME"), cache.isAbsolute { return cache.appending("cameo") }
        return variable("HOME")?.appending(".cache").appending("cameo")
    }
}
