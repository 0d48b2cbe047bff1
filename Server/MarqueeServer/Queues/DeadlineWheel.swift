/// The time of each key's next check, to the second. A key that is rarely checked costs nothing in between.
///
/// All times are milliseconds of a monotonic clock.
struct DeadlineWheel<Key: Hashable> {
    private static var slot: UInt64 { 1_000 }

    /// Keys by the slot of their deadline, including stale entries of keys removed or rescheduled.
    private var slots: [UInt64: [Key]] = [:]
    private var scheduled: [Key: UInt64] = [:]

    /// The number of keys with a deadline.
    var count: Int { scheduled.count }

    /// Schedules a key to be checked at `deadline`. One with an earlier deadline keeps it: deadlines mostly move later,
    /// and one needless check is cheaper than moving the key each time.
    mutating func schedule(_ key: Key, at deadline: UInt64) {
        let slot = deadline / Self.slot + (deadline % Self.slot == 0 ? 0 : 1)
        if let before = scheduled[key], before <= slot { return }
        scheduled[key] = slot
        slots[slot, default: []].append(key)
    }

    mutating func remove(_ key: Key) { scheduled[key] = nil }

    /// Removes and returns the keys whose deadline has passed; each has none until it is scheduled again.
    mutating func due(at now: UInt64) -> [Key] {
        let current = now / Self.slot
        var due: [Key] = []
        for slot in slots.keys.filter({ $0 <= current }).sorted() {
            for key in slots.removeValue(forKey: slot) ?? [] where scheduled[key] == slot {
                scheduled[key] = nil
                due.append(key)
            }
        }
        return due
    }
}
