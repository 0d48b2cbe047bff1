import Foundation

/// Warns that something is about to expire: once at each of several times before, and once when it has expired.
struct ExpiryNotice {
    /// The days before the expiry at which to warn.
    private static let days = [0, 1, 7, 30]
    private static let day = 86_400.0

    /// The last notice: the expiry that it was about, and the days that it gave.
    private var said: (ends: Date, days: Int)?

    /// - Returns: the notice to give now; `nil` for none.
    mutating func words(ends: Date, now: Date) -> String? {
        let left = ends.timeIntervalSince(now)
        guard let days = Self.days.first(where: { left <= Double($0) * Self.day }) else { return nil }
        if let said, said.ends == ends, said.days <= days { return nil }
        said = (ends, days)
        guard days > 0 else { return "it ended at \(ends.ISO8601Format()): renew it" }
        return "it ends at \(ends.ISO8601Format()), in less than \(counted(days, "day")): renew it"
    }
}
