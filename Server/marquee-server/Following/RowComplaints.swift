import MarqueeCatalogue

/// Rows that make no record, and tables that have stopped, as the log and `source list` tell of them: a value.
struct RowComplaints {
    /// The most lines about rows in a period, in milliseconds.
    static let lines = 20
    static let period: UInt64 = 60_000
    /// The most rows that are remembered, to know when each has been mended.
    static let remembered = 1_000

    /// Tables that have stopped, by their names, with the reason.
    private(set) var stopped: [String: String] = [:]
    /// That the database keeps much of its log.
    private(set) var log: String?
    /// Rows that are still as bad as they were.
    private var ids: Set<RecordID> = []
    /// The number of those whose record isn't known, or that are too many to remember.
    private var others = 0
    private var last = ""
    private var began: UInt64 = 0
    private var said = 0
    private var unsaid = 0

    /// - Parameters:
    ///   - id: the record that the row would be; `nil` if it can't be told.
    ///   - now: milliseconds of a steady clock.
    /// - Returns: the lines to log.
    mutating func hear(_ reason: String, of table: String, _ id: RecordID?, now: UInt64) -> [String] {
        if let id, ids.contains(id) || ids.count < Self.remembered { ids.insert(id) } else { others += 1 }
        last = "\(table)\(id.map { ", \($0.subject.name)" } ?? ""): \(reason)"
        var lines: [String] = []
        if now - min(now, began) >= Self.period {
            if unsaid > 0 { lines.append("\(counted(unsaid, "more bad row")) in the minute before") }
            (began, said, unsaid) = (now, 0, 0)
        }
        if said < Self.lines {
            said += 1
            lines.append(last)
        } else {
            unsaid += 1
        }
        return lines
    }

    /// A row makes a record now, or is gone.
    mutating func mended(_ id: RecordID) { if !ids.isEmpty { ids.remove(id) } }

    /// All rows of a type are about to be read.
    mutating func forget(_ type: String) {
        ids = ids.filter { $0.type != type }
        others = 0
    }

    /// - Returns: whether that is news.
    mutating func stop(_ table: String, _ reason: String) -> Bool {
        stopped.updateValue(reason, forKey: table) != reason
    }

    /// - Parameter text: `nil` if it doesn't keep much of its log.
    /// - Returns: whether that is news.
    mutating func keeps(_ text: String?) -> Bool {
        defer { log = text }
        return log == nil && text != nil
    }

    mutating func resume(_ table: String) { stopped[table] = nil }

    /// Everything that is wrong now, in one line; `nil` if nothing is.
    var text: String? {
        var parts = stopped.sorted { $0.key < $1.key }.map { "\($0.key) has stopped: \($0.value)" }
        if let log { parts.append(log) }
        let rows = ids.count + others
        if rows > 0 { parts.append("\(last) (\(counted(rows, "bad row")))") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
