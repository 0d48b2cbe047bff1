import MarqueeTypes
import Yams

/// Reads texts with values: `$title by $show.title`.
extension ProgrammeReader {
    /// The names available in a template: the fields of a message and, for a type, the fields of the records that it
    /// refers to.
    struct TemplateScope {
        /// The meaning of a facet's `$value`.
        struct Facet {
            var path: FieldPath
            /// The type of the records that the values identify, if the field is a reference.
            var referred: String?
        }

        /// `nil` if there is no record.
        var shape: RecordShape?
        /// Fields that refer to other records.
        var references: [TypeDeclaration.Reference] = []
        /// The field that holds the record's id.
        var id: FieldPath?
        /// The shape of a list entry's place message, named `$place`.
        var place: RecordShape?
        /// The facet, in the template of its tile, which has a `$value` and a `$count`.
        var facet: Facet?
        /// The type of the record, if it is one of a declared type.
        var type: TypeDeclaration?
        /// The reason why other records can't be read or counted, if so.
        var othersRefusal: String?
        /// The reason why records that refer to this one can't be counted, if so.
        var countRefusal: String?
        /// The record's type, if `$collection` names the values that the user keeps with the record.
        var readerOf: String?
    }

    /// Reads a text with values, one for every locale or a mapping by locale.
    mutating func template(_ node: Node, _ what: String, _ scope: TemplateScope) -> LocalizedTemplate? {
        guard case .mapping = node else {
            return plainTemplate(node, what, scope).map { LocalizedTemplate(fallback: $0) }
        }
        guard let fields = fields(node, what, allowed: locales) else { return nil }
        guard let first = fields[fallbackLocale] else {
            report(node, "\(what) lacks the text of the default locale '\(fallbackLocale)'")
            return nil
        }
        guard let fallback = plainTemplate(first, what, scope) else { return nil }
        var template = LocalizedTemplate(fallback: fallback)
        for (locale, node) in fields.values {
            guard let text = plainTemplate(node, "\(what) (\(locale))", scope) else { return nil }
            template.byLocale[locale] = text
        }
        return template
    }

    mutating func plainTemplate(_ node: Node, _ what: String, _ scope: TemplateScope) -> RecordTemplate? {
        guard let text = text(node, what, atMost: ProgrammeLimits.proseBytes) else { return nil }
        return template(text, node, what, scope)
    }

    /// - Parameter counted: the name of a value that is printed as a number in the locale's format.
    mutating func template(
        _ text: String, _ node: Node, _ what: String, _ scope: TemplateScope, counting counted: String? = nil
    ) -> RecordTemplate? {
        var parser = TemplateText(text)
        guard var pieces = parser.pieces() else {
            let mistake = parser.mistake ?? "a '$' stands before the name of a field; write '$$' for a dollar"
            report(node, "\(what): \(mistake)")
            return nil
        }
        if let counted { pieces = pieces.map { $0.isName(counted) ? .number(counted) : $0 } }
        var values: [String: RecordValue] = [:]
        for case .name(let name) in pieces where values[name] == nil {
            guard let value = value(named: name, node, what, scope) else { return nil }
            values[name] = value
        }
        var choices: [[RecordTemplate.Alternative]] = []
        for case .choice(let alternatives) in pieces {
            guard let choice = choice(alternatives, node, what, scope) else { return nil }
            choices.append(choice)
        }
        return RecordTemplate(pieces, choices: choices) { values[$0] }
    }

    /// The prefix, in a facet's templates, of fields of the record whose id is the value.
    private static let valuePrefix = "value."
    /// Maximum number of references on the way to a field of another record.
    static let hops = 2

    private mutating func valueField(
        named name: String, _ node: Node, _ what: String, of facet: TemplateScope.Facet
    ) -> NamedField? {
        guard let types, let alias = facet.referred, let type = types.type(alias) else {
            report(
                node,
                "\(what): '$\(name)' is a field of the record that '\(facet.path.text)' refers to; declare which: "
                    + "'references: {\(facet.path.text): …}'")
            return nil
        }
        let rest = String(name.dropFirst(Self.valuePrefix.count))
        // The tile's value is the first reference.
        if let end = end(of: rest, from: type.references, atMost: Self.hops - 1, node, what) {
            return end?.field { .facetReferred(type: alias, by: $1, field: $0) }
        }
        return NamedField(
            name: rest, shape: types.shape(of: type), ids: Self.ids(type.id, type.references)
        ) { .facetReferred(type: alias, by: [], field: $0) }
    }

    /// The end of a chain of references: a type of records, and the rest of the name.
    struct End {
        var name: String
        var way: RecordValue.Way
        var type: TypeDeclaration
        var shape: RecordShape

        func field(_ value: @escaping (RecordField, RecordValue.Way) -> RecordValue) -> NamedField {
            NamedField(
                name: name, shape: shape, ids: ProgrammeReader.ids(type.id, type.references), way: way
            ) { value($0, way) }
        }
    }

