import MarqueeTypes

/// A field's value as orders compare it; missing values come last in both directions.
typealias FieldKey = MarqueeTypes.SortKey

/// A sort key of a record; smaller keys come first. Keys of different records differ.
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
    /// The key of every record if they are ordered by id alone.
    static let same = FieldKey(nil)
}
