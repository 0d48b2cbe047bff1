import CTime
import Foundation
import MarqueeModel

/// How a file writes times: a pattern of `strptime` such as `%d/%m/%Y %H:%M`, or seconds or milliseconds since 1970.
///
/// A fraction of a second is read after `%S` and `%T` wherever there is one. A time without a zone (`%z`, `%Z`) is in
/// the import's zone.
struct TimeFormat: Hashable {
    private enum Form: Hashable {
        case pattern(TimePattern)
        /// A count since 1970; a unit is 10 to the power of minus `digits` seconds.
        case counted(digits: Int)
    }

    let text: String
    private let zone: ImportZone
    private let form: Form

    /// - Parameters:
    ///   - text: a pattern, `unix` or `unix-ms`.
    ///   - zone: the zone of times without one.
    /// - Throws: what is wrong with the text.
    init(_ text: String, zone: ImportZone = .utc) throws(TimePattern.Mistake) {
        self.text = text
        self.zone = zone
        switch text {
        case "unix": form = .counted(digits: 0)
        case "unix-ms": form = .counted(digits: 3)
        default: form = .pattern(try TimePattern(text))
        }
    }

    /// The time in a text.
    func time(_ text: String) throws(WrittenTime.Failure) -> WrittenTime {
        switch form {
        case .counted(let digits):
            guard let time = counted(text, digits) else { throw .unreadable }
            return time
        case .pattern(let pattern): return try pattern.time(text, zone: zone)
        }
    }

    private func counted(_ text: String, _ digits: Int) -> WrittenTime? {
        var scanner = DigitScanner(text)
        let isNegative = scanner.take("-")
        guard let units = scanner.digits(atMost: 17), let count = Int64(units) else { return nil }
        let fraction = scanner.take(".") ? scanner.digits(atMost: 9) : ""
        guard let fraction, scanner.isAtEnd else { return nil }
        var seconds = digits == 0 ? count : count / 1_000
        // The last digits of a count of milliseconds are the first ones of the fraction.
        let places = (String(repeating: "0", count: digits) + units).suffix(digits) + fraction
        guard var nanos = WrittenTime.nanos(places.prefix(9)) else { return nil }
        if isNegative {
            seconds = -seconds
            if nanos > 0 { (seconds, nanos) = (seconds - 1, 1_000_000_000 - nanos) }
        }
        return WrittenTime(seconds: seconds, nanos: nanos, in: zone)
    }
}

/// A pattern of `strptime`, extended by fractions of a second and by names of zones, and without directives that the
/// system's function ignores or reads by the machine's own settings.
struct TimePattern: Hashable {
    /// A mistake in a pattern.
    struct Mistake: Error, Hashable {
        var reason: String
    }

    /// The pattern without `%f`.
    private let pattern: String
    /// The part of it up to its seconds; `nil` if it has none.
    private let throughSeconds: String?
    /// The character before a fraction.
    private let mark: Character
    /// The parts before and after `%Z`; `nil` without.
    private let aroundZone: (before: String, after: String)?
    private let hasOffset: Bool

    private static let directives = Set("aAbBhcCdeDFHIjklmMnprRStTuUwWxXyYzZf%")

    /// - Throws: what is wrong with the text.
    init(_ text: String) throws(Mistake) {
        guard !text.utf8.contains(0) else { throw Mistake(reason: "it contains a NUL character") }
        var (pattern, mark) = (text, Character("."))
        for (written, own) in [(".%f", Character(".")), (",%f", Character(","))] {
            for seconds in ["%S", "%T"] where text.contains(seconds + written) {
                pattern = text.replacing(seconds + written, with: seconds)
                mark = own
            }
        }
        self.pattern = pattern
        self.mark = mark
        var (names, afterSeconds, zone) = (Set<Character>(), String.Index?.none, Range<String.Index>?.none)
        var parts = Set<TimePart>()
        var index = pattern.startIndex
        while let percent = pattern[index...].firstIndex(of: "%") {
            var place = pattern.index(after: percent)
            // Another spelling of digits or years.
            if place < pattern.endIndex, "EO".contains(pattern[place]) { place = pattern.index(after: place) }
            guard place < pattern.endIndex else { throw Mistake(reason: "it ends with a single %") }
            let name = pattern[place]
            index = pattern.index(after: place)
            switch name {
            case "s": throw Mistake(reason: "%s isn't supported; 'unix' reads seconds since 1970")
            case "G", "g", "V": throw Mistake(reason: "%\(name) isn't supported: weeks and their years")
            case "f": throw Mistake(reason: "%f, the fraction of a second, has to follow %S. or %T.")
            case "S", "T": afterSeconds = index
            case "Z":
                guard zone == nil else { throw Mistake(reason: "it has %Z twice") }
                zone = percent..<index
            default: break
            }
            guard TimePattern.directives.contains(name) else { throw Mistake(reason: "%\(name) isn't known") }
            names.insert(name)
            for part in TimePart.parts(of: name) {
                guard parts.insert(part).inserted else { throw Mistake(reason: "it has the \(part.rawValue) twice") }
            }
        }
        guard !parts.isDisjoint(with: TimePart.years) else { throw Mistake(reason: "it has no year, such as %Y") }
        if let problem = TimePart.problem(of: parts) { throw Mistake(reason: problem) }
        guard !names.isSuperset(of: ["z", "Z"]) else { throw Mistake(reason: "it has both %z and %Z") }
        throughSeconds = afterSeconds.map { String(pattern[..<$0]) }
        aroundZone = zone.map { (String(pattern[..<$0.lowerBound]), String(pattern[$0.upperBound...])) }
        hasOffset = names.contains("z")
    }

