/// Something that tells when memory gets short.
public protocol MemoryPressureObserving: Sendable {
    /// Calls `handler`, on a queue of the observer's own, each time memory is short, until `stop`.
    func start(_ handler: @escaping @Sendable (MemoryPressure) -> Void)
    /// Calls nobody any more, but for a call that is on its way already.
    func stop()
}
