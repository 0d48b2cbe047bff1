import MarqueeTypes

/// A field's value as orders compare it; missing values come last in both directions.
typealias FieldKey = MarqueeTypes.SortKey

/// A place in an order of records; smaller keys come first. Keys of different records differ.
struct RecordKey: Hashable, Comparable, Sendable {
    var key: FieldKey
    /// The record's id. Breaks ties, ascending in both directions.
    var id: String

    static func < (a: RecordKey, b: RecordKey) -> Bool {
        if a.key != b.key { return a.key < b.key }
        return a.id < b.id
    }
}

extension FieldKey {
    /// The same value for all records, if they are ordered by id alone.
    static let same = FieldKey(nil)

    /// Rises with the key, though many different keys share one; the largest for a missing value.
    var ordinal: UInt64 {
        // The first byte says whether there is a value.
        guard self != .same else { return .max }
        var ordinal: UInt64 = 0
        for index in 1...MemoryLayout<UInt64>.size {
            ordinal = ordinal << 8 | UInt64(index < bytes.count ? bytes[index] : 0)
        }
        return ordinal
    }
}
