import MarqueeDiff

/// Compares the rows of a table with the records that a catalogue holds, by their sums: a value.
package struct RecordComparison {
    /// The most records of a type that are compared.
    package static let records = 16_000_000

    /// The sums of records that no row was met for, by their ids.
    private var held: [String: UInt64] = [:]
    /// Whether a row couldn't be read, not even its id: it may be any of those that are left.
    private var isBlind = false
    package private(set) var rows = 0
    package private(set) var same = 0
    package private(set) var changed = 0
    package private(set) var new = 0
    /// The number of rows that make no record.
    package private(set) var bad = 0

    package init() {}

    /// Adds records that the catalogue holds.
    package mutating func hold(_ ids: [String], _ sums: [UInt64]) throws(ImportError) {
        for (id, sum) in zip(ids, sums) { held[id] = sum }
        guard held.count <= Self.records else {
            throw ImportError(.refused, "more than \(Self.records) records of a type can't be compared")
        }
    }

    /// - Returns: the record to put; `nil` if the catalogue has it, or there is none.
    package mutating func meet(_ row: FollowedDatabase.Row) -> (id: String, bytes: [UInt8])? {
        rows += 1
        switch row {
        case .record(let id, let bytes):
            switch held.removeValue(forKey: id) {
            case nil: new += 1
            case XXH64.hash(bytes)?:
                same += 1
                return nil
            case .some: changed += 1
            }
            return (id, bytes)
        case .bad(let id, _):
            bad += 1
            if let id { held[id] = nil } else { isBlind = true }
            return nil
        }
    }

    /// The ids of records without a row, once all rows have been met; none if a row couldn't be read at all.
    package var gone: [String] { isBlind ? [] : held.keys.sorted() }
}
