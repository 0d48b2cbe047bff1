import Foundation
import MarqueeTypes

/// Makes a database ready for this version: its tables, its names, and the index of its texts.
struct PostgresMigration {
    let url: PostgresURL
    let library: TypeLibrary

    /// The names that were drawn once, when the tables were made.
    struct Names {
        var cluster: String
        var epochs: LogEpochs
    }

    /// The first of the two keys of the advisory lock that keeps nodes from changing the schema at the same time; the
    /// second is a hash of the schema's name.
    private static let lockClass = 0x4D51

    /// Creates or changes the tables if necessary, while other nodes wait.
    /// - Throws: `foreignFile` when a newer version made the tables, or another program did.
    /// - Parameter host: the host of the URL to connect to; `nil` for the first that takes writes.
    func run(on host: PostgresURL.Host? = nil) throws -> Names {
        let connection = try PostgresConnection(url, timeouts: .migration, use: "migrates", host: host)
        try connection.runScript(PostgresDurability.own)
        guard let schema = try connection.run("SELECT current_schema()::text").first?.optionalText(0) else {
            throw StoreError(
                .missing,
                "this user has no schema in its search path; create one, or let it use one, in \(url)")
        }
        // Most starts find nothing to do, and shouldn't wait for a lock.
        if try version(of: connection) != PostgresSchema.version || searchVersion(connection) != SearchText.version {
            try patiently(connection) { try migrate(connection, schema) }
        }
        return try names(connection)
    }

    /// The version of a database's tables, which may be older than the current one.
    /// - Throws: `missing` where there are none, and `foreignFile` for those of a newer version.
    func foundVersion(_ connection: PostgresConnection) throws -> Int {
        let version = try version(of: connection)
        if version == 0 { throw StoreError(.missing, "\(url) has no logs yet; 'serve' and 'import' make them") }
        return version
    }

    /// Tries again while others, such as a backup, keep the tables locked.
    private func patiently(_ connection: PostgresConnection, _ body: () throws -> Void) throws {
        for _ in 1..<PostgresBounds.tableLockAttempts {
            do {
                return try body()
            } catch let error as PostgresError where error.state == "55P03" {
                try connection.runScript("ROLLBACK")
                sleep(PostgresBounds.tableLockPauseSeconds)
            }
        }
        try body()
    }

    private func migrate(_ connection: PostgresConnection, _ schema: String) throws {
        try connection.runScript("BEGIN; SET LOCAL lock_timeout = '\(PostgresBounds.rebuildSeconds)s'")
        _ = try connection.run(
            "SELECT pg_advisory_xact_lock(\(Self.lockClass), hashtext($1))", [.text(schema)])
        // A short wait: everybody else queues behind a session that waits for a table.
        try connection.runScript("SET LOCAL lock_timeout = '\(PostgresBounds.tableLockSeconds)s'")
        // Another node may have migrated in the meantime.
        let found = try version(of: connection)
        do {
            for step in PostgresSchema.steps.dropFirst(found) { try connection.runScript(step) }
        } catch let error as PostgresError where error.state == "42P07" {
            throw StoreError(
                .foreignFile,
                "the schema '\(schema)' has tables of another program; give Marquee a schema of its own in \(url)",
                cause: error.message)
        }
        if found == 0 { try name(connection) }
        try set(PostgresSchema.Meta.version, "\(PostgresSchema.version)", connection)
        if try searchVersion(connection) != SearchText.version { try rebuildSearch(connection) }
        try connection.runScript("COMMIT")
    }

    private func rebuildSearch(_ connection: PostgresConnection) throws {
        let transaction = PostgresCatalogueTransaction(
            connection, limits: StoreLimits(), library: library)
        try transaction.lockHead()
        try transaction.rebuildSearch()
        try transaction.flush()
        try set(PostgresSchema.Meta.search, SearchText.version, connection)
    }

    /// - Returns: 0 if there are no tables.
    private func version(of connection: PostgresConnection) throws -> Int {
        // Not to_regclass: that opens no table, so within a transaction it may repeat what the connection knew before
        // another node made the tables.
        let rows = try connection.run(
            "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'marquee_meta' AND pg_table_is_visible(oid))")
        guard try rows.first?.flag(0) == true else { return 0 }
        guard let text = try meta(PostgresSchema.Meta.version, connection), let version = Int(text) else {
            throw StoreError(.corrupt, "\(url) does not say which version made its tables")
        }
        guard version <= PostgresSchema.version else {
            throw StoreError(
                .foreignFile,
                "a newer version of Marquee made the tables of \(url): its schema is \(version), and this version "
                    + "knows \(PostgresSchema.version); update this node")
        }
        return version
    }

    private func searchVersion(_ connection: PostgresConnection) throws -> String? {
        try meta(PostgresSchema.Meta.search, connection)
    }

    private func name(_ connection: PostgresConnection) throws {
        var names = StoreNames()
        for name in [PostgresSchema.Meta.catalogueEpoch, PostgresSchema.Meta.usersEpoch] {
            try set(name, StoreNames.hexadecimal(names.nextEpoch()), connection)
        }
        try set(PostgresSchema.Meta.cluster, names.nextCluster(), connection)
    }

    /// The names that were drawn when the tables were made.
    func names(_ connection: PostgresConnection) throws -> Names {
        func value(_ name: String) throws -> String {
            if let value = try meta(name, connection) { return value }
            throw StoreError(.corrupt, "\(url) does not name its \(name)")
        }
        func epoch(_ name: String) throws -> UInt64 {
            if let epoch = UInt64(try value(name), radix: 16) { return epoch }
            throw StoreError(.corrupt, "\(url) has a \(name) that is not a number")
        }
        return Names(
            cluster: try value(PostgresSchema.Meta.cluster),
            epochs: LogEpochs(
                catalogue: try epoch(PostgresSchema.Meta.catalogueEpoch),
                users: try epoch(PostgresSchema.Meta.usersEpoch)))
    }

    private func meta(_ name: String, _ connection: PostgresConnection) throws -> String? {
        try connection.run("SELECT value FROM marquee_meta WHERE name = $1", [.text(name)]).first?.text(0)
    }

    private func set(_ name: String, _ value: String, _ connection: PostgresConnection) throws {
        try connection.run(
            "INSERT INTO marquee_meta VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value",
            [.text(name), .text(value)])
    }
}
