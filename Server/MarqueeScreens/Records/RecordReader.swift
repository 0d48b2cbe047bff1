import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Reads the values of one record, and tracks the other records that they depend on.
struct RecordReader {
    /// Maximum number of entries shown of a repeated field.
    private static let maximumValues = TextBounds.entries
    /// Maximum number of records read for one value of records that are referred to.
    private static let maximumReferred = 4 * TextBounds.entries

    let id: String
    /// The title of a card that has none of its own.
    var name: String { facet?.value ?? id }
    /// Empty without a record.
    let bytes: [UInt8]
    /// Whether there is a record. Without one, even fields that are 0 or empty by default are missing.
    private let hasRecord: Bool
    /// The place message of a list's entry.
    private let place: [UInt8]?
    /// The value and count of a facet's tile.
    private let facet: (value: String, count: Int)?
    let locale: String
    /// Locales in order of preference.
    private let locales: [String]
    private let records: RecordCatalogue
    /// The values that the user's collections store for the record.
    private let values: [CollectionName: [UInt8]]
    /// The records that values were read from, or would be if they existed, and the time.
    private(set) var dependencies: [Trigger] = []

    /// - Parameters:
    ///   - bytes: `nil` if there is no record.
    ///   - place: the place message of a list's entry.
    ///   - facet: the value of a facet's tile, and the number of records with it.
    ///   - fallbackLocale: the locale for localized texts that lack `locale`.
    ///   - values: the values that the user's collections store for the record.
    init(
        id: String, bytes: [UInt8]?, place: [UInt8]? = nil, facet: (value: String, count: Int)? = nil, locale: String,
        fallbackLocale: String, in records: RecordCatalogue, values: [CollectionName: [UInt8]] = [:]
    ) {
        self.id = id
        self.bytes = bytes ?? []
        hasRecord = bytes != nil
        self.place = place
        self.facet = facet
        self.locale = locale
        locales = [String](preferring: locale, before: fallbackLocale)
        self.records = records
        self.values = values
    }

    /// The values in printed form.
    mutating func texts(of value: RecordValue) -> [String] { texts(of: value, limit: Self.maximumValues) }

