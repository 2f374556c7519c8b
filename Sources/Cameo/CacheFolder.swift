import Glibc

/// Where things are kept that can be made again.
enum CacheFolder {
    /// `$XDG_CACHE_HOME/cameo` or `~/.cache/cameo`; nil where neither is known.
    static var standard: FilePath? {
        func variable(_ name: String) -> FilePath? {
            guard let value = getenv(name), value.pointee != 0 else { return nil }
            return FilePath(bytes: UnsafeRawBufferPointer(start: value, count: strlen(value)))
        }
        if let cache = variable("XDG_CACHE_HOME"), cache.isAbsolute { return cache.appending("cameo") }
        return variable("HOME")?.appending(".cache").appending("cameo")
    }
}
