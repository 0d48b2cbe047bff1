package import MarqueeTypes

/// An order of the records of a type, by the values of one field or of several.
package struct RecordSort: Hashable, Sendable {
    /// A field that takes part in an order.
    package struct Part: Hashable, Sendable {
        package var field: TypeDeclaration.SortField
        package var isDescending: Bool
        /// The locales of a localized text, in order of preference; empty for other fields.
        var locales: [String] = []
        /// The order of texts.
        var collation = Collation.root

        /// The name in programmes, such as `-published`.
        package var name: String { (isDescending ? "-" : "") + field.path.text }

        func key(of bytes: [UInt8]) -> FieldKey {
            field.key(of: bytes, locales: locales, descending: isDescending, collation: collation)
        }

        fileprivate func shown(in locales: [String]) -> Part {
            var part = self
            if field.isLocalized { part.locales = locales }
            if field.isCollated, let locale = locales.first { part.collation = Collation(locale: locale) }
            return part
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    package var first: Part
    /// Each decides between records that are equal in all parts before it.
    package var others: [Part] = []

    package var parts: [Part] { [first] + others }

    /// The name in programmes, such as `-published`; with several parts, `-size, name`.
    package var name: String { parts.map(\.name).joined(separator: ", ") }

    func key(of bytes: [UInt8], id: String) -> RecordKey {
        RecordKey(key: first.key(of: bytes), others: others.map { $0.key(of: bytes) }, id: id)
    }

    /// The order as shown in one locale.
    ///
    /// - Parameter locales: in order of preference.
    func shown(in locales: [String]) -> RecordSort {
        RecordSort(first: first.shown(in: locales), others: others.map { $0.shown(in: locales) })
    }
}

/// A condition of a query on a record, besides the value that the query is grouped by.
package enum RecordCondition: Hashable, Sendable {
    package struct Bound: Hashable, Sendable {
        enum Limit: Hashable, Sendable {
            case fixed(FieldKey)
            case moving(TimeTerm)
        }

        var limit: Limit
        var isIncluded: Bool
    }

    /// A field that the type declares for sorts or conditions.
    package enum Declared: Hashable, Sendable {
        case facet(FieldPath)
        case sort(TypeDeclaration.SortField)

        fileprivate func hasValue(in bytes: [UInt8]) -> Bool {
            switch self {
            case .sort(let field): return !field.key(of: bytes).isMissing
            case .facet(let path):
                var isFound = false
                path.forEachValue(in: bytes) { _ in isFound = true }
                return isFound
            }
        }
    }

    /// At least one of the field's values is one of these.
    case isAny(FieldPath, Set<FieldValue>)
    /// The field has none of these values; it may be missing.
    case isNone(FieldPath, Set<FieldValue>)
    /// The field is present and within these bounds.
    case isWithin(TypeDeclaration.SortField, lower: Bound?, upper: Bound?)
    /// The field has a value, or is missing.
    case has(Declared, Bool)
    /// All conditions of at least one of these alternatives hold.
    case isAnyOf([[RecordCondition]])

    /// The field whose values decide; `nil` for conditions of other kinds.
    var path: FieldPath? {
        switch self {
        case .isAny(let path, _), .isNone(let path, _): path
        case .isWithin, .has, .isAnyOf: nil
        }
    }

    /// The values of the field at `path` that it names.
    var named: Set<FieldValue> {
        switch self {
        case .isAny(_, let values), .isNone(_, let values): values
        case .isWithin, .has, .isAnyOf: []
        }
    }

    /// Maximum number of times that `holds` reads a record.
    var reads: UInt64 {
        guard case .isAnyOf(let alternatives) = self else { return 1 }
        return alternatives.joined().reduce(0) { $0 + $1.reads }
    }

    func holds(for bytes: [UInt8]) -> Bool {
        switch self {
        case .isAny(let path, let values): return path.holds(anyOf: values, in: bytes)
        case .isNone(let path, let values): return !path.holds(anyOf: values, in: bytes)
        case .isWithin(let field, let lower, let upper):
            let key = field.key(of: bytes)
            return !key.isMissing && lower?.holds(below: key) ?? true && upper?.holds(above: key) ?? true
        case .has(let field, let isWanted): return field.hasValue(in: bytes) == isWanted
        case .isAnyOf(let alternatives):
            return alternatives.contains { $0.allSatisfy { $0.holds(for: bytes) } }
        }
    }
}

extension RecordCondition.Bound {
    /// No key is within a moving bound: conditions are resolved at a moment before they are evaluated.
    fileprivate func holds(below key: FieldKey) -> Bool {
        guard case .fixed(let limit) = limit else { return false }
        return limit < key || (limit == key && isIncluded)
    }

    fileprivate func holds(above key: FieldKey) -> Bool {
        guard case .fixed(let limit) = limit else { return false }
        return key < limit || (limit == key && isIncluded)
    }
}

/// The orders of all queries that differ only in the value that they are grouped by.
///
/// A class, because moves and watches that name orders are copied and looked up with every change.
package final class RecordFamily: Hashable, Sendable {
    let type: String
    let conditions: [RecordCondition]
    /// A record is in one order for each value of this field; without such a field, there is only one order.
    let group: FieldPath?
    /// `nil` for the order by id.
    let sort: RecordSort?
    /// The bounds of its conditions that move with time.
    let movingBounds: Set<MovingBound>
    private let hash: Int

    init(type: String, conditions: [RecordCondition] = [], group: FieldPath? = nil, sort: RecordSort? = nil) {
        self.type = type
        self.conditions = conditions
        self.group = group
        self.sort = sort
        movingBounds = conditions.movingBounds(of: type)
        readsPerRecord = conditions.reduce(group == nil ? 0 : 1) { $0 + $1.reads }
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(group)
        hasher.combine(sort)
        hasher.combine(conditions.count)
        hash = hasher.finalize()
    }

    package static func == (a: RecordFamily, b: RecordFamily) -> Bool {
        a === b
            || (a.hash == b.hash && a.type == b.type && a.conditions == b.conditions && a.group == b.group
                && a.sort == b.sort)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// The values whose orders contain a record, each once.
    ///
    /// - Parameter conditions: the family's, at a moment.
    func groups(of bytes: [UInt8], meeting conditions: [RecordCondition]) -> [FieldValue?] {
        guard conditions.allSatisfy({ $0.holds(for: bytes) }) else { return [] }
        guard let group else { return RecordFamily.one }
        var values: [FieldValue?] = []
        group.forEachValue(in: bytes) { if !values.contains($0) { values.append($0) } }
        return values
    }

    private static let one: [FieldValue?] = [nil]

    /// Maximum number of times that `groups` reads a record.
    let readsPerRecord: UInt64

    func key(of bytes: [UInt8], id: String) -> RecordKey {
        sort?.key(of: bytes, id: id) ?? RecordKey(key: .same, id: id)
    }
}

/// Identifies an order of records.
struct RecordOrder: Hashable, Sendable {
    var family: RecordFamily
    /// `nil` if the family isn't grouped.
    var value: FieldValue?
}

extension FieldPath {
    fileprivate func holds(anyOf values: Set<FieldValue>, in bytes: [UInt8]) -> Bool {
        // With a single value, comparing is cheaper than hashing.
        let single = values.count == 1 ? values.first : nil
        var isFound = false
        forEachValue(in: bytes) { value in
            isFound = isFound || (single.map { $0 == value } ?? values.contains(value))
        }
        return isFound
    }
}
