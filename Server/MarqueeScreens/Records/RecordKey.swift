import MarqueeTypes

/// A field's value as orders compare it; missing values come last in both directions.
typealias FieldKey = MarqueeTypes.SortKey

/// A sort key of a record; smaller keys come first. Keys of different records differ.
struct RecordKey: Hashable, Comparable, Sendable {
    /// The key that is compared first.
    var key: FieldKey
    /// Each decides between records that are equal in all keys before it.
    var others: [FieldKey] = []
    /// The record's id. Breaks ties, ascending in both directions.
    var id: String

    /// The key of a part of the order.
    subscript(part: Int) -> FieldKey { part == 0 ? key : others[part - 1] }

    static func < (a: RecordKey, b: RecordKey) -> Bool {
        if a.key != b.key { return a.key < b.key }
        for (first, second) in zip(a.others, b.others) where first != second { return first < second }
        return a.id < b.id
    }
}

extension FieldKey {
    /// The key of every record if they are ordered by id alone.
    static let same = FieldKey(nil)
}
