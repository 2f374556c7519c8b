#if CAMEO_SANITIZES_THREADS
    import Cameo

    /// The lock that the thread sanitizer knows, in this module too.
    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
