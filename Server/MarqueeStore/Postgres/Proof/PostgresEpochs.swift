/// A database whose logs are to be given new epochs, as shown to its operator beforehand.
package struct PostgresState: Sendable {
    /// The server that would be changed.
    package var host: String
    package var place: HistoryPlace
    /// The catalogue's newest revision.
    package var revision: UInt64
    /// The number of users whose logs have moved, and when one last did, in seconds since 1970, if that was recently.
    package var users: Int
    package var moved: UInt64?
    /// The other sessions that use it, by the names they give themselves.
    package var sessions: [String]
    /// The other hosts of its address that don't answer.
    package var silentHosts: [String]
    /// The hosts that are former primaries and still take writes.
    package var formerHosts: [String]
    /// Clients known to have seen more than the database has, and the newest revision of the catalogue that one of them
    /// has seen.
    package var clientsAhead: Int
    package var seenRevision: UInt64?
}

/// Gives the logs of a database new epochs.
package struct PostgresEpochs {
    private let url: PostgresURL
    private let connection: PostgresConnection
    package let state: PostgresState

    /// The most sessions shown.
    private static let sessionsShown = 64

    /// Inspects a database.
    /// - Throws: if the database can't be read, or if it can't be determined which of several hosts is the primary.
    package init(of url: PostgresURL) throws(StoreError) {
        self.url = url
        (connection, state) = try StoreError.translating(url) {
            let hosts = PostgresHosts(of: url, for: "epoch new")
            let connection = try PostgresConnection(url, use: "epoch new", host: try hosts.primary()?.host)
            return (connection, try Self.state(of: connection, among: hosts))
        }
    }

    private static func state(
        of connection: PostgresConnection, among hosts: PostgresHosts
    ) throws -> PostgresState {
        let url = connection.url
        let version = try PostgresMigration(url: url, library: TypeLibrary()).foundVersion(connection)
        guard let place = connection.place else { throw MalformedRow() }
        let row = try connection.run(
            """
            SELECT h.revision, (SELECT count(*) FROM user_log),
                (SELECT extract(epoch FROM max(made))::int8 FROM user_move)
            FROM catalogue_head h
            """
        ).first
        guard let row else { throw MalformedRow() }
        // Other roles' sessions show their names, and little else.
        let sessions = try connection.run(
            """
            SELECT DISTINCT application_name FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> ''
            ORDER BY application_name LIMIT \(sessionsShown)
            """
        ).map { try $0.text(0) }
        let ahead = version < PostgresSchema.version ? nil : try connection.run(PostgresAhead.counting).first
        return PostgresState(
            host: "\(connection.host)", place: place, revision: try row.unsigned(0), users: try row.count(1),
            moved: try row.optionalUnsigned(2), sessions: sessions, silentHosts: hosts.silent.map(\.description),
            formerHosts: hosts.former(of: place).map(\.description),
            clientsAhead: try ahead?.count(0) ?? 0, seenRevision: try ahead?.optionalUnsigned(1))
    }

    /// Gives both logs new epochs, so that clients no longer compare what they have seen with what the database has.
    /// For a database that has lost commits.
    /// - Throws: if the database can't be changed, or is no longer the one that was inspected.
    package func renew() throws(StoreError) {
        var names = StoreNames()
        let epochs = [names.nextEpoch(), names.nextEpoch()].map(StoreNames.hexadecimal)
        try StoreError.translating(url) {
            // The same session, so the same server.
            try connection.runScript(PostgresDurability.own)
            let rows = try connection.run(
                """
                UPDATE marquee_meta m SET value = d.value FROM unnest($1, $2) AS d (name, value) WHERE m.name = d.name
                """,
                [.texts([PostgresSchema.Meta.catalogueEpoch, PostgresSchema.Meta.usersEpoch]), .texts(epochs)])
            guard rows.changed == epochs.count else {
                throw StoreError(.missing, "\(url) has no logs yet; 'serve' and 'import' make them")
            }
            if state.clientsAhead > 0 { try connection.run("DELETE FROM client_ahead") }
        }
    }
}

extension PostgresStore {
    /// Gives both logs of a database new epochs, without confirmation.
    ///
    /// - Throws: if the database can't be changed, or is on a former primary.
    package static func renewEpochs(of url: PostgresURL) throws(StoreError) { try PostgresEpochs(of: url).renew() }
}
