package import MarqueeStore
import MarqueeTypes
import Yams

/// A table of a PostgreSQL database into which an application writes changes, in the transactions that they belong to.
package struct OutboxFeed: Hashable, Sendable {
    /// The most bytes of a name in PostgreSQL.
    private static let nameBytes = 63
    package static let usualSchema = "public"
    /// The name of the function that applications call, in the table's schema.
    package static let function = "marquee_publish"

    package var url: PostgresURL
    package var schema: String
    package var table: String

    package init(_ url: PostgresURL, schema: String = usualSchema, table: String) {
        (self.url, self.schema, self.table) = (url, schema, table)
    }

    /// - Parameter node: `marquee_outbox`, or `sales.marquee_outbox` for one in another schema.
    init?(_ url: PostgresURL, yaml node: Node, _ reader: inout YAMLReader) {
        guard let name = reader.text(node, "'outbox'", atMost: 2 * Self.nameBytes + 1) else { return nil }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard 1...2 ~= parts.count, let table = parts.last, parts.allSatisfy({ 1...Self.nameBytes ~= $0.utf8.count })
        else {
            reader.report(node, "'outbox' is the name of a table, such as marquee_outbox or sales.marquee_outbox")
            return nil
        }
        self.init(url, schema: parts.count == 2 ? parts[0] : Self.usualSchema, table: table)
    }

    /// The name in messages.
    package var fullName: String { "\(schema).\(table)" }
    /// The channel of its notifications.
    var channel: String { table }

    var quotedName: String { "\(PostgresSource.quoted(schema)).\(PostgresSource.quoted(table))" }
    var quotedFunction: String { "\(PostgresSource.quoted(schema)).\(Self.function)" }

    // MARK: - Statements

    /// The columns, in SQL.
    static let columns = [
        // In one session ids rise in the order of calls, and between sessions in the order of time.
        ("id", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
        ("xid", "xid8 NOT NULL DEFAULT pg_current_xact_id()"),
        ("written", "timestamptz NOT NULL DEFAULT clock_timestamp()"),
        ("changes", "jsonb NOT NULL"),
        ("claim", "bigint"),
        ("refused", "text"),
    ]

    var createTable: String {
        let columns = Self.columns.map { "    \($0.0) \($0.1)" }.joined(separator: ",\n")
        return "CREATE TABLE \(quotedName) (\n\(columns)\n);"
    }

    /// The function runs with its owner's rights, so that those who may call it can write nothing but changes. Its path
    /// is fixed, so that they can't have it call functions of their own.
    var createFunction: String {
        let channel = channel.replacing("'", with: "''")
        return """
            CREATE FUNCTION \(quotedFunction)(changes jsonb) RETURNS void LANGUAGE sql
                SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $marquee$
                INSERT INTO \(quotedName) (changes) VALUES ($1);
                SELECT pg_notify('\(channel)', '');
            $marquee$;
            """
    }

    var revokeFunction: String { "REVOKE ALL ON FUNCTION \(quotedFunction)(jsonb) FROM PUBLIC;" }

    func grants(to role: String) -> String {
        "GRANT SELECT, DELETE, UPDATE (claim, refused) ON \(quotedName) TO \(role);"
    }

    /// The statements by which an administrator makes it, with comments.
    ///
    /// - Parameter name: of the source.
    func statements(for name: String) -> [String] {
        let role = PostgresSource.quoted(url.user ?? "follower")
        return [
            "-- For an administrator of the database (PostgreSQL 13 or newer), so that '\(name)' can be followed.",
            "CREATE ROLE \(role) LOGIN;  -- and PASSWORD '…', unless pg_hba.conf lets it in without",
        ] + (url.database.map { ["GRANT CONNECT ON DATABASE \(PostgresSource.quoted($0)) TO \(role);"] } ?? []) + [
            "GRANT USAGE ON SCHEMA \(PostgresSource.quoted(schema)) TO \(role);",
            "BEGIN;",
            createTable,
            grants(to: role),
            createFunction,
            revokeFunction,
            "COMMIT;",
            "-- For each role that publishes, which then calls it after the change to its own rows:",
            "-- GRANT EXECUTE ON FUNCTION \(quotedFunction)(jsonb) TO application;",
            "-- SELECT \(quotedFunction)('{\"remove\": {\"type\": \"product\", \"id\": \"7\"}}');",
        ]
    }
}
