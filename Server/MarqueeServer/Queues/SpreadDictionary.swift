import MarqueeScreens

/// A dictionary made of many small ones, because a large one stops its owner while it grows: one of 200,000 entries
/// moves them all in about a tenth of a second, and whoever waits for its lock waits as long.
///
/// Each part grows by itself, with a 256th of the entries.
struct SpreadDictionary<Key: Hashable, Value> {
    private static var partCount: Int { 256 }

    private var parts: [[Key: Value]] = Array(repeating: [:], count: partCount)
    private(set) var count = 0

    subscript(key: Key) -> Value? { parts[Self.part(of: key)][key] }

    /// - Returns: the value that was there.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
        let old = parts[Self.part(of: key)].updateValue(value, forKey: key)
        if old == nil { count += 1 }
        return old
    }

    /// - Returns: the value that was there.
    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        let old = parts[Self.part(of: key)].removeValueAndRoom(forKey: key, above: 16)
        if old != nil { count -= 1 }
        return old
    }

    /// Dictionaries seed their hashes by their capacity, so the keys of a part are spread over it as well as any.
    private static func part(of key: Key) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(partCount)) }
}
