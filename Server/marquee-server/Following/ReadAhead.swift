import MarqueeCatalogue
import MarqueeImport

/// Rows that were read again, and so are shown as they were later than the log has got: until it gets there, what it
/// says of them is read again, too. Or an older state would be shown after a newer one. A value.
struct ReadAhead {
    /// The most rows that are remembered; older states of others may be shown for a moment.
    static let rows = 100_000

    private var keys: [RecordID: [String]] = [:]
    private var end: LogLocation?

    /// Everything that rows were read as so far is in the log before a place.
    mutating func reaches(_ end: LogLocation) { self.end = end }

    /// A step as it is to be taken: for a row that was read ahead, by reading it again.
    /// - Parameters:
    ///   - table: the full name of the table that has a type's rows.
    ///   - start: where the log is.
    mutating func turned(_ step: RowStep, at start: LogLocation, table: (String) -> String?) -> RowStep {
        if let end, start >= end { self = ReadAhead() }
        switch step {
        case .readAgain(_, let id, let key):
            if keys.count < Self.rows { keys[id] = key }
            return step
        case .put(let id, _), .remove(let id):
            guard end != nil, let key = keys[id], let table = table(id.type) else { return step }
            return .readAgain(table: table, id, key: key)
        default: return step
        }
    }
}
