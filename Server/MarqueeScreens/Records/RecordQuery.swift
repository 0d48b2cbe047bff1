package import MarqueeTypes

/// An order of the records of a type, by the value of a field.
package struct RecordSort: Hashable, Sendable {
    package var field: TypeDeclaration.SortField
    package var isDescending: Bool
    /// In order of preference, for a localized text; empty for other fields.
    var locales: [String] = []

    /// The name in programmes and parameters: `-published`.
    package var name: String { (isDescending ? "-" : "") + field.path.text }

    func key(of bytes: [UInt8], id: String) -> RecordKey {
        RecordKey(key: field.key(of: bytes, locales: locales, descending: isDescending), id: id)
    }

    /// The order as shown in one locale.
    ///
    /// - Parameter locales: in order of preference.
    func shown(in locales: [String]) -> RecordSort {
        var sort = self
        if field.isLocalized { sort.locales = locales }
        return sort
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What a query requires of a record, besides the value it is grouped by.
package enum RecordCondition: Hashable, Sendable {
    package struct Bound: Hashable, Sendable {
        var key: FieldKey
        var isIncluded: Bool
    }

    /// One of the field's values is one of these.
    case isAny(FieldPath, Set<FieldValue>)
    /// The field has none of these values; it may be missing.
    case isNone(FieldPath, Set<FieldValue>)
    /// The field is present and within these bounds.
    case isWithin(TypeDeclaration.SortField, lower: Bound?, upper: Bound?)

    func holds(for bytes: [UInt8]) -> Bool {
        switch self {
        case .isAny(let path, let values): return path.values(in: bytes).contains { values.contains($0) }
        case .isNone(let path, let values): return !path.values(in: bytes).contains { values.contains($0) }
        case .isWithin(let field, let lower, let upper):
            let key = field.key(of: bytes)
            if key == .same { return false }
            if let lower, key < lower.key || (key == lower.key && !lower.isIncluded) { return false }
            if let upper, upper.key < key || (key == upper.key && !upper.isIncluded) { return false }
            return true
        }
    }
}

/// The orders of all queries that differ only in the value they are grouped by.
struct RecordFamily: Hashable, Sendable {
    var type: String
    var conditions: [RecordCondition] = []
    /// A record is in one order for each value of this field; without such a field, there is only one order.
    var group: FieldPath?
    /// `nil` for the order by id.
    var sort: RecordSort?

    /// The values whose orders contain a record.
    func groups(of bytes: [UInt8]) -> Set<FieldValue?> {
        guard conditions.allSatisfy({ $0.holds(for: bytes) }) else { return [] }
        return group.map { Set($0.values(in: bytes)) } ?? [nil]
    }

    func key(of bytes: [UInt8], id: String) -> RecordKey {
        sort?.key(of: bytes, id: id) ?? RecordKey(key: .same, id: id)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(group?.text)
        hasher.combine(sort)
        hasher.combine(conditions.count)
    }
}

/// Identifies an order of records.
struct RecordOrder: Hashable, Sendable {
    var family: RecordFamily
    /// `nil` if the family isn't grouped.
    var value: FieldValue?
}
