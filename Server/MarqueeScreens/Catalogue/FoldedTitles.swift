import Foundation
import MarqueeModel

/// The titles of movies without case, accents and widths, remembered by locale until the movie changes.
struct FoldedTitles: Sendable {
    /// Between two titles; no query holds it.
    static let separator = UInt8(ascii: "\n")

    private var byLocale: [String: [UInt64: [UInt8]]] = [:]

    /// The localized and the original title.
    mutating func titles(of movie: Movie, locale: String) -> [UInt8] {
        if let known = byLocale[locale]?[movie.id] { return known }
        var bytes = FoldedTitles.fold(movie.localizedTitle(in: locale))
        if let original = movie.originalTitle {
            bytes.append(FoldedTitles.separator)
            bytes += FoldedTitles.fold(original)
        }
        byLocale[locale, default: [:]][movie.id] = bytes
        return bytes
    }

    mutating func forget(_ movie: UInt64) {
        for locale in Array(byLocale.keys) { byLocale[locale]?[movie] = nil }
    }

    static func fold(_ text: String) -> [UInt8] {
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        return Array(text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping.utf8)
    }
}
