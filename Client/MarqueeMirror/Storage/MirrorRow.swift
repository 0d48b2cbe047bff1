import Foundation
import GRDB
import MarqueeModel

/// The one row about the client itself.
struct MirrorRow {
    var identity: MirrorIdentity
    /// The highest number given to a mutation so far.
    var lastNumber: UInt64
    /// The highest number whose answer was recorded under this client id.
    var lastAnswered: UInt64 = 0
    /// The newest position that a commit stored.
    var seen: Cut?
    /// The part of it that cuts have delivered.
    var proven: Cut?

    private static let columns = "cluster, user, client_id, last_number, last_answered, seen"

    /// - Throws: `corrupt` when the row is missing or holds something that was never written.
    static func load(_ db: Database) throws -> MirrorRow {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns), sum FROM mirror")) else {
            throw MirrorError(.corrupt, "the mirror is damaged: it doesn't name its owner")
        }
        guard row.givesItsSum(in: 6), let identity = try identity(row) else {
            throw MirrorError(.corrupt, "the mirror is damaged: its owner's row is not what was stored")
        }
        // Two positions, or a single one from an older version, which counts as proven.
        let positions = try row.bytes(5)
        return MirrorRow(
            identity: identity, lastNumber: try row.unsigned(3), lastAnswered: try row.unsigned(4),
            seen: Cut(stored: Array(positions.prefix(Cut.storedBytes))),
            proven: Cut(stored: Array(positions.suffix(Cut.storedBytes))))
    }

    /// The mirror's owner, from the copy kept in case the row itself is damaged.
    static func loadOwner(_ db: Database) throws -> MirrorIdentity? {
        guard let row = try Row.fetchOne(db, sql: "SELECT cluster, user, client_id, sum FROM owner"),
            row.givesItsSum(in: 3)
        else { return nil }
        return try identity(row)
    }

    private static func identity(_ row: Row) throws -> MirrorIdentity? {
        let clientID = try row.bytes(2)
        guard clientID.count == MirrorLimit.clientIDBytes else { return nil }
        return MirrorIdentity(
            cluster: try row.decode(String?.self, atIndex: 0), user: try row.decode(String?.self, atIndex: 1),
            clientID: clientID)
    }

    /// Inserts or replaces the row.
    func store(_ db: Database) throws {
        let values: [(any DatabaseValueConvertible)?] = [
            identity.cluster, identity.user, Data(identity.clientID), Int64(bitPattern: lastNumber),
            Int64(bitPattern: lastAnswered), seen.map { $0.stored + (proven ?? Cut()).stored },
        ]
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO mirror (id, \(MirrorRow.columns), sum) VALUES (1, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: StatementArguments(values + [RowSum.of(values)]))
    }

    /// Writes the row and the copy of its owner.
    func storeWithOwner(_ db: Database) throws {
        try store(db)
        let values: [(any DatabaseValueConvertible)?] = [identity.cluster, identity.user, Data(identity.clientID)]
        try db.execute(
            sql: "INSERT OR REPLACE INTO owner (id, cluster, user, client_id, sum) VALUES (1, ?, ?, ?, ?)",
            arguments: StatementArguments(values + [RowSum.of(values)]))
    }

    /// Takes the next mutation number.
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
