package import MarqueeTypes

/// A field of a record that can be printed.
package enum RecordField: Hashable, Sendable {
    case plain(FieldPath)
    /// A localized text.
    case localized(LocalizedField)
    /// A map from locales to texts in a nested message, where localized texts can't be declared.
    case textsByLocale(FieldPath)

    package var path: FieldPath {
        switch self {
        case .plain(let path), .textsByLocale(let path): path
        case .localized(let field): field.path
        }
    }

    /// The values as text; those of a list in order.
    ///
    /// - Parameter locales: in order of preference.
    func texts(in bytes: [UInt8], locales: [String], limit: Int) -> [String] {
        switch self {
        case .plain(let path): return Array(path.values(in: bytes).lazy.compactMap(\.printedText).prefix(limit))
        case .localized(let field): return field.text(in: bytes, locales: locales).map { [$0] } ?? []
        case .textsByLocale(let path):
            let entries = path.textEntries(in: bytes).filter { !$0.text.isEmpty }
            let chosen =
                locales.lazy.compactMap { locale in entries.first { bytes[$0.key].elementsEqual(locale.utf8) } }.first
                ?? entries.first
            return chosen.map { [String(decoding: bytes[$0.text], as: UTF8.self)] } ?? []
        }
    }
}

/// A message whose fields a programme refers to.
struct RecordShape {
    var message: MessageDescriptor
    var schema: DescriptorSet
    /// The localized texts in the type's declaration; `nil` for a nested message, which has no declaration.
    var localized: [LocalizedField]?
    /// The labels of values in the type's declaration.
    var labels: [FieldLabels] = []
    /// The texts that are days in the type's declaration.
    var days: Set<FieldPath> = []

    /// - Throws: the reason why the path is invalid.
    func path(_ name: String) throws(RecordError) -> FieldPath {
        try FieldPath(name, message: message, set: schema)
    }

    /// A field that can be printed.
    ///
    /// - Throws: the reason why the path is invalid, or why its value can't be printed.
    func readable(_ name: String) throws(RecordError) -> RecordField {
        let path = try path(name)
        if path.isPlain { return .plain(path) }
        if let field = localized?.first(where: { $0.path == path }) { return .localized(field) }
        if localized == nil, path.isTextsByKey { return .textsByLocale(path) }
        throw RecordError("'\(path.text)' can't be printed: \(refusal(of: path))")
    }

    /// The reason why a value can't be printed, and what could be printed instead.
    private func refusal(of path: FieldPath) -> String {
        if path.isTextsByKey {
            return "it is a map; if it holds texts by locale, declare it: 'localized: [\(path.text)]' of the type. One "
                + "entry is '${\(path.text)[key]}'"
        }
        if path.isWholeMap { return "it is a map; one entry is '${\(path.text)[key]}'" }
        guard case .message(let message) = path.target else { return "it is bytes" }
        if path.field.cardinality == .repeated {
            return "it is a list of \(message.fullName); the source 'nested' shows one"
        }
        let inner = RecordShape(message: message, schema: schema)
        let example = message.fields.first { (try? inner.readable($0.name)) != nil && !path.isEntry }
        return "it is a \(message.fullName)"
            + (example.map { "; name a field of it, such as '\(path.text).\($0.name)'" } ?? "")
    }

    /// The message type of a repeated field's elements; `nil` for other fields.
    func element(of path: FieldPath) -> RecordShape? {
        guard case .message(let message) = path.target, path.field.cardinality == .repeated else { return nil }
        return RecordShape(message: message, schema: schema, localized: nil)
    }
}

extension TypeSet {
    func shape(of type: TypeDeclaration) -> RecordShape {
        RecordShape(
            message: type.message, schema: schema, localized: type.localized, labels: type.labels, days: type.days)
    }
}

extension FieldPath {
    /// Whether it leads to a map rather than to one entry of it.
    fileprivate var isWholeMap: Bool {
        if case .map = field.cardinality { !isEntry } else { false }
    }

    /// Whether it leads to a map from strings to strings.
    fileprivate var isTextsByKey: Bool {
        field.cardinality == .map(key: .string) && !isEntry && target == .scalar(.string)
    }

    /// Whether it leads to a number or a list of numbers.
    var isNumber: Bool {
        switch target {
        case .scalar(let scalar), .wrapped(let scalar): ![.string, .bytes, .bool].contains(scalar) && !isWholeMap
        case .enumeration, .timestamp, .duration, .message: false
        }
    }

    /// Whether it leads to a value that can be printed, or a list of such values.
    var isPlain: Bool {
        if isWholeMap { return false }
        return switch target {
        case .scalar(let scalar), .wrapped(let scalar): scalar != .bytes
        case .enumeration, .timestamp, .duration: true
        case .message: false
        }
    }

    /// The messages of a list.
    func messages(in bytes: [UInt8]) -> [[UInt8]] { messageRanges(in: bytes).map { Array(bytes[$0]) } }
}

extension FieldValue {
    /// The value in plain notation: whole numbers without a decimal point.
    var plainText: String? {
        if case .real(let value) = self, let whole = Int64(exactly: value) { return "\(whole)" }
        return text
    }

    /// The value as a template prints it; `nil` for a value without meaning: an empty text, NaN, an infinity, and an
    /// enum's zero value that, following protobuf's style guide, is named `UNSPECIFIED`.
    var printedText: String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .real(let value): value.isFinite ? plainText : nil
        case .enumeration(let name, 0) where name == "UNSPECIFIED" || name.hasSuffix("_UNSPECIFIED"): nil
        default: plainText
        }
    }

    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let value): value.isFinite ? value : nil
        default: nil
        }
    }
}
