import Foundation
import MarqueeCatalogue

/// A time zone: an offset from UTC, or a place with its clock changes.
package struct ImportZone: Hashable, Sendable {
    private enum Rule: Hashable {
        /// Seconds ahead of UTC.
        case fixed(Int64)
        case place(TimeZone)
    }

    /// The name as it was given, for messages.
    let name: String
    private let rule: Rule

    static let utc = ImportZone(name: "UTC", rule: .fixed(0))
    /// The names that mean UTC. Any other abbreviation may stand for several zones: CST is a zone of America and one of
    /// China.
    private static let namesOfUTC: Set<String> = ["UTC", "GMT", "UT", "Z"]

    /// The message for a text that isn't a zone.
    package static func refusal(of text: String) -> String {
        "the zone '\(Field.shown(text))' isn't known, or is ambiguous; a zone is UTC, an offset such as +09:00, or a "
            + "place such as Asia/Seoul"
    }

    private init(name: String, rule: Rule) {
        self.name = name
        self.rule = rule
    }

    /// - Parameter text: `UTC`, an offset such as `+09:00`, or a place of the tz database such as `Asia/Seoul`.
    /// - Returns: `nil` for anything else, abbreviations such as `KST` included.
    package init?(_ text: String) {
        name = text
        if ImportZone.namesOfUTC.contains(text.uppercased()) {
            rule = .fixed(0)
            return
        }
        if let seconds = ImportZone.offset(text) {
            rule = .fixed(seconds)
            return
        }
        guard let zone = TimeZone(named: text) else { return nil }
        rule = .place(zone)
    }

    /// The seconds of `+09`, `+0900`, `+09:00` or `+09:00:32`; `nil` for any other text.
    private static func offset(_ text: String) -> Int64? {
        var scanner = DigitScanner(text)
        let isAhead = scanner.take("+")
        guard isAhead || scanner.take("-"), let hours = scanner.number(digits: 2), hours < 24 else { return nil }
        var (offset, unit) = (hours * 3_600, Int64(60))
        while unit > 0, !scanner.isAtEnd {
            _ = scanner.take(":")
            guard let part = scanner.number(digits: 2), part < 60 else { return nil }
            offset += part * unit
            unit /= 60
        }
        guard scanner.isAtEnd else { return nil }
        return isAhead ? offset : -offset
    }

    /// Seconds since 1970 of a time on a clock there.
    /// - Parameter local: seconds from the beginning of 1970 on that clock to the time that it shows.
    /// - Returns: `nil` for a time that the clock skips or shows twice.
    func seconds(ofLocal local: Int64) -> Int64? {
        switch rule {
        case .fixed(let offset): return local - offset
        case .place(let zone):
            func offset(at seconds: Int64) -> Int64 {
                Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
            }
            // No zone is further from UTC than a day.
            let day: Int64 = 86_400
            let candidates = Set([local - day, local, local + day].map { local - offset(at: $0) })
            let found = candidates.filter { $0 + offset(at: $0) == local }
            return found.count == 1 ? found.first : nil
        }
    }

    /// Seconds that a clock there shows, from the beginning of 1970 on it.
    func local(of seconds: Int64) -> Int64 {
        switch rule {
        case .fixed(let offset): seconds + offset
        case .place(let zone):
            seconds + Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
        }
    }
}
