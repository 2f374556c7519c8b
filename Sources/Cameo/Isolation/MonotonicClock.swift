import Glibc

/// A clock that only goes forwards.
enum MonotonicClock {
    /// Nanoseconds since some moment.
    static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The same in seconds.
    static func seconds() -> Double { Double(nanoseconds()) / 1e9 }
}
