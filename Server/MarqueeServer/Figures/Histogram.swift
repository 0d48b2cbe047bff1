/// The number of measured values in each of several ranges.
package struct Histogram: Hashable, Sendable {
    /// The upper bounds of the ranges, ascending; each belongs to its range. One more range has no upper bound.
    package let bounds: [Double]
    /// The number of values in each range: one count more than there are bounds.
    package private(set) var counts: [UInt64]
    /// The sum of all values.
    package private(set) var sum = 0.0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// The number of values.
    package var total: UInt64 { counts.reduce(0, +) }

    package mutating func add(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}
