/// A text in the programme in one or more locales.
package struct LocalizedText: Hashable, Sendable {
    private let fallback: String
    private let texts: [String: String]

    /// The same text in every locale.
    package init(_ text: String) {
        fallback = text
        texts = [:]
    }

    /// - Parameters:
    ///   - texts: by locale.
    ///   - fallback: for locales missing from `texts`.
    package init(_ texts: [String: String], fallback: String) {
        self.fallback = fallback
        self.texts = texts
    }

    /// The text with a part of it replaced in every locale.
    func replacing(_ part: String, with other: String) -> LocalizedText {
        LocalizedText(
            texts.mapValues { $0.replacing(part, with: other) }, fallback: fallback.replacing(part, with: other))
    }

    /// Whether the text contains a part in any locale.
    func mentions(_ part: String) -> Bool { fallback.contains(part) || texts.values.contains { $0.contains(part) } }

    package func text(in locale: String) -> String { texts[locale] ?? fallback }
}
