/// The texts that people see for a field's values, such as those of an enum.
///
/// A class, so that copying the templates that hold labels is cheap.
package final class FieldLabels: Hashable, Sendable {
    /// A value's text in one locale; an empty locale means all locales.
    struct Text: Hashable, Sendable {
        var locale: String
        var text: String
    }

    /// The path of an enum field or a text field, single or repeated.
    package let path: FieldPath
    /// The labels by enum name or text. Each list is in the order of the declaration and never empty.
    private let texts: [String: [Text]]

    init(path: FieldPath, texts: [String: [Text]]) {
        self.path = path
        self.texts = texts
    }

    /// The label in the first of `locales` that has one, or else the first label.
    ///
    /// - Parameter value: the name of an enum value, or the text.
    /// - Returns: `nil` for a value without a label.
    package func text(of value: String, locales: [String]) -> String? {
        guard let texts = texts[value] else { return nil }
        let match = locales.lazy.compactMap { locale in texts.first { $0.locale == locale } }.first
        return (match ?? texts.first)?.text
    }

    package static func == (a: FieldLabels, b: FieldLabels) -> Bool {
        a === b || (a.path == b.path && a.texts == b.texts)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(texts.count)
    }
}
