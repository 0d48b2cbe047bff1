package import MarqueeModel

/// A type of records: a message of the operator's schema under an alias, and how it is indexed. A class, as each change
/// asks for its type.
package final class TypeDeclaration: Hashable, Sendable {
    /// A field to search.
    package enum SearchField: Hashable, Sendable {
        /// One text, or a list of them.
        case plain(FieldPath)
        case localized(LocalizedField)

        package var path: FieldPath {
            switch self {
            case .plain(let path): path
            case .localized(let field): field.path
            }
        }

        /// The texts to search, with their locales if they are localized.
        package func texts(in record: [UInt8]) -> [(locale: String?, text: String)] {
            switch self {
            case .plain(let path): path.values(in: record).compactMap { $0.text }.map { (nil, $0) }
            case .localized(let field): field.texts(in: record).map { ($0.locale, $0.text) }
            }
        }
    }

    /// A field to sort by.
    package struct SortField: Hashable, Sendable {
        enum Source: Hashable, Sendable {
            case plain(FieldPath)
            /// A text written as `YYYY-MM-DD`.
            case date(FieldPath)
            case localized(LocalizedField)
        }

        let source: Source

        /// - Parameter path: the path of a text that holds a date.
        package static func day(_ path: FieldPath) -> SortField { SortField(source: .date(path)) }

        package var path: FieldPath {
            switch source {
            case .plain(let path), .date(let path): path
            case .localized(let field): field.path
            }
        }

        /// Whether it is a text whose order follows a collation.
        package var isCollated: Bool { decision == .whole }

        /// Whether records have other texts in other locales.
        package var isLocalized: Bool {
            if case .localized = source { true } else { false }
        }

        /// Whether it is a text that has to be a date.
        package var isDate: Bool {
            if case .date = source { true } else { false }
        }

        /// How much of two keys has to be compared.
        package var decision: SortKey.Decision {
            switch source {
            case .date: return .ordinal
            case .localized: return .whole
            case .plain(let path):
                switch path.target {
                case .scalar(let scalar): return scalar.isPackable ? .ordinal : .whole
                case .timestamp, .duration: return .ordinalAndMinor
                default: return .whole
                }
            }
        }

        /// The record's sort key.
        ///
        /// - Parameters:
        ///   - locales: in order of preference; used only for localized texts.
        ///   - collation: the order of texts.
        package func key(
            of record: [UInt8], locales: [String] = [], descending: Bool = false, collation: Collation = .root
        ) -> SortKey {
            switch source {
            case .plain(let path):
                return SortKey(path.value(in: record), descending: descending, collation: collation)
            case .date(let path):
                let date = path.text(in: record).flatMap { CalendarDate($0) }
                return SortKey(date.map { .integer(WellKnownText.days($0)) }, descending: descending)
            case .localized(let field):
                let text = field.text(in: record, locales: locales)
                return SortKey(text.map { .text($0) }, descending: descending, collation: collation)
            }
        }

        /// Reads a localized text, a date or a time as people write it; a date is enough for a time.
        ///
        /// - Returns: `nil` if the text isn't one of these, and for fields of other types.
        package func value(written text: String) -> FieldValue? {
            switch source {
            case .localized: return .text(text)
            case .date: return CalendarDate(text).map { .integer(WellKnownText.days($0)) }
            case .plain(let path):
                guard path.target == .timestamp else { return nil }
                let time = WellKnownText.timestamp(text) ?? WellKnownText.timestamp(text + "T00:00:00Z")
                return time.map { .timestamp(seconds: $0.seconds, nanos: $0.nanos) }
            }
        }
    }

    /// A field that holds ids of records of another type, or of the same one.
    package struct Reference: Hashable, Sendable {
        package let path: FieldPath
        /// The alias of the type that the ids belong to.
        package let type: String

        /// The ids in a record, excluding values that can't be ids.
        package func ids(in record: [UInt8]) -> [String] {
            path.values(in: record).compactMap { $0.text }.filter { !$0.isEmpty && $0.utf8.count <= TypeLimits.idBytes }
        }
    }

    /// A reference in each message of a list, such as the people of a film's cast.
    package struct NestedReference: Hashable, Sendable {
        /// The list of messages.
        package let list: FieldPath
        /// The reference, whose path begins in a message of the list.
        package let reference: Reference

        package init(list: FieldPath, reference: Reference) {
            self.list = list
            self.reference = reference
        }

        /// The whole path in the schema's names: `cast.person`.
        package var text: String { "\(list.text).\(reference.path.text)" }
    }

    /// The type's short name, used in subjects (`episode/…`), programmes and changes.
    package let alias: String
    /// The kind of items that carry a record's own bytes.
    package let kind: ItemKind
    /// Reads and writes the type's records.
    package let coder: RecordCoder
    /// The field that holds a record's id; `nil` if the records have no field for it.
    package let id: FieldPath?
    package let search: [SearchField]
    /// A number, time or duration that orders search results, largest first.
    package let searchRank: FieldPath?
    /// Facets that search results can be filtered by; each is among `facets`.
    package let searchFacets: [FieldPath]
    package let localized: [LocalizedField]
    package let references: [Reference]
    package let nestedReferences: [NestedReference]
    package let sorts: [SortField]
    /// Scalars, or lists of them, to filter by.
    package let facets: [FieldPath]
    /// Texts that hold dates, written `YYYY-MM-DD`: inline fields of type `date`, and sorts declared `as: date`.
    package let days: Set<FieldPath>
    /// The labels of fields' values, with at most one entry per field.
    package let labels: [FieldLabels]

    init(
        alias: String, kind: ItemKind, coder: RecordCoder, id: FieldPath?, search: [SearchField],
        searchRank: FieldPath?, searchFacets: [FieldPath] = [], localized: [LocalizedField], references: [Reference],
        nestedReferences: [NestedReference], sorts: [SortField], facets: [FieldPath], days: Set<FieldPath>,
        labels: [FieldLabels]
    ) {
        (self.alias, self.kind, self.coder, self.id) = (alias, kind, coder, id)
        (self.search, self.searchRank, self.localized) = (search, searchRank, localized)
        self.searchFacets = searchFacets
        (self.references, self.nestedReferences) = (references, nestedReferences)
        (self.sorts, self.facets, self.days, self.labels) = (sorts, facets, days, labels)
    }

    package static func == (a: TypeDeclaration, b: TypeDeclaration) -> Bool {
        if a === b { return true }
        guard a.alias == b.alias, a.kind == b.kind, a.coder == b.coder, a.id == b.id, a.search == b.search,
            a.searchRank == b.searchRank, a.searchFacets == b.searchFacets, a.localized == b.localized,
            a.references == b.references, a.nestedReferences == b.nestedReferences, a.sorts == b.sorts,
            a.facets == b.facets, a.days == b.days
        else { return false }
        return a.labels == b.labels
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(alias) }

    /// The message that a record consists of.
    package var message: MessageDescriptor { coder.message }

    /// The id in a record.
    ///
    /// - Returns: `nil` if the type has no field for it.
    /// - Throws: when the id is missing or too long.
    package func id(of record: [UInt8]) throws(RecordError) -> String? {
        guard let id else { return nil }
        guard let text = id.value(in: record)?.text, !text.isEmpty else {
            throw RecordError(path: "\(alias).\(id.text)", "the id is missing")
        }
        guard text.utf8.count <= TypeLimits.idBytes else {
            throw RecordError(
                path: "\(alias).\(id.text)", "an id of at most \(TypeLimits.idBytes) bytes is expected")
        }
        return text
    }

    /// The bytes of a record that has nothing but its id.
    ///
    /// - Returns: no bytes if the type has no field for the id.
    /// - Throws: when the field can't hold the id.
    package func record(named name: String) throws(RecordError) -> [UInt8] {
        guard let id else { return [] }
        var value = JSONValue.text(name)
        for field in id.text.split(separator: ".").reversed() {
            value = .object([JSONValue.Member(name: String(field), value: value)])
        }
        return try coder.patch(json: value).record
    }

    /// Throws if a text that is declared as a date isn't one: it could neither be sorted, compared nor printed.
    package func checkDates(in record: [UInt8]) throws(RecordError) {
        var mistakes = RecordMistakes(limit: 1)
        noteDates(in: record, noting: &mistakes)
        if let first = mistakes.all.first { throw first }
    }

    /// Notes each text that is declared as a date but isn't one.
    package func noteDates(in record: [UInt8], noting mistakes: inout RecordMistakes) {
        for path in days.sorted(by: { $0.text < $1.text }) {
            let wrong = path.values(in: record).lazy.compactMap(\.text).first { !$0.isEmpty && CalendarDate($0) == nil }
            guard let wrong else { continue }
            mistakes.note(
                RecordError(
                    path: "\(alias).\(path.text)",
                    "a day written YYYY-MM-DD is expected, not \(JSONValue.text(wrong).found)"), about: path.text)
        }
    }

    /// Notes if the id in a record differs from the one that the change names.
    package func noteID(in record: [UInt8], otherThan name: String, noting mistakes: inout RecordMistakes) {
        guard let id, !mistakes.areAbout(id.text) else { return }
        do throws(RecordError) {
            guard let own = try self.id(of: record), own != name else { return }
            mistakes.note(
                RecordError(
                    path: "\(alias).\(id.text)",
                    "the id is '\(own.prefix(RecordLimits.shownCharacters))', but the change is about "
                        + "'\(name.prefix(RecordLimits.shownCharacters))'"), about: id.text)
        } catch {
            mistakes.note(error, about: id.text)
        }
    }
}
