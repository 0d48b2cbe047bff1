package import MarqueeModel

extension CalendarDate {
    /// The number of days since 1970-01-01; negative before it.
    package var daysSince1970: Int64 { WellKnownText.days(self) }
}

extension Moment {
    private static let nanosPerMillisecond: Int64 = 1_000_000

    /// - Parameter text: such as `2026-11-22T07:10:44.250Z` or `2026-11-22T16:10:44+09:00` (RFC 3339); digits after the
    ///   milliseconds are dropped.
    package init?(_ text: String) {
        guard let (seconds, nanos) = WellKnownText.timestamp(text) else { return nil }
        self.init(milliseconds: seconds * 1_000 + nanos / Self.nanosPerMillisecond)
    }

    /// - Parameter text: a time as people write it: as above, but the seconds may be missing.
    package init?(written text: String) {
        // The end of `2026-11-22T16:10`.
        let end = text.index(text.startIndex, offsetBy: 16, limitedBy: text.endIndex) ?? text.endIndex
        let hasSeconds = end < text.endIndex && text[end] == ":"
        self.init(hasSeconds ? text : "\(text[..<end]):00\(text[end...])")
    }

    private var parts: (seconds: Int64, nanos: Int64) {
        let rest = milliseconds % 1_000
        let milliseconds = rest < 0 ? rest + 1_000 : rest
        return ((self.milliseconds - milliseconds) / 1_000, milliseconds * Self.nanosPerMillisecond)
    }

    /// `2026-11-22T07:10:44.250Z`
    package var text: String { WellKnownText.timestamp(seconds: parts.seconds, nanos: parts.nanos) }

    /// The moment as the value of a field.
    package var value: FieldValue { .timestamp(seconds: parts.seconds, nanos: parts.nanos) }

    /// The value of a field that is one nanosecond later.
    package var justAfter: FieldValue { .timestamp(seconds: parts.seconds, nanos: parts.nanos + 1) }

    /// A field's time rounded down and rounded up to whole milliseconds.
    ///
    /// - Returns: `nil` for a value that isn't a time.
    package static func around(_ value: FieldValue?) -> (before: Moment, after: Moment)? {
        guard case .timestamp(let seconds, let nanos)? = value, WellKnownText.timestampSeconds.contains(seconds) else {
            return nil
        }
        let before = Moment(milliseconds: seconds * 1_000 + nanos / nanosPerMillisecond)
        return (before, nanos % nanosPerMillisecond == 0 ? before : before.advanced(by: 1))
    }
}
