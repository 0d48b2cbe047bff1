extension Dictionary {
    /// A table is copied to a smaller one when not one in so many of the entries that it has room for is there.
    private static var sparseness: Int { 8 }

    /// Removes a value, and now and then the room that a table keeps from when it was largest. Amortized constant time.
    /// - Parameter room: for so many entries, which is never given back.
    /// - Returns: the value that was there.
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
