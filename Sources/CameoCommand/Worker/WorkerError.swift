/// Why a line did not end in outputs.
enum WorkerError: Error {
    /// The line fails, and its answer says why.
    case failed(ResultLine.Failure)
    /// More of its input has to be read than was.
    case incomplete
    /// Its time is up.
    case expired
    /// A transfer was called off: its time is up, or the worker is to end and the line is another worker's.
    case calledOff
    /// The machine is at fault: the line stays without an answer, for another machine to do.
    case machine(String)
}
