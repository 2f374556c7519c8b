#if CAMEO_SANITIZES_THREADS
    import ThreadSanitizing

    /// The lock that the thread sanitizer knows.
    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
