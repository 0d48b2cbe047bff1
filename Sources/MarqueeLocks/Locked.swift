#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A value that one thread at a time may use: replaces `Synchronization.Mutex` on older systems.
///
/// `@unchecked Sendable`: the value is accessed only while the lock is held.
package final class Locked<Value>: @unchecked Sendable {
    #if canImport(Darwin)
        private typealias Lock = os_unfair_lock
    #else
        private typealias Lock = pthread_mutex_t
    #endif

    // Both in memory of their own, which doesn't move.
    private let lock: UnsafeMutablePointer<Lock>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: sending Value) {
        lock = .allocate(capacity: 1)
        self.value = .allocate(capacity: 1)
        lock.initialize(to: Lock())
        self.value.initialize(to: value)
        #if !canImport(Darwin)
            let result = pthread_mutex_init(lock, nil)
            precondition(result == 0, "a lock can't be made: error \(result)")
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(lock)
        #endif
        value.deinitialize(count: 1)
        value.deallocate()
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    /// Runs `body` with the value while no other thread has it. Not reentrant.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if canImport(Darwin)
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
        #else
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
        #endif
        return try body(&value.pointee)
    }
}
