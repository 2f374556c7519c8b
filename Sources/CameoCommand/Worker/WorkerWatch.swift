import Dispatch
import Glibc

/// Looks after a worker, on threads of its own: deadlines, signs of life, and whether anybody still waits for it.
struct WorkerWatch {
    /// Seconds between two signs of life; 0 for none.
    let heartbeat: Double

    private static let interval: UInt32 = 50_000
    private static let longestTick = 0.2

    /// Who started this process. `Main` asks first thing, so that one who is gone soon after is missed all the same.
    static let parent = getppid()

    /// Returns once the worker is done.
    func run(_ worker: WorkerRun) {
        var last = DispatchTime.now().uptimeNanoseconds
        var silent = 0.0
        while !worker.isOver {
            usleep(Self.interval)
            let now = DispatchTime.now().uptimeNanoseconds
            let seconds = Double(now - last) / 1e9
            last = now
            // While the whole process stood still, no line had the time.
            worker.tick(min(seconds, Self.longestTick))
            silent += seconds
            if heartbeat > 0, silent >= heartbeat {
                silent = 0
                worker.heartbeat()
            }
        }
    }

    /// Ends the process once whoever started it is gone or has closed its ears: answers would be lost. Outputs are
    /// whole at any time, so there is nothing to tidy up. Takes no lock, since somebody may hold it who cannot write.
    static func waitForLoneliness(_ worker: WorkerRun) {
        while !worker.isOver {
            usleep(interval)
            if getppid() != parent || isUnheard { _exit(ExitStatus.drained.rawValue) }
        }
    }

    /// Whether the other end of standard output is closed.
    private static var isUnheard: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
    }
}
