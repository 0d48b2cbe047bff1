/// Numbers that keep the entries of a list in order, with room for more between any two: moving one entry touches no
/// other.
package enum PlaceNumber {
    /// The distance between neighbours when a whole list is numbered at once.
    private static let gap: Int64 = 1 << 40

    /// The number of an entry when a whole list is numbered at once.
    ///
    /// - Parameter rank: the entry's index, from 0.
    package static func whole(rank: Int) -> Int64 {
        let (product, overflows) = Int64(rank).multipliedReportingOverflow(by: gap)
        return overflows ? .max : product
    }

    /// A number between two neighbours.
    ///
    /// - Parameters:
    ///   - before: `nil` at the beginning.
    ///   - after: `nil` at the end.
    /// - Returns: `nil` when there is no room: the list has to be renumbered.
    package static func between(_ before: Int64?, _ after: Int64?) -> Int64? {
        switch (before, after) {
        case (nil, nil): return 0
        case (let before?, nil): return sum(before, gap)
        case (nil, let after?): return sum(after, -gap)
        case (let before?, let after?):
            let (distance, overflows) = after.subtractingReportingOverflow(before)
            // Only numbers of opposite signs can be this far apart, so halving each can't overflow.
            if overflows { return before / 2 + after / 2 }
            return distance < 2 ? nil : before + distance / 2
        }
    }

    private static func sum(_ number: Int64, _ step: Int64) -> Int64? {
        let (sum, overflows) = number.addingReportingOverflow(step)
        return overflows ? nil : sum
    }
}
