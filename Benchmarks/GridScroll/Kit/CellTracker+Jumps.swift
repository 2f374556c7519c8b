import Glibc

extension CellTracker {
    /// What became of each jump of `plan`; `spans` are the decodes, `start` the moment at which the replay's time was 0.
    func jumps(of plan: ScrollPlan, _ spans: [DecodeSpan], since start: UInt64) -> [Measurement.Jump] {
        plan.jumps.map { time in
            // The first frame behind the jump.
            guard let entered = frames.first(where: { $0.time >= time - 1e-9 })?.time else {
                return Measurement.Jump(at: time, cells: plan.visible(at: plan.position(at: time)).count)
            }
            let visible = plan.visible(at: plan.position(at: entered))
            var jump = Measurement.Jump(at: time, cells: visible.count)
            // Some may have been on screen before.
            let there = lives.filter {
                visible.contains($0.cell) && $0.entered < entered + 1e-9 && ($0.left ?? end) > entered + 1e-9
            }
            guard there.count == visible.count else { return jump }
            jump.stayed = there.reduce(Double.infinity) { min($0, ($1.left ?? end) - entered) } * 1000
            guard there.allSatisfy({ $0.final != nil || $0.hasFailed }) else { return jump }
            let seconds = there.reduce(0) { max($0, ($1.final ?? $1.entered) - entered) }
            jump.allFinal = seconds * 1000
            let (from, to) = (start + UInt64(entered * 1e9), start + UInt64((entered + seconds) * 1e9))
            // What is fetched ahead of the new screen was not left behind.
            let near = visible.lowerBound - 2 * visible.count..<visible.upperBound + 2 * visible.count + 1
            var busy: UInt64 = 0
            for span in spans where !near.contains(span.cell) {
                let (first, last) = (max(span.start, from), min(span.end, to))
                if last > first { busy += last - first }
            }
            let workers = UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
            jump.leftBehindShare = to > from ? Double(busy) / Double((to - from) * workers) : 0
            return jump
        }
    }
}
