import MarqueeModel
import MarqueeTypes
import Yams

/// Reads texts that a number or a value chooses: `{$n | plural: {one: "1 airport", other: "$n airports"}}`, `{$level |
/// label}`; and counts of other records: `$count(episode by show)`.
extension ProgrammeReader {
    /// - Parameters:
    ///   - value: the number.
    ///   - name: its name, which prints the number in the texts.
    /// - Returns: `nil` for mistakes that were reported.
    mutating func forms(
        _ written: TemplateText.Written, of value: RecordValue, _ name: String, _ node: Node, _ what: String,
        _ scope: TemplateScope
    ) -> RecordTemplate.PluralForms? {
        guard isFitting(.number(digits: nil), written, value, name, node, what) else { return nil }
        guard !value.isList else {
            report(node, "\(what): 'plural' is about one number, and '$\(name)' may have several")
            return nil
        }
        guard written.argument == nil else {
            report(node, "\(what): 'plural' takes a text for each category: '{one: \"1 day\", other: \"$n days\"}'")
            return nil
        }
        var texts: [PluralCategory: RecordTemplate] = [:]
        for (key, text) in written.options {
            guard let category = category(key, node, what),
                let template = template(text, node, what, scope, counting: name)
            else { return nil }
            if texts.updateValue(template, forKey: category) != nil {
                report(node, "\(what): 'plural' names '\(key)' twice")
                return nil
            }
        }
        guard let other = texts.removeValue(forKey: .other) else {
            report(node, "\(what): 'plural' needs 'other', for all numbers without a text of their own")
            return nil
        }
        warnOfUnused(Set(texts.keys), node, what)
        return RecordTemplate.PluralForms(other: other, byCategory: texts)
    }

    private mutating func category(_ name: String, _ node: Node, _ what: String) -> PluralCategory? {
        if let category = PluralCategory(rawValue: name) { return category }
        let names = PluralCategory.allCases.map(\.rawValue)
        report(
            node,
            "\(what): there is no plural category '\(name.prefix(64))'\(NearestName.hint(for: name, among: names)); "
                + "categories are \(names.joined(separator: ", "))")
        return nil
    }

    /// Warns of texts that no locale of the programme ever shows, such as `zero` in English.
    private mutating func warnOfUnused(_ categories: Set<PluralCategory>, _ node: Node, _ what: String) {
        let known = locales.reduce(into: Set<PluralCategory>()) { $0.formUnion(PluralRules.of($1).categories) }
        for category in PluralCategory.allCases where categories.subtracting(known).contains(category) {
            warn(
                node,
                "\(what): no number has the plural category '\(category.rawValue)' in \(locales.joined(separator: ", ")), "
                    + "so its text is never shown")
        }
    }

    // MARK: - Labels

    mutating func label(
        _ written: TemplateText.Written, of value: RecordValue, _ name: String, _ node: Node, _ what: String,
        _ scope: TemplateScope
    ) -> TextFormat? {
        guard standsAlone(written, node, what) else { return nil }
        let path = value == .facetValue ? scope.facet?.path : value.path
        if let path, let found = labels(named: name, node, what, scope).first(where: { $0.path == path }) {
            return .label(found)
        }
        report(
            node,
            "\(what): no labels are declared for '$\(name)'; declare them with its type: "
                + "'labels: {\(path?.text ?? "…"): {\(path.map(Self.example) ?? "value"): …}}'")
        return nil
    }

    /// The labels of the message that has a field.
    private mutating func labels(
        named name: String, _ node: Node, _ what: String, _ scope: TemplateScope
    ) -> [FieldLabels] {
        if scope.facet != nil, name == "value" { return scope.shape?.labels ?? [] }
        let list = name.hasSuffix(TemplateText.first) ? String(name.dropLast(TemplateText.first.count)) : name
        // Values of the user's collections have no labels.
        guard memberValue(named: list, node, what, scope) == nil else { return [] }
        return field(named: list, node, what, scope)?.shape.labels ?? []
    }

    private static func example(of path: FieldPath) -> String {
        guard case .enumeration(let type) = path.target else { return "value" }
        return type.values.first?.name ?? "value"
    }

    // MARK: - Counts

    /// Reads `count(episode by show)`.
    mutating func count(
        named name: String, _ node: Node, _ what: String, _ scope: TemplateScope
    ) -> RecordValue? {
        guard let own = scope.type else {
            report(node, "\(what): '$\(name)' counts the records that refer to a record, and there is none here")
            return nil
        }
        if let refusal = scope.othersRefusal ?? scope.countRefusal {
            report(node, "\(what): \(refusal)")
            return nil
        }
        guard let (alias, field) = TemplateText.counted(name) else {
            report(node, "\(what): records are counted as in '$count(episode by show)', not by '$\(name.prefix(64))'")
            return nil
        }
        guard let type = types?.type(alias) else {
            report(
                node, "\(what): there is no type '\(alias.prefix(64))'\(NearestName.hint(for: alias, among: aliases))")
            return nil
        }
        let fields = type.references.filter { $0.type == own.alias }.map(\.path.text)
        guard fields.contains(field) else {
            guard path(named: field, node, in: type) != nil else { return nil }
            report(
                node,
                "\(what): '\(field)' of \(alias) isn't a reference to \(own.alias)"
                    + NearestName.hint(for: field, among: fields)
                    + "; declare it with the type \(alias): 'references: {\(field): \(own.alias)}'")
            return nil
        }
        guard let facet = facet(field, node, of: type) else { return nil }
        let family = RecordFamily(type: alias, group: facet)
        counted.insert(family)
        return .referring(family)
    }
}
