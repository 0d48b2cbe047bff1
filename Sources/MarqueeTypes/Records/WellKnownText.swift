internal import MarqueeModel

/// Reads and writes times and durations as protobuf's JSON mapping does.
enum WellKnownText {
    /// The years 1 to 9999, in seconds since 1970.
    static let timestampSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    /// About 10,000 years.
    static let durationSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000
    private static let nanosPerSecond: Int64 = 1_000_000_000
    private static let secondsPerDay: Int64 = 86_400

    // MARK: - Values

    /// Seconds and nanoseconds of a message with those fields.
    static func parts(of message: MessageValue) -> (seconds: Int64, nanos: Int64) {
        func number(_ place: Int) -> Int64 {
            guard case .single(.bits(let bits)) = message[place] else { return 0 }
            return Int64(bitPattern: bits)
        }
        return (number(0), number(1))
    }

    static func message(seconds: Int64, nanos: Int64) -> MessageValue {
        var message = MessageValue()
        if seconds != 0 { message.set(0, .single(.bits(UInt64(bitPattern: seconds)))) }
        if nanos != 0 { message.set(1, .single(.bits(UInt64(bitPattern: nanos)))) }
        return message
    }

    /// The reason why a value is invalid; `nil` if it is valid.
    static func refusal(of message: MessageValue, _ type: WellKnownType) -> String? {
        let (seconds, nanos) = parts(of: message)
        switch type {
        case .timestamp:
            let isValid = timestampSeconds.contains(seconds) && (0..<nanosPerSecond).contains(nanos)
            return isValid ? nil : "a time from 0001-01-01 to 9999-12-31 is expected, not \(seconds) s and \(nanos) ns"
        case .duration:
            let isValid =
                durationSeconds.contains(seconds) && (-nanosPerSecond + 1..<nanosPerSecond).contains(nanos)
                && (seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0))
            return isValid ? nil : "a duration of at most 10,000 years is expected, not \(seconds) s and \(nanos) ns"
        case .wrapper: return nil
        }
    }

    // MARK: - Times

    /// `2026-11-22T07:10:44.250Z`
    static func timestamp(seconds: Int64, nanos: Int64) -> String {
        let day = (seconds >= 0 ? seconds : seconds - (secondsPerDay - 1)) / secondsPerDay
        let rest = seconds - day * secondsPerDay
        let (year, month, dayOfMonth) = civil(day)
        let date = "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))"
        return "\(date)T\(pad(rest / 3_600, 2)):\(pad(rest / 60 % 60, 2)):\(pad(rest % 60, 2))\(fraction(nanos))Z"
    }

    /// Reads a time with its time zone; `nil` if the text isn't one.
    static func timestamp(_ text: String) -> (seconds: Int64, nanos: Int64)? {
        var bytes = Array(text.utf8)[...]
        guard bytes.count >= 20, let date = CalendarDate(String(decoding: bytes.prefix(10), as: UTF8.self)) else {
            return nil
        }
        bytes = bytes.dropFirst(10)
        guard take("T", &bytes), let hour = number(2, &bytes), hour < 24, take(":", &bytes),
            let minute = number(2, &bytes), minute < 60, take(":", &bytes), let second = number(2, &bytes), second < 60
        else { return nil }
        var nanos: Int64 = 0
        if take(".", &bytes) {
            guard let value = fraction(&bytes) else { return nil }
            nanos = value
        }
        var offset: Int64 = 0
        if !take("Z", &bytes) {
            guard let sign: Int64 = take("+", &bytes) ? 1 : take("-", &bytes) ? -1 : nil,
                let hours = number(2, &bytes), hours < 24, take(":", &bytes), let minutes = number(2, &bytes),
                minutes < 60
            else { return nil }
            offset = sign * (hours * 3_600 + minutes * 60)
        }
        guard bytes.isEmpty else { return nil }
        let day = days(date)
        let seconds = day * secondsPerDay + hour * 3_600 + minute * 60 + second - offset
        return timestampSeconds.contains(seconds) ? (seconds, nanos) : nil
    }

    /// The number of days since 1970-01-01.
    static func days(_ date: CalendarDate) -> Int64 {
        // Years are counted from March, so that a leap day is the last day of its year.
        let month = Int64(date.month)
        let year = Int64(date.year) - (month <= 2 ? 1 : 0)
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + Int64(date.day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date that is `days` after 1970-01-01, within the years 1 to 9999.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    // MARK: - Durations

    /// `3.500s`
    static func duration(seconds: Int64, nanos: Int64) -> String {
        let sign = seconds < 0 || nanos < 0 ? "-" : ""
        return "\(sign)\(seconds.magnitude)\(fraction(Int64(nanos.magnitude)))s"
    }

    /// Reads seconds with the suffix `s`; `nil` if the text isn't a duration.
    static func duration(_ text: String) -> (seconds: Int64, nanos: Int64)? {
        var bytes = Array(text.utf8)[...]
        let sign: Int64 = take("-", &bytes) ? -1 : 1
        let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let seconds = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        bytes = bytes.dropFirst(digits.count)
        var nanos: Int64 = 0
        if take(".", &bytes) {
            guard let value = fraction(&bytes) else { return nil }
            nanos = value
        }
        guard take("s", &bytes), bytes.isEmpty, durationSeconds.contains(seconds) else { return nil }
        return (sign * seconds, sign * nanos)
    }

    // MARK: - Digits

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// An empty text for 0; otherwise a point and 3, 6 or 9 digits.
    private static func fraction(_ nanos: Int64) -> String {
        if nanos == 0 { return "" }
        if nanos % 1_000_000 == 0 { return "." + pad(nanos / 1_000_000, 3) }
        if nanos % 1_000 == 0 { return "." + pad(nanos / 1_000, 6) }
        return "." + pad(nanos, 9)
    }

    /// Nanoseconds from up to nine digits after a point.
    private static func fraction(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        bytes = bytes.dropFirst(digits.count)
        return Int64(String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: 9 - digits.count))
    }

    private static func number(_ count: Int, _ bytes: inout ArraySlice<UInt8>) -> Int64? {
        let digits = bytes.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        bytes = bytes.dropFirst(count)
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    private static func take(_ scalar: UnicodeScalar, _ bytes: inout ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: scalar) else { return false }
        bytes = bytes.dropFirst()
        return true
    }
}
