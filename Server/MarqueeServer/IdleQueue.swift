/// Variants without a subscriber, the one that has been so longest first. Each operation costs a constant number of steps on average.
struct IdleQueue {
    private var order: [(handle: UInt64, serial: UInt64, since: UInt64)] = []
    /// Before it stands what was taken out.
    private var start = 0
    /// Serials in `order` that are not to be used any more.
    private var removed: Set<UInt64> = []
    private var nextSerial: UInt64 = 1

    var count: Int { order.count - start - removed.count }

    /// - Parameter now: milliseconds; never less than of what was appended before.
    /// - Returns: a serial, by which `remove` finds it.
    mutating func append(_ handle: UInt64, at now: UInt64) -> UInt64 {
        defer { nextSerial += 1 }
        order.append((handle, nextSerial, now))
        return nextSerial
    }

    /// - Parameter serial: what `append` returned; still in the queue.
    mutating func remove(_ serial: UInt64) {
        removed.insert(serial)
        if removed.count > count { compact() }
    }

    /// Takes the longest idle one out.
    mutating func popFirst() -> UInt64? {
        while start < order.count {
            let entry = order[start]
            start += 1
            let isRemoved = removed.remove(entry.serial) != nil
            if start > order.count - start { compact() }
            if !isRemoved { return entry.handle }
        }
        return nil
    }

    /// Takes the longest idle one out if it has been idle since `limit` or longer.
    mutating func popFirst(since limit: UInt64) -> UInt64? {
        while start < order.count, removed.remove(order[start].serial) != nil { start += 1 }
        return start < order.count && order[start].since <= limit ? popFirst() : nil
    }

    private mutating func compact() {
        order = order[start...].filter { !removed.contains($0.serial) }
        start = 0
        removed.removeAll(keepingCapacity: true)
    }
}
