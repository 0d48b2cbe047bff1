/// Decides when the allocator should return freed memory to the system.
///
/// Looking and returning both visit every free block while allocations wait, so neither is done often, or for little.
struct TrimSchedule {
    /// The process's memory, in bytes.
    struct Use: Hashable, Sendable {
        /// The process's resident memory, without that of files.
        var resident: Int
        /// Memory allocated by the process.
        var allocated: Int

        /// Memory that is resident and not allocated: freed memory, and some that isn't the allocator's.
        var rest: Int { max(0, resident - allocated) }
    }

    /// The least time between two looks, in milliseconds.
    static let pauseMilliseconds: UInt64 = 10_000
    /// The pause after a look, as a multiple of the look's duration.
    static let restPerWork: UInt64 = 1_000
    /// The least amount that is worth returning: bytes, and a divisor of the allocated memory.
    static let worthwhileBytes = 4 << 20
    static let worthwhileShare = 8

    /// When to look next, in milliseconds of a monotonic clock.
    private var next: UInt64 = 0
    /// The rest after the last return: freed pages that are partly in use, and memory that isn't the allocator's.
    private var left = 0

    /// - Returns: whether to look now; no other look begins before `ended` is called.
    mutating func begins(at now: UInt64) -> Bool {
        guard now >= next else { return false }
        next = .max
        return true
    }

    /// - Returns: whether freed memory is worth returning.
    mutating func isWorthwhile(_ use: Use) -> Bool {
        left = min(left, use.rest)
        return use.rest - left >= max(Self.worthwhileBytes, use.allocated / Self.worthwhileShare)
    }

    /// Records the memory in use after freed memory was returned.
    mutating func returned(leaving use: Use) { left = use.rest }

    /// Ends a look, including the return that it may have led to.
    mutating func ended(at now: UInt64, duration milliseconds: UInt64) {
        next = now + max(Self.pauseMilliseconds, milliseconds * Self.restPerWork)
    }
}
