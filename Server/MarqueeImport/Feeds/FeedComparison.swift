import MarqueeDiff

/// Compares the rows of a whole reading with the records that a catalogue holds, by their sums: a value.
///
/// Of rows with one id the last counts, as in an import. So what differs is known once all rows have been met, and is
/// published by a second look at them.
package struct FeedComparison {
    /// The most rows of a reading.
    package static let rows = 4_000_000

    private var held: [String: UInt64] = [:]
    /// The sums of the rows' records; `nil` for a row that makes none, whose record stays.
    private var met: [String: UInt64?] = [:]
    /// Whether a row couldn't be read, not even its id: it may be any of those that are absent.
    private var isBlind = false
    package private(set) var rows = 0
    package private(set) var bad = 0
    package private(set) var badReason: String?

    package init() {}

    /// Adds records that the catalogue holds.
    package mutating func hold(_ ids: [String], _ sums: [UInt64]) throws(ImportError) {
        for (id, sum) in zip(ids, sums) { held[id] = sum }
        guard held.count <= RecordComparison.records else {
            throw ImportError(.refused, "more than \(RecordComparison.records) records of a type can't be compared")
        }
    }

    package mutating func meet(_ row: FollowedDatabase.Row) throws(ImportError) {
        rows += 1
        guard rows <= Self.rows else { throw ImportError(.refused, "there are more than \(Self.rows) rows") }
        switch row {
        case .record(let id, let bytes): met.updateValue(XXH64.hash(bytes), forKey: id)
        case .bad(let id, let reason):
            bad += 1
            badReason = badReason ?? reason
            if let id { met.updateValue(nil, forKey: id) } else { isBlind = true }
        }
    }

    /// The differences, once all rows have been met.
    package struct Differences: Sendable {
        /// The sums of the records to put, by their ids.
        package fileprivate(set) var puts: [String: UInt64] = [:]
        /// The ids of records without a row; none if a row couldn't be read at all.
        package fileprivate(set) var gone: [String] = []
        package fileprivate(set) var same = 0
        package fileprivate(set) var changed = 0
        package fileprivate(set) var new = 0
        /// The number of records that the catalogue holds.
        package fileprivate(set) var held = 0

        /// Whether less than half of the records still have a row, which is more likely a fault than meant.
        package var isSuspicious: Bool { (held - gone.count) * 2 < held }
        package var isEmpty: Bool { puts.isEmpty && gone.isEmpty }

        /// Whether a row of the second look is one to put. Each is once.
        package mutating func take(id: String, _ bytes: [UInt8]) -> Bool {
            guard let sum = puts[id], sum == XXH64.hash(bytes) else { return false }
            puts[id] = nil
            return true
        }
    }

    package func differences() -> Differences {
        var result = Differences()
        result.held = held.count
        for (id, sum) in met {
            guard let sum else { continue }
            switch held[id] {
            case sum?: result.same += 1
            case nil:
                result.new += 1
                result.puts[id] = sum
            case .some:
                result.changed += 1
                result.puts[id] = sum
            }
        }
        if !isBlind { result.gone = held.keys.filter { met[$0] == nil }.sorted() }
        return result
    }
}
