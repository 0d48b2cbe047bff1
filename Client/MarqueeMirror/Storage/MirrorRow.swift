import Foundation
import GRDB
import MarqueeModel

/// The one row about the client itself.
struct MirrorRow {
    var identity: MirrorIdentity
    /// The highest number that a mutation got so far.
    var lastNumber: UInt64
    /// The newest position that was stored.
    var seen: Cut?

    /// - Throws: `corrupt` when the row is missing or holds what was never written.
    static func load(_ db: Database) throws -> MirrorRow {
        let sql = "SELECT cluster, user, client_id, last_number, seen FROM mirror"
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql)) else {
            throw MirrorError(.corrupt, "the mirror is damaged: it does not say whose it is")
        }
        let clientID = try row.bytes(2)
        let lastNumber = try row.unsigned(3)
        guard clientID.count == MirrorLimit.clientIDBytes, lastNumber <= MirrorLimit.mutationNumber else {
            throw MirrorError(.corrupt, "the mirror is damaged: its client id or its last number is impossible")
        }
        return MirrorRow(
            identity: MirrorIdentity(
                cluster: try row.decode(String?.self, atIndex: 0), user: try row.decode(String?.self, atIndex: 1),
                clientID: clientID),
            lastNumber: lastNumber, seen: Cut(stored: try row.bytes(4)))
    }

    /// Writes the row, whether there is one or not.
    func store(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO mirror (id, cluster, user, client_id, last_number, seen)
                VALUES (1, ?, ?, ?, ?, ?)
                """,
            arguments: [
                identity.cluster, identity.user, Data(identity.clientID), Int64(bitPattern: lastNumber), seen?.stored,
            ])
    }

    /// The next numbers of mutations.
    ///
    /// - Throws: `limit` when there are none left.
    mutating func takeNumber() throws -> UInt64 {
        guard lastNumber < MirrorLimit.mutationNumber else {
            throw MirrorError(.limit, "there are no numbers left for another mutation")
        }
        lastNumber += 1
        return lastNumber
    }
}
