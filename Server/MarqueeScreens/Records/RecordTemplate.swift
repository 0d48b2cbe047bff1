package import MarqueeModel
package import MarqueeTypes

/// A value of a record: its id, one of its fields, or a field of a record that it refers to.
package enum RecordValue: Hashable, Sendable {
    /// A chain of one or two references: each holds ids of records that have the next one.
    package typealias Way = [TypeDeclaration.Reference]

    case id
    case field(RecordField)
    /// A field of the records at the end of a way.
    case referred(by: Way, field: RecordField)
    /// The number of records whose field, the family's group, holds the record's id.
    case referring(RecordFamily)
    /// A field of the value that one of the user's collections stores for the record.
    case member(of: CollectionName, field: RecordField)
    /// A field of a list entry's place message.
    case placed(RecordField)
    /// The value of a facet's tile.
    case facetValue
    /// A field of the record of `type` whose id is the value of a facet's tile, or of one that it refers to.
    case facetReferred(type: String, by: Way, field: RecordField)
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
        /// A text chosen by a number.
        case plural(RecordValue, PluralForms)
    }

    /// The texts for the plural categories of a number.
    package struct PluralForms: Hashable, Sendable {
        /// For the categories without a text of their own.
        var other: RecordTemplate
        var byCategory: [PluralCategory: RecordTemplate] = [:]

        subscript(category: PluralCategory) -> RecordTemplate { byCategory[category] ?? other }
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
