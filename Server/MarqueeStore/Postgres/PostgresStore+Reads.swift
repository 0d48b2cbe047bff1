import Foundation
package import MarqueeCatalogue
package import MarqueeModel

extension PostgresStore {
    /// Runs statements, and proves in the same round trip that the database has the history that this process has seen.
    /// The catalogue's revision there counts as seen from then on, because clients are shown the rows.
    /// - Parameters:
    ///   - begin: statements that begin a transaction.
    ///   - end: statements that end it.
    /// - Returns: the catalogue's revision, and the rows of `statements`.
    private func proven(
        _ statements: [PostgresStatement], _ connection: PostgresConnection, begin: [PostgresStatement] = [],
        end: [PostgresStatement] = []
    ) throws -> (revision: UInt64, rows: ArraySlice<PostgresRows>) {
        let question = gate.question()
        let rows = try connection.run(begin + question.statements + statements + end)[begin.count...]
        let answer = try question.answer(
            rows.prefix(PostgresQuestion.count), of: connection, PostgresDurability(allowsLostCommits: true))
        try gate.accept(answer, to: question)
        gate.witness.note(catalogue: answer.found.catalogue)
        return (answer.found.catalogue.revision, rows.dropFirst(PostgresQuestion.count))
    }

    /// The revision of a user's log. It counts as seen, because clients are shown it.
    /// - Parameter row: begins with the revision and the chain.
    private func revision(of user: String, _ row: PostgresRow?) throws -> UInt64 {
        guard let row else { return 0 }
        let point = LogPoint(revision: try row.unsigned(0), chain: UInt64(bitPattern: try row.integer(1)))
        gate.witness.note(readUser: user, point)
        return point.revision
    }

    package func clock() throws(StoreError) -> Moment {
        try reading { connection in
            let statement = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::int8"
            guard let row = try connection.run([PostgresStatement(statement)]).first?.first else {
                throw StoreDamage("the clock, which has no time")
            }
            return Moment(milliseconds: try row.integer(0))
        }
    }

    package func catalogueHead() throws(StoreError) -> LogHead {
        let revision = try reading { try proven([], $0).revision }
        return LogHead(epoch: epochs.catalogue, revision: revision)
    }

    package func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        guard limit > 0 else { return [] }
        return try reading { connection in
            // One snapshot for all three, in one round trip.
            let (head, found) = try proven(
                [
                    PostgresStatement("SELECT min(revision) FROM commit_log"),
                    PostgresStatement(
                        "SELECT revision, key, changes FROM commit_log WHERE revision > $1 ORDER BY revision LIMIT $2",
                        [.integer(Int64(clamping: revision)), .integer(Int64(limit))]),
                ], connection, begin: [PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")],
                end: [PostgresStatement("COMMIT")])
            let rows = Array(found)
            guard revision < head else { return [] }
            guard let oldest = try rows[0].first?.optionalUnsigned(0), revision + 1 >= oldest else {
                throw StoreError.historyCut(after: revision)
            }
            var expected = revision
            return try rows[1].map { row in
                expected += 1
                guard try row.unsigned(0) == expected else {
                    throw StoreDamage("the log, which lacks revision \(expected)")
                }
                return CatalogueCommit(
                    revision: expected, key: try row.optionalText(1),
                    changes: try ChangeCoding.decode(Array(try row.text(2).utf8)))
            }
        }
    }

    package func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead {
        // A read may be tried twice, but nothing may be handed out twice.
        var hasHandedOut = false
        let revision = try readingOnce { connection in
            if hasHandedOut {
                throw StoreError(.io, "the connection to \(url) was lost during a snapshot; try again")
            }
            let revision = try proven([], connection).revision
            try PostgresSnapshot(connection: connection).readAll {
                hasHandedOut = true
                receive($0.change)
            }
            return revision
        }
        return LogHead(epoch: epochs.catalogue, revision: revision)
    }

    /// The types of records in force; `nil` if there are none.
    /// - Throws: when the database can't be read. May be called on any thread.
    package func types() throws(StoreError) -> TypesDocument? {
        try reading { connection in
            let (statements, record) = PostgresRecords.reading(.types)
            if case .types(let types)? = try record(Array(try proven(statements, connection).rows)) { return types }
            return nil
        }
    }

