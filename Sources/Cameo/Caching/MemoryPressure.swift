/// How short memory is.
public enum MemoryPressure: Sendable {
    /// Work already waits for memory now and then.
    case moderate
    /// Little else gets done than waiting for memory.
    case critical
}
