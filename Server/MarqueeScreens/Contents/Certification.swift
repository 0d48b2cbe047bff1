package import MarqueeCatalogue
import MarqueeModel
package import MarqueePresets

/// Picks the certificate to show for a movie: the United States' if there is one, else "not rated".
package enum Certification {
    private static let country = "US"
    private static let unrated = "NR"

    package static func content(of movie: Movie, locale: String) -> CertificationContent {
        let given = movie.certifications?[country].map { $0.filter { !$0.isWhitespace } } ?? ""
        let code = given.isEmpty ? unrated : given
        let colorClass = colorClass(of: code)
        return CertificationContent(
            country: country, code: code.clipped(to: TextBounds.name),
            label: label(of: colorClass).text(in: String(locale.prefix { $0 != "-" })), colorClass: colorClass)
    }

    private static func colorClass(of code: String) -> CertificationContent.ColorClass {
        switch code {
        case "R", "NC-17": .adult
        case "PG", "G": .everyone
        case "PG-13": .teen
        default: .unrated
        }
    }

    private static func label(of colorClass: CertificationContent.ColorClass) -> LocalizedText {
        let (english, korean) =
            switch colorClass {
            case .everyone: ("Everyone", "전체 관람가")
            case .teen: ("15 and over", "15세 이상 관람가")
            case .adult: ("Adults only", "청소년 관람불가")
            case .unrated: ("Not rated", "등급 없음")
            }
        return LocalizedText(["en": english, "ko": korean], fallback: english)
    }
}
