internal import Yams

/// Reads the labels of values: `labels: {level: {LEVEL_HARD: {en: Hard, ko: 어려움}, LEVEL_EASY: Easy}}`.
extension TypeSetReader {
    mutating func labels(_ node: Node, _ coder: RecordCoder) -> [FieldLabels] {
        guard let entries = yaml.entries(node, "'labels'", atMost: TypeLimits.indexes) else { return [] }
        let labels = entries.compactMap { self.labels(of: $0.key, $0.value, coder) }
        reportDuplicates(labels.map(\.path.text), "labels", node)
        return labels
    }

    private mutating func labels(of key: Node, _ node: Node, _ coder: RecordCoder) -> FieldLabels? {
        guard let path = path(key, "'labels'", coder) else { return nil }
        var known: EnumDescriptor?
        switch path.target {
        case .enumeration(let type): known = type
        case .scalar(.string), .wrapped(.string): break
        default:
            refuse(key, path, coder, "labels are for the values of an enum or a text")
            return nil
        }
        guard path.key == nil, path.field.isSingle || path.field.cardinality == .repeated else {
            refuse(key, path, coder, "labels are for the values of one field or a list")
            return nil
        }
        guard let entries = yaml.entries(node, "the labels of '\(path.text)'", atMost: TypeLimits.labels) else {
            return nil
        }
        var texts: [String: [FieldLabels.Text]] = [:]
        for (key, node) in entries {
            guard let value = value(key, of: path, known), let label = label(node, of: value) else { continue }
            if texts.updateValue(label, forKey: value) != nil {
                yaml.report(key, "'labels' names '\(value.prefix(64))' of '\(path.text)' twice")
            }
        }
        return FieldLabels(path: path, texts: texts)
    }

    /// Reads the value that a label is for.
    private mutating func value(_ node: Node, of path: FieldPath, _ type: EnumDescriptor?) -> String? {
        guard let name = yaml.text(node, "a value of '\(path.text)'", atMost: TypeLimits.textBytes) else { return nil }
        guard let type else { return name }
        // If a number has several names, its first name stands for all.
        if let number = type.number(named: name) { return type.name(of: number) }
        yaml.report(
            node,
            "\(type.fullName) has no value '\(name.prefix(64))'"
                + NameHint.words(for: name, among: type.values.map(\.name)))
        return nil
    }

    /// Reads one text for all locales, or texts by locale.
    private mutating func label(_ node: Node, of value: String) -> [FieldLabels.Text]? {
        let what = "the label of '\(value.prefix(64))'"
        guard case .mapping = node else {
            return yaml.text(node, what, atMost: TypeLimits.labelBytes).map { [FieldLabels.Text(locale: "", text: $0)] }
        }
        guard let entries = yaml.entries(node, what, atMost: TypeLimits.labelLocales) else { return nil }
        if entries.isEmpty { yaml.report(node, "\(what) is empty") }
        let texts = entries.compactMap { key, node -> FieldLabels.Text? in
            guard let locale = yaml.text(key, "a locale", atMost: TypeLimits.aliasBytes),
                let text = yaml.text(node, "\(what) (\(locale))", atMost: TypeLimits.labelBytes)
            else { return nil }
            return FieldLabels.Text(locale: locale, text: text)
        }
        return texts.isEmpty ? nil : texts
    }
}
