/// What the command tells whoever called it.
enum ExitStatus: Int32 {
    case done = 0
    case someFailed = 1
    case usage = 2
    case environment = 3
    case interrupted = 130
}
