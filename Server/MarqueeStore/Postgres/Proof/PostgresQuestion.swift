/// A connection's question to its database about what this process has seen: two statements, sent along with others.
struct PostgresQuestion {
    let seen: SeenHistory

    /// The database's answer.
    struct Answer {
        var found: FoundHistory
        /// The database's clock, in milliseconds since 1970.
        var wall: UInt64
        /// The newest time that each log has noted, in milliseconds.
        var newest: [StoreLog: UInt64]
    }

    /// How many statements there are.
    static let count = 2

    /// The statements to run, after those that lock: each statement sees what was committed before it begins.
    var statements: [PostgresStatement] {
        [
            PostgresStatement(
                Self.ofCatalogue, [.integer(seen.catalogue.map { Int64(clamping: $0.revision) } ?? .max)]),
            PostgresStatement(
                Self.ofUsers,
                [
                    .texts(seen.users.map(\.name)), .integers(seen.users.map { Int64(clamping: $0.point.revision) }),
                ]),
        ]
    }

    private static let ofCatalogue = """
        SELECT (SELECT value FROM marquee_meta WHERE name = '\(PostgresSchema.Meta.catalogueEpoch)'),
            (SELECT value FROM marquee_meta WHERE name = '\(PostgresSchema.Meta.usersEpoch)'),
            h.revision, h.chain,
            (SELECT chain FROM commit_chain WHERE revision <= $1 ORDER BY revision DESC LIMIT 1),
            (extract(epoch FROM clock_timestamp()) * 1000)::int8,
            coalesce((SELECT made FROM commit_log ORDER BY revision DESC LIMIT 1), 0) * 1000,
            coalesce((SELECT max(catalogue_used) FROM mutation_client), 0) / 1000,
            coalesce((SELECT max(users_used) FROM mutation_client), 0) / 1000,
            \(PostgresDurability.expressions)
        FROM catalogue_head h
        """

    // The chain of a move is looked up only if the log has grown past it.
    private static let ofUsers = """
        SELECT d.name, u.revision, u.chain, CASE WHEN u.revision > d.revision THEN (
            SELECT m.chain FROM user_move m WHERE m.user_name COLLATE "C" = d.name AND m.revision = d.revision LIMIT 1
        ) END
        FROM unnest($1, $2) AS d (name, revision) LEFT JOIN user_log u ON u.name = d.name
        """

    /// - Parameter rows: the rows of the statements.
    func answer(
        _ rows: ArraySlice<PostgresRows>, of connection: PostgresConnection, _ durability: PostgresDurability
    ) throws -> Answer {
        guard rows.count == Self.count, let place = connection.place, let row = rows.first?.first,
            let catalogue = UInt64(try row.text(0), radix: 16), let users = UInt64(try row.text(1), radix: 16)
        else { throw MalformedRow() }
        var found = FoundHistory(
            place: place, epochs: LogEpochs(catalogue: catalogue, users: users),
            catalogue: LogPoint(revision: try row.unsigned(2), chain: UInt64(bitPattern: try row.integer(3))),
            chain: try row.optionalInteger(4).map { UInt64(bitPattern: $0) })
        try rows.last?.each { row in
            let newest = try row.optionalUnsigned(1).map { revision in
                LogPoint(revision: revision, chain: UInt64(bitPattern: try row.integer(2)))
            }
            found.users[try row.text(0)] = FoundHistory.User(
                newest: newest, chain: try row.optionalInteger(3).map { UInt64(bitPattern: $0) })
        }
        let newest = [
            StoreLog.catalogue: max(try row.unsigned(6), try row.unsigned(7)), .users: try row.unsigned(8),
        ]
        try durability.check(row, at: 9, connection.url)
        return Answer(found: found, wall: try row.unsigned(5), newest: newest)
    }
}
