/// When which key is to be looked at next, to the second. A key that is looked at seldom costs nothing in between.
///
/// All times are milliseconds of a monotonic clock.
struct DeadlineWheel<Key: Hashable> {
    private static var slot: UInt64 { 1_000 }

    /// Keys by the slot of their deadline; stale entries, of keys that were removed or brought forward, included.
    private var slots: [UInt64: [Key]] = [:]
    private var scheduled: [Key: UInt64] = [:]

    /// Keys that have a deadline.
    var count: Int { scheduled.count }

    /// A key is to be looked at once `deadline` has come. One that is to be looked at earlier already stays where it
    /// is: deadlines mostly move away, and it is cheaper to look once in vain than to move the key each time.
    mutating func schedule(_ key: Key, at deadline: UInt64) {
        let slot = deadline / Self.slot + (deadline % Self.slot == 0 ? 0 : 1)
        if let before = scheduled[key], before <= slot { return }
        scheduled[key] = slot
        slots[slot, default: []].append(key)
    }

    mutating func remove(_ key: Key) { scheduled[key] = nil }

    /// Takes out the keys whose deadline has come; each has none until it is scheduled again.
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
