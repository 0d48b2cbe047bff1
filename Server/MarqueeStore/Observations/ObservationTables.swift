import GRDB
import MarqueeModel

/// The tables of observations in `users.sqlite`. They are a queue rather than part of a store's content: created if
/// missing, left out of backups, and without totals, so a lost row goes unnoticed, but a damaged one doesn't.
enum ObservationTables {
    static let rows = SummedTable(
        "observation", key: ["position"],
        [
            "kind", "screen", "section", "item", "place", "at", "duration", "action", "shown", "revision", "audiences",
            "user",
        ])
    static let head = SummedTable("observation_head", key: ["id"], ["position", "bytes"])

    static let statements = """
        CREATE TABLE IF NOT EXISTS observation (
            position INTEGER PRIMARY KEY, kind INTEGER NOT NULL, screen TEXT NOT NULL, section TEXT NOT NULL,
            item TEXT NOT NULL, place INTEGER NOT NULL, at INTEGER NOT NULL, duration INTEGER NOT NULL,
            action TEXT NOT NULL, shown INTEGER NOT NULL, revision INTEGER NOT NULL, audiences TEXT NOT NULL,
            user TEXT, sum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE IF NOT EXISTS observation_head (
            id INTEGER PRIMARY KEY CHECK (id = 1), position INTEGER NOT NULL, bytes INTEGER NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        """

    /// Whether a table is one of these.
    static func owns(_ table: String) -> Bool { table == rows.name || table == head.name }

    static func exist(in db: Database) throws -> Bool { try db.tableExists(head.name) }

    /// - Returns: `nil` before the first observation.
    static func readHead(_ tables: TableReader) throws -> ObservationHead? {
        try head.row([.integer(1)], in: tables) {
            ObservationHead(position: try $0.unsigned(1), bytes: try $0.int(2))
        }
    }

    static func write(_ new: ObservationHead, to tables: TableWriter) throws {
        try head.put(
            [.integer(1)], [.integer(Int64(clamping: new.position)), .integer(Int64(new.bytes))], in: tables)
    }

    static func insert(_ row: ObservedRow, in tables: TableWriter) throws {
        let observation = row.observation
        try rows.put(
            [.integer(Int64(clamping: row.position))],
            [
                .integer(Int64(observation.kind.rawValue)), .text(row.screen), .text(row.section),
                .text(observation.item), .integer(Int64(observation.place)), .integer(Int64(clamping: observation.at)),
                .integer(Int64(observation.duration)), .text(observation.action),
                .integer(Int64(clamping: observation.revision)), .integer(Int64(clamping: row.revision)),
                .text(AudienceNames.joined(row.audiences)), .text(orNull: row.user),
            ], replacing: nil, in: tables)
    }

    /// The rows after a position, in order.
    static func read(after position: UInt64, limit: Int, _ tables: TableReader) throws -> [ObservedRow] {
        var found: [ObservedRow] = []
        try rows.rows(
            "WHERE position > ? ORDER BY position LIMIT ?",
            [.integer(Int64(clamping: position)), .integer(Int64(limit))], in: tables
        ) { row in
            guard let kind = ItemEvent.Kind(rawValue: try row.unsigned(1)) else { throw MalformedRow() }
            found.append(
                ObservedRow(
                    position: try row.unsigned(0), screen: try row.text(2), section: try row.text(3),
                    observation: ItemEvent(
                        kind, item: try row.text(4), place: try row.unsigned(5), at: try row.unsigned(6),
                        duration: try row.unsigned(7), action: try row.text(8), revision: try row.unsigned(9)),
                    audiences: AudienceNames.split(try row.text(11)), revision: try row.unsigned(10),
                    user: try row.optionalText(12)))
        }
        return found
    }

    /// Removes the oldest rows up to a position.
    /// - Returns: how many were removed; fewer than `limit` once no such row is left.
    static func forget(through position: UInt64, limit: Int, _ tables: TableWriter) throws -> Int {
        guard var head = try readHead(tables) else { return 0 }
        let gone = try read(after: 0, limit: limit, tables).prefix { $0.position <= position }
        for row in gone {
            try rows.remove([.integer(Int64(clamping: row.position))], in: tables)
            head.bytes = max(0, head.bytes - row.bytes)
        }
        if !gone.isEmpty { try write(head, to: tables) }
        return gone.count
    }
}

/// The names of audiences as one text, separated by commas; no name contains one.
enum AudienceNames {
    static func joined(_ names: [String]) -> String { names.joined(separator: ",") }
    static func split(_ text: String) -> [String] { text.split(separator: ",").map { String($0) } }
}
