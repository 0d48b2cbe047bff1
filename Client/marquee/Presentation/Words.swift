import Foundation
import MarqueeModel
import MarqueePresets

/// Numbers and times as people read them. They don't depend on the locale, so output can be compared.
enum Words {
    /// `1,234,567`.
    static func number(_ value: some BinaryInteger) -> String { grouped(String(value)) }

    private static func grouped(_ digits: String) -> String {
        var result = ""
        for (index, digit) in digits.reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3), digit != "-" { result.append(",") }
            result.append(digit)
        }
        return String(result.reversed())
    }

    /// `1,234,567.50`, with the digits that the amount was written with; anything but a decimal number as it is.
    static func amount(_ text: String) -> String {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNegative = text.hasPrefix("-")
        let isDecimal = parts.enumerated().allSatisfy { index, part in
            let digits = index == 0 && isNegative ? part.dropFirst() : part
            return !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard isDecimal, let whole = parts.first else { return text }
        return grouped(String(whole)) + (parts.count == 2 ? ".\(parts[1])" : "")
    }

    /// `$1,234,567`.
    static func dollars(_ value: UInt64) -> String { "$" + number(value) }

    /// `$1,234,567`, or `KRW 1,234,567` for a currency other than US dollars.
    static func money(_ value: UInt64, _ currency: String?) -> String {
        currency.map { "\(Sanitizer.line($0)) \(number(value))" } ?? dollars(value)
    }

    /// `EUR 1,234.50`, or the amount alone.
    static func price(_ price: CardContent.Price) -> String {
        [price.currency ?? "", amount(price.amount)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    static func price(of course: CourseContent) -> String? {
        course.price.map { price(CardContent.Price(amount: $0, currency: course.currency)) }
    }

    /// `★ 8.1`, or `★ 4.5/5 (1,234)`: with the scale if it isn't the usual one, and the number of ratings if known.
    static func rating(_ rating: CardContent.Rating) -> String {
        let isUsual = rating.scale == CardContent.Rating.defaultScale
        return "★ \(decimal(rating.value))\(isUsual ? "" : "/\(short(rating.scale))")"
            + (rating.count.map { " (\(number($0)))" } ?? "")
    }

    /// `12.5 of 42 min`.
    static func progress(_ progress: CardContent.Progress, in language: Language) -> String {
        let unit = progress.unit.map { $0.isEmpty ? "" : " \($0)" } ?? ""
        guard let total = progress.total else { return short(progress.value) + unit }
        return language(
            "\(short(progress.value)) of \(short(total))\(unit)", "\(short(total))\(unit) 중 \(short(progress.value))")
    }

    /// A progress bar.
    /// - Parameter share: how much is done, 0...1.
    static func bar(_ share: Double, columns: Int) -> String {
        let done = Int((share * Double(columns)).rounded())
        return String(repeating: "━", count: done) + String(repeating: "─", count: max(0, columns - done))
    }

    /// A whole number, or one decimal.
    private static func short(_ value: Double) -> String {
        let text = decimal(value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// One decimal; `?` for anything that is not a number.
    static func decimal(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "?" }
        return String(format: "%.1f", value)
    }

    /// `1 item`, `2 items`.
    static func count(_ value: some BinaryInteger, _ noun: String) -> String {
        "\(number(value)) \(noun)\(value == 1 ? "" : "s")"
    }

    /// `1 match`, `1,204 matches`.
    static func matches(_ count: some BinaryInteger) -> String {
        "\(number(count)) match\(count == 1 ? "" : "es")"
    }

    /// `14 KB`.
    static func bytes(_ value: Int) -> String {
        switch value {
        case ..<1_000: "\(value) B"
        case ..<1_000_000: "\(value / 1_000) KB"
        default: String(format: "%.1f MB", Double(value) / 1_000_000)
        }
    }

    /// `3 minutes`, rounded down to the largest unit that fits.
    static func span(seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e11 else { return "an unknown time" }
        let whole = Int(max(0, seconds))
        switch whole {
        case ..<60: return count(whole, "second")
        case ..<3_600: return count(whole / 60, "minute")
        case ..<86_400: return count(whole / 3_600, "hour")
        default: return count(whole / 86_400, "day")
        }
    }

    /// `3 minutes ago`; `just now` for less than two seconds, and for a time ahead of the clock.
    static func ago(_ moment: Double, now: Double) -> String {
        let seconds = now - moment
        return seconds < 2 ? "just now" : "\(span(seconds: seconds)) ago"
    }

    /// Whole milliseconds; 0 for a negative duration.
    static func milliseconds(_ duration: Duration) -> UInt64 {
        let milliseconds = duration / .milliseconds(1)
        return milliseconds < 1e18 ? UInt64(max(0, milliseconds)) : UInt64.max
    }
}
