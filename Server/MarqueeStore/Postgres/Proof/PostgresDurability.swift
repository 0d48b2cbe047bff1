/// Checks whether a server keeps what it confirms.
struct PostgresDurability: Sendable {
    private let rule: CommitDurability

    /// The oldest version whose client library can send several statements at once, and whose servers are maintained.
    private static let oldestVersion = 140_000

    /// The expressions that read the settings, for a statement's list.
    static let expressions = CommitDurability.settings.map { "current_setting('\($0)')" }.joined(separator: ", ")

    /// - Parameter allowsLostCommits: whether to accept settings with which a confirmed commit can be lost.
    init(allowsLostCommits: Bool) { rule = CommitDurability(allowsLostCommits: allowsLostCommits) }

    /// For a session that changes names and tables: its commits are durable, whatever the server's setting is.
    static let own = """
        SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
        """

    /// Checks a new connection that will write, and makes its own commits durable, however the server's settings
    /// change.
    /// - Returns: the setting that each of its transactions has to make, if any.
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
        guard let row = try connection.run("SELECT \(Self.expressions)").first else { throw MalformedRow() }
        try check(row, at: 0, url)
        guard let level = rule.level(given: try Self.values(row, at: 0)) else { return nil }
        // Applies to the whole session, and so to writes outside a transaction block.
        try connection.runScript("SET synchronous_commit = \(level)")
        return PostgresStatement("SET LOCAL synchronous_commit = \(level)")
    }

    /// Checks settings that a statement has read: they can change while a connection lasts.
    /// - Parameter column: the column of the first setting.
    /// - Throws: `notDurable`.
    func check(_ row: PostgresRow, at column: Int, _ url: PostgresURL) throws {
        guard let weakness = rule.weakness(of: try Self.values(row, at: column)) else { return }
        throw StoreError(weakness, at: "\(url)")
    }

    private static func values(_ row: PostgresRow, at column: Int) throws -> [String] {
        try CommitDurability.settings.indices.map { try row.text(column + $0) }
    }
}
