import Cameo

/// Drives a suspended pipeline by a clock of its own: one worker takes a step, is busy for what the step would cost,
/// and takes the next. No thread is involved, so each replay is the same.
package struct VirtualWorker {
    /// Seconds that each kind of work costs; about those of one core with photos of a few megapixels.
    package struct Costs: Hashable, Sendable {
        /// A step that finds nothing to do.
        package var step = 0.000_02
        /// Looking into a file.
        package var open = 0.000_5
        /// A stand-in out of a file.
        package var standIn = 0.001
        /// Going through a file for its 1/8 picture, beside giving that away.
        package var skim = 0.001
        /// A thumbnail from the store, decoded.
        package var diskHit = 0.000_2
        /// A decode.
        package var decode = 0.008

        /// The costs above.
        package init() {}
    }

    private let pipeline: ImagePipeline
    private let costs: Costs
    private var free = 0.0

    /// A worker for `pipeline`, which must be suspended.
    package init(_ pipeline: ImagePipeline, _ costs: Costs = Costs()) {
        self.pipeline = pipeline
        self.costs = costs
    }

    /// Works until `time`. A step counts from the moment it is taken: its result is there at the next frame.
    package mutating func work(until time: Double) {
        while free < time {
            let before = pipeline.statistics
            let opens = pipeline.counters.opening.count
            let skims = pipeline.counters.skimming.count
            // A worker that finds nothing waits for the next frame to bring something.
            guard pipeline.runNextStep() else {
                free = time
                return
            }
            let after = pipeline.statistics
            free += costs.step
            free += Double(pipeline.counters.opening.count - opens) * costs.open
            free += Double(pipeline.counters.skimming.count - skims) * costs.skim
            free += Double(after.degraded - before.degraded) * costs.standIn
            free += Double(after.diskHits - before.diskHits) * costs.diskHit
            free += Double(after.decodes - before.decodes) * costs.decode
        }
    }
}