    static func == (a: TimePattern, b: TimePattern) -> Bool { a.pattern == b.pattern && a.mark == b.mark }

    func hash(into hasher: inout Hasher) { hasher.combine(pattern) }

    /// - Parameter zone: the zone of a time without one.
    func time(_ text: String, zone: ImportZone) throws(WrittenTime.Failure) -> WrittenTime {
        guard !text.utf8.contains(0) else { throw .unreadable }
        var (text, pattern, zone, nanos) = (text, pattern, zone, Int64(0))
        if let throughSeconds { nanos = try takeFraction(from: &text, behind: throughSeconds) }
        if let aroundZone {
            zone = try takeZone(from: &text, behind: aroundZone.before)
            pattern = aroundZone.before + aroundZone.after
        }
        var time = tm()
        time.tm_mday = 1
        guard let end = TimePattern.read(text, pattern, &time), end == text.utf8.count else { throw .unreadable }
        // Two digits where a year has four: %y is meant.
        guard time.tm_year >= 100 - 1_900 else { throw .unreadable }
        let (day, month, offset) = (time.tm_mday, time.tm_mon, Int64(time.tm_gmtoff))
        let local = Int64(timegm(&time))
        // A day beyond the end of its month becomes one of the next.
        guard time.tm_mday == day, time.tm_mon == month,
            let date = CalendarDate(year: Int(time.tm_year) + 1_900, month: Int(month) + 1, day: Int(day))
        else { throw .unreadable }
        guard hasOffset else { return try WrittenTime(local: local, nanos: nanos, date, zone) }
        return try WrittenTime(local: local - offset, nanos: nanos, date, .utc)
    }

    /// Cuts a fraction of a second out of a text.
    private func takeFraction(from text: inout String, behind pattern: String) throws(WrittenTime.Failure) -> Int64 {
        var time = tm()
        guard let end = TimePattern.read(text, pattern, &time) else { throw .unreadable }
        let start = text.utf8.index(text.startIndex, offsetBy: end)
        guard start < text.endIndex, text[start] == mark else { return 0 }
        let digits = text[start...].dropFirst().prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty else { return 0 }
        guard let nanos = WrittenTime.nanos(digits) else { throw .unreadable }
        text.removeSubrange(start..<digits.endIndex)
        return nanos
    }

    /// Cuts the name of a zone out of a text.
    private func takeZone(from text: inout String, behind pattern: String) throws(WrittenTime.Failure) -> ImportZone {
        var time = tm()
        guard let end = TimePattern.read(text, pattern, &time) else { throw .unreadable }
        let start = text.utf8.index(text.startIndex, offsetBy: end)
        let name = text[start...].prefix { $0.isLetter || $0.isNumber || "/_+-:".contains($0) }
        guard !name.isEmpty else { throw .unreadable }
        guard let zone = ImportZone(String(name)) else { throw .unknownZone(String(name)) }
        text.removeSubrange(name.startIndex..<name.endIndex)
        return zone
    }

    /// - Returns: how many bytes of the text the pattern takes; `nil` if it doesn't match.
    private static func read(_ text: String, _ pattern: String, _ time: inout tm) -> Int? {
        text.withCString { start in strptime(start, pattern, &time).map { start.distance(to: $0) } }
    }
}