    /// Follows the references that a name begins with.
    ///
    /// - Returns: `nil` if it begins with none; `.some(nil)` if there are too many, which was reported.
    mutating func end(
        of name: String, from references: [TypeDeclaration.Reference], atMost hops: Int, _ node: Node, _ what: String
    ) -> End?? {
        var (end, rest, references) = (End?.none, name, references)
        while let types, let next = references.first(where: { rest.hasPrefix($0.path.text + ".") }),
            let type = types.type(next.type)
        {
            let way = (end?.way ?? []) + [next]
            guard way.count <= hops else {
                report(
                    node,
                    "\(what): '$\(name)' leads through too many records; a name has at most \(Self.hops) references")
                return .some(nil)
            }
            rest = String(rest.dropFirst(next.path.text.count + 1))
            references = type.references
            end = End(name: rest, way: way, type: type, shape: types.shape(of: type))
        }
        return end.map { .some($0) }
    }

    /// The fields of a record that hold ids: its own, and those of others.
    private static func ids(_ own: FieldPath?, _ references: [TypeDeclaration.Reference]) -> [FieldPath] {
        (own.map { [$0] } ?? []) + references.map(\.path)
    }

    mutating func value(
        named name: String, _ node: Node, _ what: String, _ scope: TemplateScope
    ) -> RecordValue? {
        if name == "id" { return .id }
        if TemplateText.isCount(name) { return count(named: name, node, what, scope) }
        if let value = memberValue(named: name, node, what, scope) { return value }
        if scope.facet != nil {
            if name == "value" { return .facetValue }
            if name == "count" { return .facetCount }
        }
        if name.hasSuffix(TemplateText.first) {
            let list = String(name.dropLast(TemplateText.first.count))
            guard let value = value(named: list, node, what, scope) else { return nil }
            if value.isList { return .first(of: value) }
            report(node, "\(what): '$\(list)' isn't a list, so '\(TemplateText.first)' is not needed")
            return nil
        }
        guard let named = field(named: name, node, what, scope) else { return nil }
        return readable(named: named.name, node, what, in: named.shape).map(named.value)
    }

    /// The field that a name in a template leads to.
    struct NamedField {
        /// The rest of the name, a path.
        var name: String
        /// The shape of the message that has the field.
        var shape: RecordShape
        /// Fields of that message that hold ids.
        var ids: [FieldPath] = []
        /// The references that lead to the message from another record.
        var way: RecordValue.Way = []
        var value: (RecordField) -> RecordValue
    }

    /// - Returns: `nil` for a name that was reported.
    mutating func field(
        named name: String, _ node: Node, _ what: String, _ scope: TemplateScope
    ) -> NamedField? {
        if let facet = scope.facet, name.hasPrefix(Self.valuePrefix) {
            return valueField(named: name, node, what, of: facet)
        }
        if let place = scope.place, name.hasPrefix(Self.placePrefix) {
            return NamedField(name: String(name.dropFirst(Self.placePrefix.count)), shape: place) { .placed($0) }
        }
        guard let shape = scope.shape else {
            report(node, "\(what): '$\(name)' is not known here; '$id' is the rest of the screen's name")
            return nil
        }
        if let end = end(of: name, from: scope.references, atMost: Self.hops, node, what) {
            guard let refusal = scope.othersRefusal else { return end?.field { .referred(by: $1, field: $0) } }
            report(node, "\(what): \(refusal)")
            return nil
        }
        return NamedField(
            name: name, shape: shape, ids: Self.ids(scope.id, scope.references)
        ) { .field($0) }
    }
}

extension RecordValue {
    /// Whether its value is a number.
    var isNumber: Bool {
        switch self {
        case .facetCount, .referring: true
        default: path?.isNumber == true
        }
    }

    /// The field that it is read from; `nil` for ids and counts, and for the value of a facet's tile.
    var path: FieldPath? {
        switch self {
        case .id, .facetValue, .facetCount, .referring: nil
        case .first(let list): list.path
        case .field(let field), .placed(let field), .member(_, let field), .facetReferred(_, _, let field),
            .referred(_, let field):
            field.path
        }
    }

    /// Whether it may have several texts.
    var isList: Bool {
        switch self {
        case .id, .facetValue, .facetCount, .referring, .first: false
        case .field(let field), .placed(let field), .member(_, let field): field.isList
        case .facetReferred(_, let way, let field), .referred(let way, let field): !way.isSingle || field.isList
        }
    }
}

extension RecordValue.Way {
    /// Whether it leads to one record at most.
    var isSingle: Bool { allSatisfy { $0.path.field.isSingle } }
}

extension RecordField {
    fileprivate var isList: Bool {
        guard case .plain(let path) = self else { return false }
        return path.field.cardinality == .repeated
    }
}
