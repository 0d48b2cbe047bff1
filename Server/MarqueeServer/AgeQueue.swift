import DequeModule

/// Keys with their sizes, in the order in which they were last appended. Each operation costs a constant number of
/// steps on average.
struct AgeQueue<Key: Hashable> {
    /// The oldest first; also entries of keys that were removed or appended again since, fewer than `4 * live.count +
    /// 1_024`.
    private var order: Deque<(key: Key, serial: UInt64)> = []
    private var live: [Key: (size: Int, time: UInt64, serial: UInt64)] = [:]
    private var serial: UInt64 = 0
    private(set) var bytes = 0

    /// Keys that are there.
    var count: Int { live.count }
    /// Entries that are held, also those of no more use.
    var heldEntries: Int { order.count }

    /// Adds a key, or makes one that is there the youngest.
    /// - Parameter time: milliseconds; never less than of what was appended before.
    mutating func append(_ key: Key, bytes size: Int = 0, at time: UInt64) {
        serial += 1
        bytes += size - (live.updateValue((size, time, serial), forKey: key)?.size ?? 0)
        order.append((key, serial))
        if order.count > 4 * live.count + 1_024 {
            order.removeAll { live[$0.key]?.serial != $0.serial }
        }
    }

    mutating func remove(_ key: Key) {
        if let entry = live.removeValue(forKey: key) { bytes -= entry.size }
    }

    /// Takes the oldest key out.
    mutating func popFirst() -> Key? {
        while let entry = order.popFirst() {
            guard live[entry.key]?.serial == entry.serial else { continue }
            remove(entry.key)
            return entry.key
        }
        return nil
    }

    /// Takes the oldest key out if it was appended as long ago as `age` or longer.
    mutating func popFirst(ageing age: UInt64, at now: UInt64) -> Key? {
        while let entry = order.first {
            if let found = live[entry.key], found.serial == entry.serial {
                return now - min(now, found.time) >= age ? popFirst() : nil
            }
            order.removeFirst()
        }
        return nil
    }
}
