/// What the command tells whoever called it.
enum ExitStatus: Int32 {
    case done = 0
    case someFailed = 1
    case usage = 2
    case environment = 3
    /// Asked to end before everything was done; what is left may be given to another. sysexits.h's EX_TEMPFAIL.
    case drained = 75
    case interrupted = 130
}
