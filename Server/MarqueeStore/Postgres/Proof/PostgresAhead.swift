/// Notes clients that have seen more than the database has, for the operator, who decides whether commits were lost.
enum PostgresAhead {
    /// The most that are remembered.
    static let clients = 10_000

    /// The statement that notes clients.
    static func noting(_ clients: [ClientAhead]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO client_ahead (client, revision, user_name, user_revision)
            SELECT * FROM unnest($1, $2, $3, $4) WHERE (SELECT count(*) FROM client_ahead) < \(Self.clients)
            ON CONFLICT (client) DO UPDATE SET revision = EXCLUDED.revision, user_name = EXCLUDED.user_name,
                user_revision = EXCLUDED.user_revision
            """,
            [
                .blobs(clients.map(\.client)), .integers(clients.map { Int64(clamping: $0.revision) }),
                .texts(clients.map { $0.user ?? "" }), .integers(clients.map { Int64(clamping: $0.userRevision) }),
            ])
    }

    /// How many of the noted clients are still ahead, and the newest revision of the catalogue beyond its head.
    static let counting = """
        SELECT count(*), max(a.revision) FILTER (WHERE a.revision > h.revision)
        FROM client_ahead a CROSS JOIN catalogue_head h LEFT JOIN user_log u ON u.name = a.user_name
        WHERE a.revision > h.revision OR a.user_revision > coalesce(u.revision, 0)
        """
}

extension PostgresStore {
    package func note(ahead clients: [ClientAhead]) throws(StoreError) {
        guard !clients.isEmpty else { return }
        try StoreError.translating(url) {
            _ = try gate.connection(for: "notes").run([PostgresAhead.noting(clients)])
        }
    }
}
