/// Keys with their sizes, in the order in which they were last appended. Each operation costs a constant number of steps on average.
struct AgeQueue<Key: Hashable> {
    private var order: [(key: Key, serial: UInt64)] = []
    /// Before it stands what was taken out.
    private var start = 0
    private var live: [Key: (size: Int, time: UInt64, serial: UInt64)] = [:]
    private var serial: UInt64 = 0
    private(set) var bytes = 0

    /// Adds a key, or makes one that is there the youngest.
    /// - Parameter time: milliseconds; never less than of what was appended before.
    mutating func append(_ key: Key, bytes size: Int = 0, at time: UInt64) {
        serial += 1
        bytes += size - (live.updateValue((size, time, serial), forKey: key)?.size ?? 0)
        order.append((key, serial))
        if order.count - start > 4 * live.count + 1_024 {
            order = order[start...].filter { live[$0.key]?.serial == $0.serial }
            start = 0
        }
    }

    mutating func remove(_ key: Key) {
        if let entry = live.removeValue(forKey: key) { bytes -= entry.size }
    }

    /// Takes the oldest key out.
    mutating func popFirst() -> Key? {
        while start < order.count {
            let entry = order[start]
            start += 1
            if live[entry.key]?.serial == entry.serial {
                remove(entry.key)
                return entry.key
            }
        }
        return nil
    }

    /// Takes the oldest key out if it was appended as long ago as `age` or longer.
    mutating func popFirst(ageing age: UInt64, at now: UInt64) -> Key? {
        while start < order.count {
            let entry = order[start]
            if let found = live[entry.key], found.serial == entry.serial {
                return now - min(now, found.time) >= age ? popFirst() : nil
            }
            start += 1
        }
        return nil
    }
}
