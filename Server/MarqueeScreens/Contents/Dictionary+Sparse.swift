extension Dictionary {
    /// A table with fewer entries than its capacity divided by this is copied to a smaller one.
    private static var sparseness: Int { 8 }

    /// Removes a value, and shrinks the table when it has become sparse. Amortized constant time.
    /// - Parameter room: the capacity up to which the table is never shrunk.
    /// - Returns: the removed value.
    @discardableResult
    package mutating func removeValueAndRoom(forKey key: Key, above room: Int = 1_024) -> Value? {
        let value = removeValue(forKey: key)
        guard capacity > room, count < capacity / Self.sparseness else { return value }
        var smaller = Dictionary(minimumCapacity: 2 * count)
        for (key, value) in self { smaller[key] = value }
        self = smaller
        return value
    }
}
