import Foundation

/// How long tests wait.
enum Patience {
    /// Whether a sanitizer is in this build.
    static let isSanitized = ProcessInfo.processInfo.environment["CAMEO_SANITIZER"] != nil
    /// Whether it is the one for threads, which sees nothing new in much more of one thread's work.
    static let isForThreads = ProcessInfo.processInfo.environment["CAMEO_SANITIZER"] == "thread"
    /// What times that a test allows, or gives a child, are multiplied by: what a sanitizer is in takes ten times as long.
    static let factor: UInt32 = isSanitized ? 10 : 1
}
