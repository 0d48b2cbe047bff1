package import Foundation

/// The words that pictures add to a screen's own, in the language the screen is served in.
package struct Phrases: Hashable, Sendable {
    package var more: String
    package var less: String
    package var director: String
    package var new: String
    package var noFavorites: String
    /// The text before any search.
    package var noQuery: String
    package var nothingHere: String
    /// Formats numbers and amounts.
    package let locale: Locale
    private let isKorean: Bool

    /// - Parameter locale: such as `ko` or `en-US`. Words are English if this build lacks the language; numbers still
    ///   follow the locale.
    package init(locale name: String) {
        locale = Locale(identifier: name.isEmpty ? "en" : name)
        isKorean = locale.language.languageCode == .korean
        more = isKorean ? "더보기" : "more"
        less = isKorean ? "접기" : "less"
        director = isKorean ? "감독" : "Director"
        new = isKorean ? "신규" : "NEW"
        noFavorites = isKorean ? "즐겨찾기가 없습니다" : "No favorites yet"
        noQuery = isKorean ? "검색어를 입력하세요" : "Type to search"
        nothingHere = isKorean ? "표시할 내용이 없습니다" : "Nothing here yet"
    }

    package static let english = Phrases(locale: "en")

    func movies(_ count: UInt32) -> String {
        let number = count.formatted(.number.locale(locale))
        return isKorean ? "영화 \(number)편" : "\(number) \(count == 1 ? "movie" : "movies")"
    }

    /// A person's job, as TMDB names it.
    func job(_ name: String) -> String { name == "Director" ? director : name }

    func minutes(_ count: UInt32) -> String { isKorean ? "\(count)분" : "\(count) min" }

    /// A title's gross since its release.
    func inAll(_ amount: String) -> String { isKorean ? "누적 \(amount)" : "\(amount) in all" }

    func audience(_ people: UInt64) -> String {
        let number = compact(people)
        return isKorean ? "관객 \(number)명" : "\(number) admissions"
    }

    func audienceInAll(_ people: UInt64) -> String {
        let number = compact(people)
        return isKorean ? "누적 \(number)명" : "\(number) in all"
    }

    func hours(_ hours: UInt64) -> String { isKorean ? "\(compact(hours))시간" : "\(compact(hours)) hours" }
    func views(_ views: UInt64) -> String { isKorean ? "\(compact(views))회" : "\(compact(views)) views" }
    func weeks(_ weeks: UInt32) -> String { isKorean ? "\(weeks)주째" : "week \(weeks)" }

    /// A short amount, as charts write it: `$1.2M`, `₩12.3억`.
    /// - Parameter currency: ISO 4217.
    func money(_ amount: UInt64, _ currency: String) -> String {
        amount.formatted(
            .currency(code: currency).locale(locale).notation(.compactName).precision(.fractionLength(0...1)))
    }

    /// `12.5 of 42 min`.
    func progress(_ value: Double, of total: Double?, _ unit: String) -> String {
        func number(_ value: Double) -> String {
            value.formatted(.number.locale(locale).precision(.fractionLength(0...1)))
        }
        let unit = unit.isEmpty || isKorean ? unit : " \(unit)"
        guard let total else { return number(value) + unit }
        return isKorean
            ? "\(number(total))\(unit) 중 \(number(value))\(unit)" : "\(number(value)) of \(number(total))\(unit)"
    }

    /// The most characters of a price that is formatted: as many as a `Decimal` holds without loss.
    private static let priceDigits = 32

    /// A price in full.
    /// - Parameters:
    ///   - text: a decimal number, with a point; anything else stays as it is.
    ///   - currency: ISO 4217; without one, or if it isn't a code, the number stands alone.
    func price(_ text: String, in currency: String? = nil) -> String {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            text.utf8.count <= Self.priceDigits,
            let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        else { return text }
        if let currency, currency.utf8.count == 3, currency.allSatisfy({ $0.isASCII && $0.isLetter }) {
            let style = Decimal.FormatStyle.Currency(code: currency, locale: locale)
            // Whole amounts are shown without a fraction.
            return value.formatted(text.contains(".") ? style : style.precision(.fractionLength(0)))
        }
        let digits = text.contains(".") ? 2 : 0
        return value.formatted(.number.locale(locale).precision(.fractionLength(digits)))
    }

    private func compact(_ count: UInt64) -> String {
        count.formatted(.number.locale(locale).notation(.compactName).precision(.fractionLength(0...1)))
    }
}
