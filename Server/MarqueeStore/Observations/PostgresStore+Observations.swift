package import MarqueeModel

extension PostgresStore: ObservationLog {
    private static let forgottenAtOnce = 10_000

    package func observations(after position: UInt64, limit: Int) throws(StoreError) -> [ObservedRow] {
        guard limit > 0 else { return [] }
        return try reading { connection in
            let rows = try connection.run(
                """
                SELECT position, kind, screen, section, item, place, at, duration, action, shown, revision, audiences,
                    user_name
                FROM observation WHERE position > $1 ORDER BY position LIMIT $2
                """, [.integer(Int64(clamping: position)), .integer(Int64(limit))])
            return try rows.map { try ObservedRow($0) }
        }
    }

    package func forgetObservations(through position: UInt64) throws(StoreError) -> Int {
        var (count, last) = (0, 0)
        repeat {
            last = try reading { connection in
                // One statement, so one transaction: rows and the bytes charged for them go together.
                let rows = try connection.run(
                    """
                    WITH gone AS (
                        DELETE FROM observation WHERE position IN (
                            SELECT position FROM observation WHERE position <= $1 ORDER BY position LIMIT $2
                            FOR UPDATE SKIP LOCKED)
                        RETURNING bytes
                    ), head AS (
                        UPDATE observation_head
                        SET bytes = greatest(0, bytes - coalesce((SELECT sum(bytes) FROM gone), 0)::int8)
                    )
                    SELECT count(*) FROM gone
                    """, [.integer(Int64(clamping: position)), .integer(Int64(Self.forgottenAtOnce))])
                return try rows.first?.count(0) ?? 0
            }
            count += last
        } while last == Self.forgottenAtOnce
        return count
    }
}

extension ObservedRow {
    fileprivate init(_ row: PostgresRow) throws {
        guard let kind = ItemEvent.Kind.named(try row.text(1)) else { throw MalformedRow() }
        func small(_ column: Int) throws -> UInt32 { UInt32(clamping: try row.unsigned(column)) }
        self.init(
            position: try row.unsigned(0), screen: try row.text(2), section: try row.text(3),
            observation: ItemEvent(
                kind, item: try row.text(4), place: try small(5), at: try row.unsigned(6), duration: try small(7),
                action: try row.text(8), revision: try row.unsigned(9)),
            audiences: AudienceNames.split(try row.text(11)), revision: try row.unsigned(10),
            user: try row.optionalText(12))
    }
}

extension ItemEvent.Kind {
    fileprivate static func named(_ name: String) -> ItemEvent.Kind? {
        [ItemEvent.Kind.seen, .tap, .action].first { $0.name == name }
    }
}

/// The observations of one transaction.
struct PostgresObservations {
    private(set) var head: ObservationHead?
    private var rows: [ObservedRow] = []

    /// Locks the head: all servers append, one after the other, so a reader that goes in order misses no rows.
    static let loading = PostgresStatement("SELECT position, bytes FROM observation_head WHERE id = 1 FOR UPDATE")

    mutating func load(_ found: PostgresRows) throws {
        guard let row = found.first else { throw MalformedRow() }
        head = ObservationHead(position: try row.unsigned(0), bytes: try row.count(1))
    }

    mutating func keep(_ new: [ObservedRow], head: ObservationHead) {
        rows += new
        self.head = head
    }

    /// None if nothing has been kept.
    var saving: [PostgresStatement] {
        guard let head, !rows.isEmpty else { return [] }
        let observed = rows.map(\.observation)
        return [
            PostgresStatement(
                "UPDATE observation_head SET position = $1, bytes = $2",
                [.integer(Int64(clamping: head.position)), .integer(Int64(head.bytes))]),
            PostgresStatement(
                """
                INSERT INTO observation (
                    position, kind, screen, section, item, place, at, duration, action, shown, revision, audiences,
                    user_name, bytes)
                SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
                """,
                [
                    .integers(rows.map { Int64(clamping: $0.position) }), .texts(observed.map(\.kind.name)),
                    .texts(rows.map(\.screen)), .texts(rows.map(\.section)), .texts(observed.map(\.item)),
                    .integers(observed.map { Int64($0.place) }), .integers(observed.map { Int64(clamping: $0.at) }),
                    .integers(observed.map { Int64($0.duration) }), .texts(observed.map(\.action)),
                    .integers(observed.map { Int64(clamping: $0.revision) }),
                    .integers(rows.map { Int64(clamping: $0.revision) }),
                    .texts(rows.map { AudienceNames.joined($0.audiences) }), .texts(rows.map(\.user)),
                    .integers(rows.map { Int64($0.bytes) }),
                ]),
        ]
    }
}
