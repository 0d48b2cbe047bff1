import DequeModule

/// Keys with their sizes, in the order in which they were last appended. Each operation takes amortized constant time.
package struct AgeQueue<Key: Hashable> {
    /// The oldest first. Includes stale entries of keys since removed or appended again, fewer than `4 * live.count +
    /// 1_024` in all.
    private var order: Deque<(key: Key, serial: UInt64)> = []
    private var live = SpreadDictionary<Key, (size: Int, time: UInt64, serial: UInt64)>()
    private var serial: UInt64 = 0
    package private(set) var bytes = 0

    package init() {}

    /// The number of live keys.
    package var count: Int { live.count }
    /// Entries held, stale ones included.
    var heldEntries: Int { order.count }

    /// Adds a key, or makes an existing one the youngest.
    /// - Parameter time: milliseconds; never less than in an earlier call.
    package mutating func append(_ key: Key, bytes size: Int = 0, at time: UInt64) {
        serial += 1
        bytes += size - (live.updateValue((size, time, serial), forKey: key)?.size ?? 0)
        order.append((key, serial))
        if order.count > 4 * live.count + 1_024 {
            order.removeAll { live[$0.key]?.serial != $0.serial }
        }
    }

    package mutating func remove(_ key: Key) {
        if let entry = live.removeValue(forKey: key) { bytes -= entry.size }
    }

    /// The keys among these that are in the queue, the oldest first.
    package func sorted(_ keys: some Sequence<Key>) -> [Key] {
        keys.compactMap { key in live[key].map { (key: key, serial: $0.serial) } }.sorted { $0.serial < $1.serial }
            .map(\.key)
    }

    /// Removes the oldest key.
    package mutating func popFirst() -> Key? {
        while let entry = order.popFirst() {
            guard live[entry.key]?.serial == entry.serial else { continue }
            remove(entry.key)
            return entry.key
        }
        return nil
    }

    /// Removes the oldest key if it was appended at least `age` ago.
    package mutating func popFirst(ageing age: UInt64, at now: UInt64) -> Key? {
        while let entry = order.first {
            if let found = live[entry.key], found.serial == entry.serial {
                return now - min(now, found.time) >= age ? popFirst() : nil
            }
            order.removeFirst()
        }
        return nil
    }
}
