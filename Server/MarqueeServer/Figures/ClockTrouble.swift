/// A time of day that a server doesn't follow, or waits for.
package struct ClockTrouble: Hashable, Sendable {
    /// One sentence for operators.
    package var reason: String
    /// How many milliseconds it is ahead of the time that the server goes by; negative if it is behind.
    package var aheadMilliseconds: Int64
    /// Milliseconds since it was noticed.
    package var ageMilliseconds: UInt64

    package init(reason: String, aheadMilliseconds: Int64, ageMilliseconds: UInt64) {
        self.reason = reason
        self.aheadMilliseconds = aheadMilliseconds
        self.ageMilliseconds = ageMilliseconds
    }
}
