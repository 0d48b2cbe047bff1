import Foundation
import PostgresSupport

/// Reads the rows that a round is judged by.
struct StoredReader: Sendable {
    private struct Commit: Decodable {
        var revision: UInt64
        var key: String?
    }

    private struct Move: Decodable {
        var user: String
        var collection: String
        var subject: String
        var value: String?
        var revision: UInt64
    }

    private struct Head: Decodable {
        var name: String
        var revision: UInt64
    }

    let database: PostgresServer

    func stored() throws -> Stored {
        // Read while nobody writes any more, so that several statements see the same.
        var stored = Stored()
        stored.epoch = try epoch("catalogue epoch")
        stored.userEpoch = try epoch("users epoch")
        stored.head = UInt64(try database.run("SELECT revision FROM catalogue_head")) ?? 0
        let commits: [Commit] = try rows("SELECT revision, key FROM commit_log ORDER BY revision")
        stored.commits = commits.map { Stored.Commit(revision: $0.revision, key: $0.key) }
        let keys: [Commit] = try rows("SELECT revision, key FROM commit_key")
        stored.keys = Dictionary(keys.map { ($0.key ?? "", $0.revision) }) { $1 }
        let columns = #"user_name AS "user", collection, subject, encode(value, 'hex') AS value, revision"#
        let moves: [Move] = try rows("SELECT \(columns) FROM user_move ORDER BY user_name, revision")
        stored.moves = moves.map {
            Stored.Move(
                user: $0.user, collection: $0.collection, subject: $0.subject, value: $0.value, revision: $0.revision)
        }
        let members: [Move] = try rows("SELECT \(columns) FROM member")
        stored.members = Dictionary(
            members.map {
                (Stored.Member(user: $0.user, collection: $0.collection, subject: $0.subject), $0.value ?? "")
            }
        ) { $1 }
        let heads: [Head] = try rows("SELECT name, revision FROM user_log")
        stored.userHeads = Dictionary(heads.map { ($0.name, $0.revision) }) { $1 }
        return stored
    }

    private func epoch(_ name: String) throws -> UInt64 {
        let text = try database.run("SELECT value FROM marquee_meta WHERE name = '\(name)'")
        guard let epoch = UInt64(text, radix: 16) else { throw NodesError("'\(text)' is no epoch") }
        return epoch
    }

    private func rows<Row: Decodable>(_ query: String) throws -> [Row] {
        let text = try database.run("SELECT coalesce(json_agg(q), '[]') FROM (\(query)) q")
        return try JSONDecoder().decode([Row].self, from: Data(text.utf8))
    }
}