    package func sources() throws(StoreError) -> [SourcePosition] {
        try reading { connection in
            // A source's position decides what it publishes next, so it must not come from a former primary.
            let rows = try proven([PostgresStatement("\(PostgresRecords.sources) ORDER BY name")], connection).rows
            return try (rows.first.map { try $0.map(PostgresRecords.source) } ?? []).compactMap { record in
                if case .source(let position) = record { position } else { nil }
            }
        }
    }

    package func records(
        ofType alias: String, after id: String?, limit: Int
    ) throws(StoreError) -> [StoredRecord] {
        try reading { connection in
            // A source compares its rows with these, so they must not come from a former primary.
            let statement = PostgresStatement(
                "\(PostgresRecords.records) WHERE type = $1 AND id > $2 ORDER BY id LIMIT $3",
                [.text(alias), .text(id ?? ""), .integer(Int64(limit))])
            return try proven([statement], connection).rows.first?
                .map { StoredRecord(id: try $0.text(1), bytes: try $0.blob(2)) } ?? []
        }
    }

    /// Removes stored editions of lists beyond the limit.
    /// - Returns: how many were removed.
    /// - Throws: when the database can't be read or written.
    package func dropOldEditions() throws(StoreError) -> Int {
        guard let limit = limits.listEditions else { return 0 }
        let removals = try readingOnce { connection in
            let rows = try connection.run([
                PostgresStatement("SELECT name, edition FROM list WHERE edition <> '' ORDER BY name, edition"),
                PostgresStatement("SELECT list, edition FROM list_shown"),
            ])
            var editions: [String: [String]] = [:]
            try rows[0].each { row in editions[try row.text(0), default: []].append(try row.text(1)) }
            var shown: [String: String] = [:]
            try rows[1].each { row in shown[try row.text(0)] = try row.text(1) }
            return editions.sorted { $0.key < $1.key }.flatMap { list, editions in
                CommitPlan.surplus(of: editions, shown: shown[list], keeping: limit).map {
                    Change.removeList(ListName(list, edition: $0))
                }
            }
        }
        try remove(removals)
        return removals.count
    }

    package func userHead(_ user: String) throws(StoreError) -> LogHead {
        let revision = try reading { connection -> UInt64 in
            let statement = PostgresStatement("SELECT revision, chain FROM user_log WHERE name = $1", [.text(user)])
            let rows: PostgresRows? = try proven([statement], connection).rows.first
            return try self.revision(of: user, rows?.first)
        }
        return LogHead(epoch: epochs.users, revision: revision)
    }

    package func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        let (revision, members) = try reading { connection -> (UInt64, [StoredMember]) in
            // One statement, so that the revision and the members are from one snapshot. The row of a user without
            // members has NULLs.
            let statement = PostgresStatement(
                """
                SELECT u.revision, u.chain, m.collection, m.subject, m.value, m.revision FROM user_log u
                LEFT JOIN member m ON m.user_name = u.name WHERE u.name = $1
                """, [.text(user)])
            let rows: PostgresRows? = try proven([statement], connection).rows.first
            var members: [StoredMember] = []
            try rows?.each { row in
                if try row.optionalText(2) != nil { members.append(try StoredMember(row, at: 2)) }
            }
            return (try self.revision(of: user, rows?.first), members)
        }
        return (LogHead(epoch: epochs.users, revision: revision), members)
    }

    package func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? {
        try reading { connection in
            let rows = try connection.run(
                "SELECT greatest(users_last, catalogue_last) FROM mutation_client WHERE client = $1",
                [.bytes(client)])
            return try rows.first?.optionalUnsigned(0)
        }
    }

    package func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches {
        try readingOnce { connection in
            try SearchMatches(
                head: LogHead(
                    epoch: epochs.catalogue, revision: try proven([], connection).revision),
                found: try PostgresSearch.find(query, in: scope, connection), offset: offset, limit: limit,
                scope: scope, records: { try PostgresSearch.records($0, connection) },
                record: { name in
                    let (statements, record) = PostgresRecords.reading(name)
                    return try record(try connection.run(statements))
                })
        }
    }
}
