import Foundation

/// Says that the end of something comes near: once for each of some times before it, and once when it has come.
struct ExpiryNotice {
    /// The days before the end at which it is said.
    private static let days = [0, 1, 7, 30]
    private static let day = 86_400.0

    /// The last notice: the end that it was about, and the most days that were left.
    private var said: (ends: Date, days: Int)?

    /// - Returns: what to say now; `nil` for nothing new.
    mutating func words(ends: Date, now: Date) -> String? {
        let left = ends.timeIntervalSince(now)
        guard let days = Self.days.first(where: { left <= Double($0) * Self.day }) else { return nil }
        if let said, said.ends == ends, said.days <= days { return nil }
        said = (ends, days)
        guard days > 0 else { return "it ended at \(ends.ISO8601Format()): renew it" }
        return "it ends at \(ends.ISO8601Format()), in less than \(counted(days, "day")): renew it"
    }
}
