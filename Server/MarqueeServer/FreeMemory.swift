import Dispatch

#if canImport(Glibc)
    import Glibc
#endif

/// Freed memory that the allocator still holds.
enum FreeMemory {
    #if canImport(Glibc)
        private static let queue = DispatchQueue(label: "marquee.memory", qos: .background)
        /// glibc's `malloc_trim`, which Swift's Glibc module doesn't expose.
        private static let trim = dlsym(nil, "malloc_trim").map {
            unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
        }
    #endif

    /// Returns freed memory to the system, on a separate thread. By itself, glibc only returns memory at the end of a
    /// heap, where some small allocation usually remains after a burst.
    static func giveBack() {
        #if canImport(Glibc)
            queue.async { _ = trim?(0) }
        #endif
    }
}