    /// The texts of the first alternative that has any.
    mutating func texts(of alternatives: [RecordTemplate.Alternative]) -> [String] {
        for alternative in alternatives {
            let found: [String]
            switch alternative {
            case .text(let text): found = [text]
            case .value(let value, nil): found = texts(of: value)
            case .value(let value, .left?):
                note(.record(.time))
                let ends = records.now == nil ? [] : printedValues(of: value)
                found =
                    records.now.map { now in
                        ends.compactMap { TextFormat.left(until: $0, at: now, locales: locales) }
                    } ?? []
            case .value(let value, let format?):
                found = printedValues(of: value).compactMap { format.text(of: $0, locales: locales) }
            case .plural(let value, let forms):
                let category = self.value(of: value).flatMap { PluralRules.of(locale).category(of: $0) }
                found = category.flatMap { forms[$0].text(of: &self) }.map { [$0] } ?? []
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Whether the record meets all of these conditions. Without a record, none is met.
    func meets(_ conditions: [RecordCondition]) -> Bool {
        conditions.isEmpty || (hasRecord && conditions.allSatisfy { $0.holds(for: bytes) })
    }

    private mutating func texts(of value: RecordValue, limit: Int) -> [String] {
        switch value {
        case .first(let list): return texts(of: list, limit: 1)
        case .id: return [id]
        case .facetValue: return facet.map { [$0.value] } ?? []
        case .facetCount, .referring: return values(of: value).compactMap(\.text)
        case .referred, .facetReferred:
            let locales = locales
            return collected(value, limit: limit) { $0.texts(in: $1, locales: locales, limit: $2) }
        case .field, .placed, .member: break
        }
        guard let (field, bytes) = place(of: value) else { return [] }
        return field.texts(in: bytes, locales: locales, limit: limit)
    }

    /// The values to be formatted. As in `texts`, they come from all records referred to, up to the same limits.
    private mutating func printedValues(of value: RecordValue) -> [FieldValue] {
        switch value {
        case .first(let list): return Array(printedValues(of: list).prefix(1))
        case .referred, .facetReferred:
            return collected(value, limit: Self.maximumValues) { Array($0.path.values(in: $1).prefix($2)) }
        default: return Array(values(of: value).prefix(Self.maximumValues))
        }
    }

    // MARK: - Other records

    /// The first `limit` values that `read` finds in the records at the end of a way, read one after the other.
    private mutating func collected<Found>(
        _ value: RecordValue, limit: Int, _ read: (RecordField, [UInt8], Int) -> [Found]
    ) -> [Found] {
        var room = Self.maximumReferred
        switch value {
        case .referred(let way, let field) where hasRecord:
            return collected(way[...], from: bytes, limit, &room) { read(field, $0, $1) }
        case .facetReferred(let type, let way, let field):
            guard let first = facet.flatMap({ record(type, $0.value) }) else { return [] }
            return collected(way[...], from: first, limit, &room) { read(field, $0, $1) }
        default: return []
        }
    }

    /// - Parameter room: how many more records may be read.
    private mutating func collected<Found>(
        _ way: ArraySlice<TypeDeclaration.Reference>, from bytes: [UInt8], _ limit: Int, _ room: inout Int,
        _ read: ([UInt8], Int) -> [Found]
    ) -> [Found] {
        guard let next = way.first else { return read(bytes, limit) }
        var found: [Found] = []
        for id in next.path.values(in: bytes).prefix(Self.maximumValues).compactMap(\.text) {
            guard found.count < limit, room > 0 else { break }
            room -= 1
            guard let record = record(next.type, id) else { continue }
            found += collected(way.dropFirst(), from: record, limit - found.count, &room, read)
        }
        return found
    }

    /// The first record at the end of a way.
    private mutating func record(by way: RecordValue.Way, from bytes: [UInt8]) -> [UInt8]? {
        var bytes = bytes
        for reference in way {
            guard let id = reference.path.values(in: bytes).first?.text, let next = record(reference.type, id) else {
                return nil
            }
            bytes = next
        }
        return bytes
    }

    /// The number of records that refer to this one by the family's group.
    private mutating func count(in family: RecordFamily) -> Int64? {
        guard hasRecord, let value = family.group?.value(written: id), value.plainText == id else { return nil }
        note(.count(RecordOrder(family: family, value: value)))
        return Int64(records.count(of: value, in: family))
    }

    // MARK: - Values

    mutating func value(of value: RecordValue) -> FieldValue? { values(of: value).first }

    /// All values of a list, or the value of a singular field.
    mutating func values(of value: RecordValue) -> [FieldValue] {
        switch value {
        case .id: return [.text(id)]
        case .facetValue: return facet.map { [.text($0.value)] } ?? []
        case .facetCount: return facet.map { [.integer(Int64($0.count))] } ?? []
        case .referring(let family): return count(in: family).map { [.integer($0)] } ?? []
        case .first(let list): return Array(values(of: list).prefix(1))
        case .field, .referred, .placed, .member, .facetReferred: break
        }
        return place(of: value).map { field, bytes in field.path.values(in: bytes) } ?? []
    }

    /// The bytes of a message, of all messages of a list, or of all entries of a map.
    mutating func messages(of value: RecordValue) -> [ArraySlice<UInt8>] {
        place(of: value).map { field, bytes in field.path.payloads(in: bytes).map { bytes[$0] } } ?? []
    }

    private mutating func place(of value: RecordValue) -> (RecordField, [UInt8])? {
        switch value {
        case .id, .facetValue, .facetCount, .referring, .first: return nil
        case .field(let field): return hasRecord ? (field, bytes) : nil
        case .placed(let field): return place.map { (field, $0) }
        case .member(let collection, let field): return values[collection].map { (field, $0) }
        case .facetReferred(let type, let way, let field):
            let first = facet.flatMap { record(type, $0.value) }
            return first.flatMap { record(by: way, from: $0) }.map { (field, $0) }
        case .referred(let way, let field):
            return hasRecord ? record(by: way, from: bytes).map { (field, $0) } : nil
        }
    }

    /// A record that this one refers to. Adds the dependency even if the record doesn't exist.
    private mutating func record(_ type: String, _ id: String) -> [UInt8]? {
        let name = RecordID(type: type, id: id)
        note(.record(.typed(name)))
        return records[name]
    }

    private mutating func note(_ trigger: Trigger) {
        if !dependencies.contains(trigger) { dependencies.append(trigger) }
    }
}
