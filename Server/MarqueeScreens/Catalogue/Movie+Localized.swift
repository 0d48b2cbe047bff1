import MarqueeCatalogue
import MarqueeModel

extension Movie {
    /// The title in a locale, else in its language (English has its own title), else the original title.
    package func localizedTitle(in locale: String) -> String {
        let language = String(locale.prefix { $0 != "-" })
        if let title = titles?[locale] ?? titles?[language], !title.isEmpty { return title }
        if language != "en", let originalTitle, !originalTitle.isEmpty { return originalTitle }
        return title
    }
}

extension Genre {
    /// The name in a locale, else in its language, else in English, else in any language.
    package func localizedName(in locale: String) -> String? {
        let language = String(locale.prefix { $0 != "-" })
        let name = names[locale] ?? names[language] ?? names["en"] ?? names.min { $0.key < $1.key }?.value
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }
}
