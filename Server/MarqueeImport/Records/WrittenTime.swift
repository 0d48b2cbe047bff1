import MarqueeModel
import MarqueeTypes

/// A time as it is written in a file.
struct WrittenTime: Hashable {
    /// Seconds since 1970.
    var seconds: Int64
    var nanos: Int64
    /// The day on the clock that the file's author looked at, `2026-11-22`.
    var day: String

    /// The time as protobuf's JSON writes it; `nil` outside the years 1 to 9999.
    var timestamp: String? { FieldValue.timestamp(seconds: seconds, nanos: nanos).text }

    /// Why a text can't be read as a time.
    enum Failure: Error, Hashable {
        /// The text isn't a time, or not of the form.
        case unreadable
        /// A zone that isn't known or is ambiguous.
        case unknownZone(String)
        /// A time without a zone where none is assumed.
        case noZone
        /// The clocks there skip the time, or show it twice.
        case notOnce(ImportZone)
    }

    private init(seconds: Int64, nanos: Int64, day: String) {
        (self.seconds, self.nanos, self.day) = (seconds, nanos, day)
    }

    /// Reads a time as ISO 8601, RFC 3339 and databases write it: `2026-11-22T07:10:44Z`, `2026-11-22 07:10:44.5+09`,
    /// `2026-11-22 07:10 UTC`, or a day, which begins at midnight.
    /// - Parameter zone: the zone of days and times without one; `nil` reads such days in UTC and refuses such times.
    init(_ text: String, zone: ImportZone? = nil) throws(Failure) {
        guard let date = CalendarDate(String(text.prefix(10))) else { throw .unreadable }
        let midnight = Int64(date.dayNumber) * 86_400
        var scanner = DigitScanner(text.dropFirst(10))
        if scanner.isAtEnd {
            self = try WrittenTime(local: midnight, nanos: 0, date, zone ?? .utc)
            return
        }
        var isApart = scanner.take("T") || scanner.take("t")
        if !isApart { while scanner.take(" ") { isApart = true } }
        guard isApart, let clock = WrittenTime.clock(&scanner) else { throw .unreadable }
        while scanner.take(" ") {}
        if scanner.isAtEnd {
            guard let zone else { throw .noZone }
            self = try WrittenTime(local: midnight + clock.seconds, nanos: clock.nanos, date, zone)
            return
        }
        let name = scanner.text
        guard let first = name.first, first.isLetter || "+-".contains(first) else { throw .unreadable }
        guard let own = ImportZone(name) else { throw .unknownZone(name) }
        self = try WrittenTime(local: midnight + clock.seconds, nanos: clock.nanos, date, own)
    }

    /// Reads `07:10`, `07:10:44` or `07:10:44.5`.
    private static func clock(_ scanner: inout DigitScanner) -> (seconds: Int64, nanos: Int64)? {
        guard let hour = scanner.number(digits: 2), hour < 24, scanner.take(":"),
            let minute = scanner.number(digits: 2), minute < 60
        else { return nil }
        var (second, nanos) = (Int64(0), Int64(0))
        if scanner.take(":") {
            guard let number = scanner.number(digits: 2), number < 60 else { return nil }
            second = number
            if scanner.take(".") || scanner.take(",") {
                guard let digits = scanner.digits(atMost: 9), let number = WrittenTime.nanos(digits) else { return nil }
                nanos = number
            }
        }
        return (hour * 3_600 + minute * 60 + second, nanos)
    }

    /// - Parameter local: seconds since 1970 on a clock in the zone.
    init(local: Int64, nanos: Int64, _ date: CalendarDate, _ zone: ImportZone) throws(Failure) {
        guard let seconds = zone.seconds(ofLocal: local) else { throw .notOnce(zone) }
        self.init(seconds: seconds, nanos: nanos, day: date.description)
    }

    /// - Parameter seconds: since 1970.
    init?(seconds: Int64, nanos: Int64, in zone: ImportZone) {
        // The years 1 to 9999, with a day to spare at both ends.
        guard (-62_135_510_400...253_402_214_400).contains(seconds),
            let written = FieldValue.timestamp(seconds: zone.local(of: seconds), nanos: 0).text
        else { return nil }
        self.init(seconds: seconds, nanos: nanos, day: String(written.prefix { $0 != "T" }))
    }

    /// Nanoseconds from at most nine digits after a point.
    static func nanos(_ digits: some StringProtocol) -> Int64? {
        guard digits.count <= 9 else { return nil }
        return Int64(digits + String(repeating: "0", count: 9 - digits.count))
    }
}
