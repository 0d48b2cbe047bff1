/// Whether a server keeps what it confirms.
struct PostgresDurability: Sendable {
    /// Accepts settings with which a confirmed commit can be lost.
    let allowsLostCommits: Bool

    /// The oldest version whose client library can send several statements at once, and whose servers are maintained.
    private static let oldestVersion = 140_000
    /// The settings that decide, in the order in which they are read, and what they may be.
    private static let accepted: [(name: String, values: [String])] = [
        ("fsync", ["on"]), ("full_page_writes", ["on"]), ("synchronous_commit", ["on", "remote_apply"]),
    ]

    /// The expressions that read the settings, for a statement's list.
    static let expressions = accepted.map { "current_setting('\($0.name)')" }.joined(separator: ", ")
    static var count: Int { accepted.count }

    /// For a session that changes names and tables: its commits are durable, whatever the server's setting is.
    static let own = """
        SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
        """

    /// Checks a new connection that will write, and makes its own commits durable whatever becomes of the server's
    /// settings.
    /// - Returns: what its transactions set.
    /// - Throws: `foreignFile` for a server or a database of the wrong kind; `notDurable`.
    func prepare(_ connection: PostgresConnection) throws -> PostgresStatement? {
        let url = connection.url
        guard connection.serverVersion >= Self.oldestVersion else {
            throw StoreError(
                .foreignFile, "\(url) is served by PostgreSQL \(connection.parameter("server_version")); 14 is needed")
        }
        let encoding = connection.parameter("server_encoding")
        guard encoding == "UTF8" else {
            throw StoreError(.foreignFile, "\(url) is encoded as \(encoding); create one with the encoding UTF8")
        }
        if allowsLostCommits { return nil }
        guard let row = try connection.run("SELECT \(Self.expressions)").first else { throw MalformedRow() }
        try check(row, at: 0, url)
        // Stays with the session, and so with what is written without a transaction of its own.
        let level = try row.text(Self.count - 1) == "remote_apply" ? "remote_apply" : "on"
        try connection.runScript("SET synchronous_commit = \(level)")
        return PostgresStatement("SET LOCAL synchronous_commit = \(level)")
    }

    /// Checks what a statement has read of the settings: they can change while a connection lasts.
    /// - Parameter column: of the first.
    /// - Throws: `notDurable`.
    func check(_ row: PostgresRow, at column: Int, _ url: PostgresURL) throws {
        if allowsLostCommits { return }
        for (index, (name, values)) in Self.accepted.enumerated() {
            let setting = try row.text(column + index)
            guard !values.contains(setting) else { continue }
            throw StoreError(
                .notDurable,
                "\(url) can lose what it has confirmed: \(name) is '\(setting)', and 'on' is needed; change it for the "
                    + "server, the database or the user, or allow commits to be lost")
        }
    }
}
