/// A point in time, in milliseconds since 1970 in UTC. Always within the years 1 to 9999, like protobuf's timestamps.
package struct Moment: Hashable, Comparable, Sendable {
    /// The years 1 to 9999.
    private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    package let milliseconds: Int64

    /// - Parameter milliseconds: clamped to the years 1 to 9999.
    package init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    package static func < (a: Moment, b: Moment) -> Bool { a.milliseconds < b.milliseconds }

    /// - Parameter distance: in milliseconds.
    package func advanced(by distance: Int64) -> Moment {
        let (sum, overflows) = milliseconds.addingReportingOverflow(distance)
        return Moment(milliseconds: overflows ? (distance < 0 ? .min : .max) : sum)
    }
}
