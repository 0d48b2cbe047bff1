import CTime
import Foundation
import MarqueeTypes

/// How a file writes times: a pattern of `strptime` such as `%d/%m/%Y %H:%M`, or seconds or milliseconds since 1970. A
/// time without a zone (`%z`) is taken as UTC.
struct TimeFormat: Hashable {
    private enum Form: Hashable {
        case pattern(String)
        /// A count since 1970, with this many units per second.
        case counted(perSecond: Int64)
    }

    let text: String
    private let form: Form

    /// - Parameter text: a pattern, `unix` or `unix-ms`.
    /// - Returns: `nil` for anything else.
    init?(_ text: String) {
        self.text = text
        switch text {
        case "unix": form = .counted(perSecond: 1)
        case "unix-ms": form = .counted(perSecond: 1_000)
        default:
            guard text.contains("%"), !text.utf8.contains(0) else { return nil }
            form = .pattern(text)
        }
    }

    /// The time as protobuf's JSON writes it; `nil` for text in another format, or for no day of the calendar.
    func timestamp(_ text: String) -> String? {
        switch form {
        case .counted(let perSecond):
            guard let count = Int64(text) else { return nil }
            let (seconds, rest) = count.quotientAndRemainder(dividingBy: perSecond)
            let isBefore = rest < 0
            return FieldValue.timestamp(
                seconds: isBefore ? seconds - 1 : seconds,
                nanos: (isBefore ? rest + perSecond : rest) * (1_000_000_000 / perSecond)
            ).text
        case .pattern(let pattern):
            return seconds(of: text, pattern).flatMap { FieldValue.timestamp(seconds: $0, nanos: 0).text }
        }
    }

    private func seconds(of text: String, _ pattern: String) -> Int64? {
        guard !text.utf8.contains(0) else { return nil }
        var time = tm()
        time.tm_mday = 1
        let isRead = text.withCString { start in
            guard let end = strptime(start, pattern, &time) else { return false }
            return end.pointee == 0
        }
        guard isRead else { return nil }
        let (day, month, offset) = (time.tm_mday, time.tm_mon, time.tm_gmtoff)
        let seconds = Int64(timegm(&time))
        // A day beyond the end of its month becomes one of the next.
        guard time.tm_mday == day, time.tm_mon == month else { return nil }
        return seconds - Int64(offset)
    }
}
