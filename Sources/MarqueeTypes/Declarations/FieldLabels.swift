/// The words that people see for a field's values, such as those of an enum.
///
/// An object, because templates that hold labels are copied more often than read.
package final class FieldLabels: Hashable, Sendable {
    /// A value's text in one locale; the empty locale stands for all.
    struct Text: Hashable, Sendable {
        var locale: String
        var text: String
    }

    /// An enum or a text, or a list of them.
    package let path: FieldPath
    /// The labels by the values' names or texts; each list in the order of the declaration, never empty.
    private let texts: [String: [Text]]

    init(path: FieldPath, texts: [String: [Text]]) {
        self.path = path
        self.texts = texts
    }

    /// The label in the first of `locales` that has one; else the first label.
    ///
    /// - Parameter value: an enum's name, or the text.
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
