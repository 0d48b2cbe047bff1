package import MarqueeModel

/// A minute of a day, without a time zone. Written `HH:MM`.
package struct ClockTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let hour: UInt8
    package let minute: UInt8

    /// - Returns: `nil` for an invalid time.
    package init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = UInt8(hour)
        self.minute = UInt8(minute)
    }

    /// - Parameter text: exactly `HH:MM`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(ClockTime.isDigit) }),
            let hour = Int(parts[0]), let minute = Int(parts[1])
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    package static func < (a: ClockTime, b: ClockTime) -> Bool { (a.hour, a.minute) < (b.hour, b.minute) }

    package var description: String {
        func pad(_ value: UInt8) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(pad(hour)):\(pad(minute))"
    }
}

/// Names a list of a chart: its day, and its time if the day has several. Written `2026-01-20` or `2026-01-20 19:11`.
package struct ChartStep: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var date: CalendarDate
    package var time: ClockTime?

    package init(date: CalendarDate, time: ClockTime? = nil) {
        self.date = date
        self.time = time
    }

    /// - Parameter text: exactly `YYYY-MM-DD` or `YYYY-MM-DD HH:MM`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let date = CalendarDate(parts[0]) else { return nil }
        self.date = date
        if parts.count == 2 {
            guard let time = ClockTime(parts[1]) else { return nil }
            self.time = time
        }
    }

    /// A list without a time sorts before the same day's lists with a time.
    package static func < (a: ChartStep, b: ChartStep) -> Bool {
        if a.date != b.date { return a.date < b.date }
        switch (a.time, b.time) {
        case (nil, nil), (_?, nil): return false
        case (nil, _?): return true
        case (let a?, let b?): return a < b
        }
    }

    package var description: String { time.map { "\(date) \($0)" } ?? date.description }
}
