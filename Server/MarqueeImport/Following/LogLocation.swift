/// A place in PostgreSQL's log (an LSN).
package struct LogLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var bytes: UInt64

    package init(_ bytes: UInt64) { self.bytes = bytes }

    /// - Parameter text: as PostgreSQL writes it, `16/B374D848`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let high = UInt32(parts[0], radix: 16), let low = UInt32(parts[1], radix: 16) else {
            return nil
        }
        bytes = UInt64(high) << 32 | UInt64(low)
    }

    package static func < (a: LogLocation, b: LogLocation) -> Bool { a.bytes < b.bytes }

    package var description: String {
        let (high, low) = (bytes >> 32, bytes & 0xFFFF_FFFF)
        return "\(String(high, radix: 16, uppercase: true))/\(String(low, radix: 16, uppercase: true))"
    }
}

/// How far a database has been followed, as it is committed with what is published of it.
package struct FollowedPosition: Hashable, Sendable, CustomStringConvertible {
    /// The database's server, by the identifier that it was made with.
    package var system: String
    /// Rises whenever a standby is promoted or a backup restored.
    package var timeline: UInt32
    /// Stands for the tables' mapping and types: with others, what was published would be something else.
    package var shape: String
    /// All transactions that ended before this are in the catalogue.
    package var end: LogLocation
    /// The end of the part after `end` that is published at once: a transaction in pieces, or all that
    /// happened during a copy.
    package var until: LogLocation?
    /// How many rows of what follows `end` are in the catalogue already.
    package var rows: UInt64 = 0
    /// Whether a table has stopped, so that it has to be compared.
    package var isIncomplete = false

    package init(system: String, timeline: UInt32, shape: String, end: LogLocation) {
        (self.system, self.timeline, self.shape, self.end) = (system, timeline, shape, end)
    }

    private static let form = "pg1"
    private static let incomplete = "incomplete"

    /// `pg1 7234… 1 5f3a… 16/B374D848`, then what isn't usual.
    package var description: String {
        var words = [Self.form, system, "\(timeline)", shape, "\(end)"]
        if let until { words += ["until=\(until)", "rows=\(rows)"] }
        if isIncomplete { words.append(Self.incomplete) }
        return words.joined(separator: " ")
    }

    /// - Returns: `nil` for a text that is no such position, such as one of another kind of source.
    package init?(_ text: String) {
        var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
        guard words.count >= 5, words.removeFirst() == Self.form else { return nil }
        system = String(words.removeFirst())
        guard let timeline = UInt32(words.removeFirst()) else { return nil }
        shape = String(words.removeFirst())
        guard let end = LogLocation(words.removeFirst()) else { return nil }
        (self.timeline, self.end) = (timeline, end)
        for word in words {
            if word == Self.incomplete {
                isIncomplete = true
            } else if word.hasPrefix("until="), let location = LogLocation(word.dropFirst(6)) {
                until = location
            } else if word.hasPrefix("rows="), let count = UInt64(word.dropFirst(5)) {
                rows = count
            } else {
                return nil
            }
        }
        guard rows == 0 || until != nil else { return nil }
    }
}
