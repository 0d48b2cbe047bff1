import Foundation
import MarqueeModel
package import MarqueeTypes
import Synchronization

/// The way in which a template prints a value for a reader's locale.
///
/// The text comes from ICU, through Foundation. Two servers print the same text for the same record if they run with
/// the same Foundation, because the data of locales and time zones is part of it. The system's locale, zone and
/// `tzdata` have no influence. Foundation keeps ICU's formatters for each style and locale.
package enum TextFormat: Hashable, Sendable {
    package enum Style: String, CaseIterable, Sendable {
        case short, medium, long
    }

    /// - Parameter digits: the exact number of fraction digits; `nil` for the locale's default.
    case number(digits: Int?)
    /// 0.25 is printed as 25%, and so is the whole number 25.
    case percent(digits: Int?)
    case bytes
    /// A date, a time, or both.
    case moment(date: Style?, time: Style?, zone: String)
    /// A day without a time, the same in every zone.
    case day(Style)
    case duration
    /// The time left until a moment, at the catalogue's time: whole days, hours or minutes, the last one begun.
    case left
    /// The label that the types declare for the value, otherwise the value itself.
    case label(FieldLabels)

    static let universal = "UTC"

    /// The seconds of protobuf's timestamps, the years 1 to 9999.
    private static let moments: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    /// The seconds of protobuf's durations.
    private static let durations: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

    /// - Parameter locales: in order of preference. Labels may be in any of them; everything else is in the first.
    /// - Returns: `nil` for a value of another kind, and for one out of range.
    func text(of value: FieldValue, locales: [String]) -> String? {
        let locale = Locale(identifier: locales.first ?? "en")
        switch (self, value) {
        case (.label(let labels), _):
            return value.text.flatMap { labels.text(of: $0, locales: locales) } ?? value.printedText
        case (.number(let digits), .integer(let value)):
            let style = IntegerFormatStyle<Int64>(locale: locale)
            return (digits.map { style.precision(.fractionLength($0)) } ?? style).format(value)
        case (.number(let digits), .unsigned(let value)):
            let style = IntegerFormatStyle<UInt64>(locale: locale)
            return (digits.map { style.precision(.fractionLength($0)) } ?? style).format(value)
        case (.number(let digits), .real(let value)) where value.isFinite:
            let style = FloatingPointFormatStyle<Double>(locale: locale)
            return (digits.map { style.precision(.fractionLength($0)) } ?? style).format(value)
        case (.percent(let digits), .integer(let value)):
            let style = IntegerFormatStyle<Int64>.Percent(locale: locale)
            return (digits.map { style.precision(.fractionLength($0)) } ?? style).format(value)
        case (.percent(let digits), .unsigned(let value)):
            let style = IntegerFormatStyle<UInt64>.Percent(locale: locale)
            return (digits.map { style.precision(.fractionLength($0)) } ?? style).format(value)
        case (.percent(let digits), .real(let value)) where value.isFinite:
            let style = FloatingPointFormatStyle<Double>.Percent(locale: locale)
            return (digits.map { style.precision(.fractionLength($0)) } ?? style).format(value)
        case (.bytes, .integer(let count)): return Self.bytes(count, locale)
        case (.bytes, _): return value.number.flatMap { Int64(exactly: $0.rounded()) }.map { Self.bytes($0, locale) }
        case (.day(let style), .text(let text)):
            guard let day = CalendarDate(text) else { return nil }
            return Date.FormatStyle(
                date: style.ofDate, time: .omitted, locale: locale, calendar: Calendar(identifier: .gregorian),
                timeZone: .gmt
            ).format(Date(timeIntervalSince1970: TimeInterval(day.daysSince1970 * 86_400)))
        case (.moment(let date, let time, let zone), .timestamp(let seconds, _)):
            guard Self.moments.contains(seconds), let zone = TimeZone(identifier: zone) else { return nil }
            let style = Date.FormatStyle(
                date: date?.ofDate ?? .omitted, time: time?.ofTime ?? .omitted, locale: locale,
                calendar: Calendar(identifier: .gregorian), timeZone: zone)
            let padded = time != nil && Self.padsHours(locale) ? style.hour(.twoDigits(amPM: .abbreviated)) : style
            return padded.format(Date(timeIntervalSince1970: TimeInterval(seconds)))
        case (.duration, .duration(let seconds, _)):
            guard Self.durations.contains(seconds) else { return nil }
            return Duration.UnitsFormatStyle(
                allowedUnits: [.hours, .minutes, .seconds], width: .abbreviated
            ).locale(locale).format(.seconds(seconds))
        default: return nil
        }
    }

    private static let paddings = Mutex<[String: Bool]>([:])
    /// The most locales whose padding is remembered.
    private static let mostPaddings = 256

    /// Whether a locale writes 08:02 and not 8:02: Foundation's styles don't ask CLDR's pattern for that.
    private static func padsHours(_ locale: Locale) -> Bool {
        let key = locale.identifier
        if let known = paddings.withLock({ $0[key] }) { return known }
        let pattern = DateFormatter.dateFormat(fromTemplate: "jmm", options: 0, locale: locale)
        let pads = pattern?.contains("HH") == true
        paddings.withLock { if $0.count < mostPaddings { $0[key] = pads } }
        return pads
    }

    /// Beyond these, the time left is printed in hours and in days.
    private static let (minutesLeft, hoursLeft) = (TimeLeft.hour, 2 * TimeLeft.day)

    /// The time left until a moment.
    ///
    /// - Returns: `nil` once it has come, and for a value that isn't a moment.
    static func left(until value: FieldValue, at now: Moment, locales: [String]) -> String? {
        guard let end = Moment.around(value)?.after, end > now else { return nil }
        let left = end.milliseconds - now.milliseconds
        let (unit, name): (Int64, Duration.UnitsFormatStyle.Unit) =
            switch left {
            case ...minutesLeft: (TimeLeft.minute, .minutes)
            case ...hoursLeft: (TimeLeft.hour, .hours)
            default: (TimeLeft.day, .days)
            }
        let count = (left - 1) / unit + 1
        return Duration.UnitsFormatStyle(allowedUnits: [name], width: .abbreviated)
            .locale(Locale(identifier: locales.first ?? "en")).format(.milliseconds(count * unit))
    }

    /// The byte counts that are printed as kilobytes; the next ones are rounded to a megabyte.
    private static let kilobytes: Range<UInt64> = 1_000..<999_950

    /// A number of bytes in the largest unit of 1000 that fits, with a fraction digit from kilobytes on.
    private static func bytes(_ count: Int64, _ locale: Locale) -> String {
        func style(_ units: ByteCountFormatStyle.Units) -> ByteCountFormatStyle {
            ByteCountFormatStyle(style: .file, allowedUnits: units, spellsOutZero: false, locale: locale)
        }
        guard count.magnitude >= kilobytes.lowerBound else { return style(.bytes).format(count) }
        guard kilobytes.contains(count.magnitude) else { return style(.all).format(count) }
        // Foundation prints kilobytes without a fraction, so the number replaces the digit in a text for 2 kB.
        var text = style(.kb).attributed.format(2_000)
        let number = (Double(count) / 1_000).formatted(.number.precision(.fractionLength(0...1)).locale(locale))
        if let value = text.runs.first(where: { $0.attributes.byteCount == .value })?.range {
            text.replaceSubrange(value, with: AttributedString(number))
        }
        return String(text.characters)
    }
}

extension TextFormat.Style {
    fileprivate var ofDate: Date.FormatStyle.DateStyle {
        switch self {
        case .short: .numeric
        case .medium: .abbreviated
        case .long: .complete
        }
    }

    fileprivate var ofTime: Date.FormatStyle.TimeStyle {
        switch self {
        case .short, .medium: .shortened
        case .long: .standard
        }
    }
}
