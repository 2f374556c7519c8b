import Glibc

/// What a frame's handler cost.
package struct FrameCost: Sendable {
    /// Seconds of processor time.
    package var cpu = 0.0
    /// Refreshes that passed without a new frame, because this one was not ready.
    package var missed = 0
    /// Of these, those that would have passed had the thread been woken in time.
    package var missedByHandler = 0
    /// Seconds by which the thread was woken late, which no engine can help.
    package var wakeDelay = 0.0
}

/// What asks for frames, at a fixed rate.
package protocol Display: AnyObject {
    /// Frames a second.
    var rate: Int { get }
    /// Waits until the screen is refreshed for the `number`th time, and lets `handler` make the next frame.
    func frame(_ number: Int, _ handler: () -> Void) -> FrameCost
}

/// A display in real time, on the monotonic clock. A frame is to be ready one period after it was asked for; one that
/// is not stays away for as many whole periods as it takes, and the frames between are never made.
package final class RealDisplay: Display {
    package let rate: Int
    /// When its first frame is due, in nanoseconds of the monotonic clock.
    let start: UInt64
    private let period: UInt64

    /// A display of `rate` frames a second that begins a moment from now.
    package init(rate: Int) {
        self.rate = rate
        Self.raisePriority()
        period = 1_000_000_000 / UInt64(rate)
        start = monotonic() + 20_000_000
    }

    /// `SCHED_RESET_ON_FORK` of Linux, which Swift's Glibc leaves out.
    private static let resetOnFork: Int32 = 0x4000_0000

    /// Lets this thread go before others, as the threads that draw do on every desktop and telephone; threads that it
    /// begins do not inherit that. The thread's nice value from now on: 0 where the system does not allow it.
    @discardableResult
    package static func raisePriority() -> Int {
        var parameter = sched_param(sched_priority: 0)
        guard sched_setscheduler(0, SCHED_OTHER | resetOnFork, &parameter) == 0 else { return 0 }
        _ = setpriority(__priority_which_t(UInt32(PRIO_PROCESS.rawValue)), 0, -10)
        return Int(getpriority(__priority_which_t(UInt32(PRIO_PROCESS.rawValue)), 0))
    }

    package func frame(_ number: Int, _ handler: () -> Void) -> FrameCost {
        let due = start + UInt64(number) * period
        var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
        let woken = monotonic()
        let before = threadTime()
        handler()
        let cpu = threadTime() - before
        let ended = monotonic()
        let missed = ended > due + period ? Int((ended - due - 1) / period) : 0
        let own = ended - woken > period ? Int((ended - woken - 1) / period) : 0
        return FrameCost(
            cpu: Double(cpu) / 1e9, missed: missed, missedByHandler: min(missed, own),
            wakeDelay: Double(woken - min(woken, due)) / 1e9)
    }
}

/// A display whose clock goes on by one period a frame, whatever anything takes: what happens in between is told by
/// `between`, so that a replay is the same each time.
package final class VirtualDisplay: Display {
    package let rate: Int
    private let between: (Double) -> Void

    /// A display of `rate` frames a second; `between` is called with the time of each frame before it is made.
    package init(rate: Int, between: @escaping (Double) -> Void) {
        self.rate = rate
        self.between = between
    }

    package func frame(_ number: Int, _ handler: () -> Void) -> FrameCost {
        between(Double(number) / Double(rate))
        handler()
        return FrameCost()
    }
}

/// Nanoseconds on a clock that only goes forward.
func monotonic() -> UInt64 { nanoseconds(CLOCK_MONOTONIC) }

/// Nanoseconds that this thread has used of a processor.
func threadTime() -> UInt64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

/// Nanoseconds that this process has used of all processors.
func processTime() -> UInt64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

private func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
