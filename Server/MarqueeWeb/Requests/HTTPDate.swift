import Foundation

/// The time as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static var now: String { text(time(nil)) }

    /// - Parameter seconds: since 1970.
    static func text(_ seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = days.indices.contains(Int(parts.tm_wday)) ? days[Int(parts.tm_wday)] : ""
        let month = months.indices.contains(Int(parts.tm_mon)) ? months[Int(parts.tm_mon)] : ""
        return "\(day), \(two(parts.tm_mday)) \(month) \(Int(parts.tm_year) + 1_900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
