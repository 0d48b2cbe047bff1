import DequeModule

/// Variants without a subscriber, the one that has been so longest first. Each operation costs a constant number of steps on average.
struct IdleQueue {
    private var order: Deque<(handle: UInt64, serial: UInt64, since: UInt64)> = []
    /// Serials in `order` that are not to be used any more.
    private var removed: Set<UInt64> = []
    private var nextSerial: UInt64 = 1

    var count: Int { order.count - removed.count }

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
        guard removed.count > count else { return }
        order.removeAll { removed.contains($0.serial) }
        removed.removeAll(keepingCapacity: true)
    }

    /// Takes the longest idle one out.
    mutating func popFirst() -> UInt64? {
        while let entry = order.popFirst() {
            if removed.remove(entry.serial) == nil { return entry.handle }
        }
        return nil
    }

    /// Takes the longest idle one out if it has been idle since `limit` or longer.
    mutating func popFirst(since limit: UInt64) -> UInt64? {
        while let first = order.first, removed.remove(first.serial) != nil { order.removeFirst() }
        return order.first.map { $0.since <= limit } == true ? popFirst() : nil
    }
}
