/// A database whose logs are to be given new epochs, as its operator should see it before.
package struct PostgresState: Sendable {
    /// The server that would be changed.
    package var host: String
    package var place: HistoryPlace
    /// The catalogue's newest revision, and when it was made, in seconds since 1970.
    package var revision: UInt64
    package var made: UInt64?
    /// Users whose logs have moved, and when one last did, in seconds since 1970, if that was of late.
    package var users: Int
    package var moved: UInt64?
    /// The other sessions that use it, as they call themselves.
    package var sessions: [String]
    /// The other hosts of its address that can't be asked.
    package var silentHosts: [String]
}

/// Gives the logs of a database new epochs.
package struct PostgresEpochs {
    private let url: PostgresURL
    private let connection: PostgresConnection
    package let state: PostgresState

    /// The sessions that are shown at most.
    private static let sessionsShown = 64

    /// Looks at a database.
    /// - Throws: `foreignFile` if it is on a former primary, as far as the other hosts of the address tell; or if the
    ///   database can't be read.
    package init(of url: PostgresURL) throws(StoreError) {
        self.url = url
        (connection, state) = try StoreError.translating(url) {
            let connection = try PostgresConnection(url, use: "epoch new")
            let state = try Self.state(of: connection)
            return (connection, state)
        }
    }

    private static func state(of connection: PostgresConnection) throws -> PostgresState {
        let url = connection.url
        _ = try PostgresMigration(url: url, library: TypeLibrary()).found(connection)
        guard let place = connection.place else { throw MalformedRow() }
        let silent = try silentHosts(beside: connection, at: place)
        let row = try connection.run(
            """
            SELECT h.revision, (SELECT made FROM commit_log ORDER BY revision DESC LIMIT 1),
                (SELECT count(*) FROM user_log), (SELECT extract(epoch FROM max(made))::int8 FROM user_move)
            FROM catalogue_head h
            """
        ).first
        guard let row else { throw MalformedRow() }
        let sessions = try connection.run(
            """
            SELECT DISTINCT application_name FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
            ORDER BY application_name LIMIT \(sessionsShown)
            """
        ).map { try $0.text(0) }
        return PostgresState(
            host: connection.host.name, place: place, revision: try row.unsigned(0),
            made: try row.optionalUnsigned(1), users: try row.count(2), moved: try row.optionalUnsigned(3),
            sessions: sessions.filter { !$0.isEmpty }, silentHosts: silent)
    }

    /// Asks the other hosts that the address names where they are.
    /// - Throws: if one of them has a newer timeline of the same data.
    private static func silentHosts(
        beside connection: PostgresConnection, at place: HistoryPlace
    ) throws -> [String] {
        let url = connection.url
        return try url.hosts.filter { $0 != connection.host }.compactMap { host in
            let other: HistoryPlace
            do {
                other = try PostgresConnection(
                    url, use: "epoch new", host: host, takesStandby: true, isDiagnosis: true
                ).placeOfStandby
            } catch {
                return host.name
            }
            guard other.system == place.system, other.timeline > place.timeline else { return nil }
            throw StoreError(
                .foreignFile,
                "\(connection.host.name) is a former primary: it is on timeline \(place.timeline), and \(host.name) on "
                    + "\(other.timeline). It must never take writes again; stop it, and name \(host.name) alone")
        }
    }

    /// Gives both logs new epochs, so that clients take nothing of what they have seen for older or newer than what the
    /// database has now. For one that has lost commits.
    /// - Throws: if it can't be changed, or isn't the one any more that was looked at.
    package func renew() throws(StoreError) {
        var names = StoreNames()
        let epochs = [names.nextEpoch(), names.nextEpoch()].map(StoreNames.hexadecimal)
        try StoreError.translating(url) {
            // The same session, so the same server.
            let rows = try connection.run(
                """
                UPDATE marquee_meta m SET value = d.value FROM unnest($1, $2) AS d (name, value) WHERE m.name = d.name
                """,
                [.texts([PostgresSchema.Meta.catalogueEpoch, PostgresSchema.Meta.usersEpoch]), .texts(epochs)])
            guard rows.changed == epochs.count else {
                throw StoreError(.missing, "\(url) has no logs yet; 'serve' and 'import' make them")
            }
        }
    }
}

extension PostgresStore {
    /// Gives both logs of a database new epochs, without asking anybody.
    ///
    /// - Throws: if the database can't be changed, or is on a former primary.
    package static func renewEpochs(of url: PostgresURL) throws(StoreError) { try PostgresEpochs(of: url).renew() }
}

extension PostgresConnection {
    /// Where its server is, although that may be a standby.
    fileprivate var placeOfStandby: HistoryPlace {
        get throws {
            if let place { return place }
            let row = try run(
                """
                SELECT (SELECT system_identifier FROM pg_control_system()),
                    (SELECT timeline_id::int8 FROM pg_control_checkpoint())
                """
            ).first
            guard let row, let timeline = UInt32(exactly: try row.integer(1)) else { throw MalformedRow() }
            return HistoryPlace(system: UInt64(bitPattern: try row.integer(0)), timeline: timeline)
        }
    }
}
