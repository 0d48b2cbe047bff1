import MarqueeScreens

/// A dictionary made of many small ones, because a large one stalls its owner while it grows: moving 200,000 entries
/// takes about a tenth of a second, and threads that wait for the owner's lock stall for as long.
///
/// Each part grows by itself, with a 256th of the entries.
struct SpreadDictionary<Key: Hashable, Value> {
    private static var partCount: Int { 256 }

    private var parts: [[Key: Value]] = Array(repeating: [:], count: partCount)
    private(set) var count = 0

    subscript(key: Key) -> Value? { parts[Self.part(of: key)][key] }

    /// - Returns: the old value.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
        let old = parts[Self.part(of: key)].updateValue(value, forKey: key)
        if old == nil { count += 1 }
        return old
    }

    /// - Returns: the old value.
    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        let old = parts[Self.part(of: key)].removeValueAndRoom(forKey: key, above: 16)
        if old != nil { count -= 1 }
        return old
    }

    /// Dictionaries seed their hashes by capacity, so selecting parts by hash doesn't cluster the keys within a part.
    private static func part(of key: Key) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(partCount)) }
}
