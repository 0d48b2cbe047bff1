import Foundation
import PostgresSupport

/// Reads what the nodes have stored, past them.
struct DatabaseReader: Sendable {
    private struct Move: Decodable {
        var user: String
        var subject: String
        var isSet: Bool
    }

    private struct Member: Decodable {
        var user: String
        var subject: String
    }

    private struct Log: Decodable {
        var user: String
        var revision: Int
    }

    private struct Commit: Decodable {
        var key: String
        var count: Int
    }

    let database: PostgresServer

    func favorites() throws -> StoredFavorites {
        let moves: [Move] = try rows(
            """
            SELECT user_name AS "user", subject, value IS NOT NULL AS "isSet" FROM user_move
            WHERE collection = 'favorites' ORDER BY user_name, revision, seq
            """)
        let members: [Member] = try rows(
            "SELECT user_name AS \"user\", subject FROM member WHERE collection = 'favorites'")
        let logs: [Log] = try rows("SELECT name AS \"user\", revision FROM user_log")
        return StoredFavorites(
            moves: Dictionary(grouping: moves) { FavoriteKey(user: $0.user, subject: $0.subject) }
                .mapValues { $0.map(\.isSet) },
            members: Set(members.map { FavoriteKey(user: $0.user, subject: $0.subject) }),
            revisions: Dictionary(logs.map { ($0.user, $0.revision) }) { $1 })
    }

    /// How many commits the catalogue's log has with each key.
    func commits() throws -> [String: Int] {
        let commits: [Commit] = try rows(
            "SELECT key, count(*) AS count FROM commit_log WHERE key LIKE '\(Publisher.keyPrefix)%' GROUP BY key")
        return Dictionary(commits.map { ($0.key, $0.count) }) { $1 }
    }

    /// The version of the database's tables.
    func schema() throws -> Int {
        let text = try database.run("SELECT value FROM marquee_meta WHERE name = 'version'")
        guard let version = Int(text) else { throw NodesError("the schema has no number: '\(text)'") }
        return version
    }

    private func rows<Row: Decodable>(_ query: String) throws -> [Row] {
        let text = try database.run("SELECT coalesce(json_agg(q), '[]') FROM (\(query)) q")
        return try JSONDecoder().decode([Row].self, from: Data(text.utf8))
    }
}
