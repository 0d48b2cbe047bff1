/// How many bad rows an import may have. An import with more is discarded.
package enum ImportTolerance: Hashable, Sendable {
    case rows(Int)
    /// A percentage of all rows.
    case percent(Double)

    /// Not a single one.
    package static let none = ImportTolerance.rows(0)
    /// For public data sets, which always have some bad rows. An import that loses more than half has most likely
    /// misunderstood the file.
    package static let half = ImportTolerance.percent(50)

    /// - Parameter text: a number of rows, such as `20`, or a share of all, such as `5%`.
    package init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
            self = .percent(percent)
        } else {
            guard let rows = Int(text), rows >= 0 else { return nil }
            self = .rows(rows)
        }
    }

    func allows(bad: Int, of rows: Int) -> Bool {
        switch self {
        case .rows(let limit): bad <= limit
        case .percent(let percent): Double(bad) * 100 <= percent * Double(rows)
        }
    }
}
