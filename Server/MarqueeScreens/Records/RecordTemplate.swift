import MarqueeCatalogue
package import MarqueeModel
package import MarqueeTypes

/// A value of a record: its id, one of its fields, or a field of the record that one of its fields refers to.
package enum RecordValue: Hashable, Sendable {
    case id
    case field(RecordField)
    /// One hop: `reference` holds the id of a record of `type`.
    case referred(reference: FieldPath, type: String, field: RecordField)
    /// A field of the value that one of the user's collections stores for the record.
    case member(of: CollectionName, field: RecordField)
    /// A field of a list entry's place message.
    case placed(RecordField)
    /// The value of a facet's tile.
    case facetValue
    /// A field of the record of `type` whose id is the value of a facet's tile.
    case facetReferred(type: String, field: RecordField)
    /// The number of records with the value of a facet's tile.
    case facetCount
    /// The first text of a list.
    indirect case first(of: RecordValue)
}

/// A text that contains values of a record, such as `$show.title · $minutes min`.
///
/// It consists of parts between separators. A part whose values are all missing is omitted together with its separator.
package struct RecordTemplate: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case text(String)
        case value(RecordValue)
        /// The first alternative that is present.
        case choice([Alternative])

        /// Whether it contains a value of a record.
        fileprivate var hasValues: Bool {
            switch self {
            case .text: false
            case .value, .choice: true
            }
        }
    }

    package enum Alternative: Hashable, Sendable {
        case text(String)
        case value(RecordValue, TextFormat?)
    }

    package struct Part: Hashable, Sendable {
        /// Printed before the part unless it is the first one printed.
        var separator: String
        var pieces: [Piece]
    }

    package var parts: [Part]

    /// - Returns: `nil` if the text is empty.
    func text(of record: inout RecordReader) -> String? {
        var text = ""
        for part in parts {
            guard let words = part.text(of: &record) else { continue }
            text += text.isEmpty ? words : part.separator + words
        }
        return text.isEmpty ? nil : text
    }

    /// All values if the template consists of one field or choice, otherwise the text.
    func values(of record: inout RecordReader) -> [String] {
        if parts.count == 1, parts[0].pieces.count == 1 {
            switch parts[0].pieces[0] {
            case .value(let value): return record.texts(of: value)
            case .choice(let alternatives): return record.texts(of: alternatives)
            case .text: break
            }
        }
        return text(of: &record).map { [$0] } ?? []
    }
}

extension RecordTemplate.Part {
    /// Printed between the values of a repeated field.
    private static let listSeparator = ", "

    /// - Returns: `nil` if it refers to values and all of them are missing.
    fileprivate func text(of record: inout RecordReader) -> String? {
        var text = ""
        var (hasValues, isMissing) = (false, true)
        for piece in pieces {
            switch piece {
            case .text(let plain): text += plain
            case .value(let value):
                hasValues = true
                let texts = record.texts(of: value)
                if !texts.isEmpty { isMissing = false }
                text += texts.joined(separator: Self.listSeparator)
            case .choice(let alternatives):
                hasValues = true
                let texts = record.texts(of: alternatives)
                if !texts.isEmpty { isMissing = false }
                text += texts.joined(separator: Self.listSeparator)
            }
        }
        return hasValues && isMissing ? nil : text
    }
}

extension RecordTemplate {
    /// Whether it contains any value of a record.
    var hasValues: Bool {
        parts.contains { $0.pieces.contains(where: \.hasValues) }
    }
}

/// A template in one or more locales.
package struct LocalizedTemplate: Hashable, Sendable {
    package var fallback: RecordTemplate
    package var byLocale: [String: RecordTemplate] = [:]

    /// Whether one of its texts contains any value of a record.
    var hasValues: Bool { fallback.hasValues || byLocale.values.contains { $0.hasValues } }

    func text(of record: inout RecordReader) -> String? {
        (byLocale[record.locale] ?? fallback).text(of: &record)
    }

    func values(of record: inout RecordReader) -> [String] {
        (byLocale[record.locale] ?? fallback).values(of: &record)
    }
}

extension [String] {
    /// Locales in order of preference: `ko-KR`, `ko`, then the fallback.
    init(preferring locale: String, before fallback: String) {
        self = [locale]
        for next in [String(locale.prefix { $0 != "-" }), fallback] where !contains(next) { append(next) }
    }
}

/// Reads the values of one record, and notes the other records that they come from.
struct RecordReader {
    /// Maximum number of entries shown of a repeated field.
    private static let maximumValues = TextBounds.entries

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
    /// The records that values were read from, or would be if they existed.
    private(set) var dependencies: [Trigger] = []

    /// - Parameters:
    ///   - bytes: `nil` if there is no record.
    ///   - place: the place message of a list's entry.
    ///   - facet: a facet's tile's value and the number of records with it.
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
            case .value(let value, let format?):
                found = values(of: value).prefix(Self.maximumValues).compactMap { format.text(of: $0, locale: locale) }
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    private mutating func texts(of value: RecordValue, limit: Int) -> [String] {
        switch value {
        case .first(let list): return texts(of: list, limit: 1)
        case .id: return [id]
        case .facetValue: return facet.map { [$0.value] } ?? []
        case .facetCount: return facet.map { ["\($0.count)"] } ?? []
        case .referred(let reference, let type, let field):
            return texts(of: field, of: type, by: reference, limit: limit)
        case .field, .placed, .member, .facetReferred: break
        }
        guard let (field, bytes) = place(of: value) else { return [] }
        return field.texts(in: bytes, locales: locales, limit: limit)
    }

    /// The values of a field in each record referred to.
    private mutating func texts(
        of field: RecordField, of type: String, by reference: FieldPath, limit: Int
    ) -> [String] {
        guard hasRecord else { return [] }
        var texts: [String] = []
        for id in reference.values(in: bytes).prefix(Self.maximumValues).compactMap(\.text) {
            guard texts.count < limit else { break }
            guard let record = record(type, id) else { continue }
            texts += field.texts(in: record, locales: locales, limit: limit - texts.count)
        }
        return texts
    }

    mutating func value(of value: RecordValue) -> FieldValue? { values(of: value).first }

    /// All values of a list, or the value of a singular field.
    mutating func values(of value: RecordValue) -> [FieldValue] {
        switch value {
        case .id: return [.text(id)]
        case .facetValue: return facet.map { [.text($0.value)] } ?? []
        case .facetCount: return facet.map { [.integer(Int64($0.count))] } ?? []
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
        case .id, .facetValue, .facetCount, .first: return nil
        case .field(let field): return hasRecord ? (field, bytes) : nil
        case .placed(let field): return place.map { (field, $0) }
        case .member(let collection, let field): return values[collection].map { (field, $0) }
        case .facetReferred(let type, let field):
            return facet.flatMap { record(type, $0.value) }.map { (field, $0) }
        case .referred(let reference, let type, let field):
            guard hasRecord, let id = reference.values(in: bytes).first?.text else { return nil }
            return record(type, id).map { (field, $0) }
        }
    }

    /// A record that this one refers to. Notes the dependency even if the record doesn't exist.
    private mutating func record(_ type: String, _ id: String) -> [UInt8]? {
        let name = RecordID(type: type, id: id)
        let trigger = Trigger.record(.typed(name))
        if !dependencies.contains(trigger) { dependencies.append(trigger) }
        return records[name]
    }
}
