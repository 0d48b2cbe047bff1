import GRDB
import MarqueeModel

extension Mirror {
    /// Forgets the user: changes waiting to be sent, refusals, and every view except those that look the same to
    /// everybody. The mirror then belongs to its cluster but to no user; the next user who signs in takes it over.
    ///
    /// The bytes are overwritten, in the file and in its log, and damaged copies beside it are deleted.
    /// - Parameters:
    ///   - shared: the views to keep.
    ///   - newClientID: the client id under which the server counts the next user's mutations.
    package func forgetUser(keeping shared: [ViewID], newClientID: [UInt8]) throws(MirrorError) {
        try overwritingWhatIsDeleted { () throws(MirrorError) in
            try write(.now) { db in
                let kept = Set(shared)
                for view in try ViewRow.all(db) where !kept.contains(view.id) { try ViewRow.remove(view.id, db) }
                for id in shared {
                    guard let view = try ViewRow.find(id, db), let content = view.content else { continue }
                    try ViewRow.move(id, to: content.cut.withoutUser, savedAt: view.savedAt, db)
                }
                for table in ["outbox", "inbox", "observation", "rejection", "incident"] {
                    try db.execute(sql: "DELETE FROM \(table)")
                }
                try Mirror.belong(to: nil, newClientID, db)
            }
        }
        if isFile { try MirrorFile.removeCopies(of: place) }
    }

    /// Assigns an ownerless mirror to a user. The stored content looks the same to everybody, so it stays; earlier
    /// observations aren't reported in the user's name.
    ///
    /// - Throws: `belongsToOtherUser` when the mirror already has a user.
    package func adopt(user: String, newClientID: [UInt8]) throws(MirrorError) {
        guard identity.user == nil else {
            throw MirrorError(.belongsToOtherUser, "the mirror \(place) belongs to another user; use another one")
        }
        try write(.now) { db in
            try db.execute(sql: "DELETE FROM observation")
            try Mirror.belong(to: user, newClientID, db)
        }
    }

    private static func belong(to user: String?, _ clientID: [UInt8], _ db: Database) throws {
        var row = try MirrorRow.load(db)
        let fresh = try MirrorDatabase.row(clientID)
        row.identity.user = user
        row.identity.clientID = fresh.identity.clientID
        (row.lastNumber, row.lastAnswered) = (0, 0)
        (row.seen, row.proven) = (row.seen?.withoutUser, row.proven?.withoutUser)
        try row.storeWithOwner(db)
    }

    private func overwritingWhatIsDeleted(_ delete: () throws(MirrorError) -> Void) throws(MirrorError) {
        do {
            try opened().writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        } catch { throw MirrorError(error, at: place) }
        try delete()
        do {
            try opened().writeWithoutTransaction { db in
                // The log still contains the deleted data.
                try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA secure_delete = OFF")
            }
        } catch { throw MirrorError(error, at: place) }
    }
}

extension Cut {
    /// The position without the user's log.
    fileprivate var withoutUser: Cut {
        Cut(catalogueEpoch: catalogueEpoch, catalogueRevision: catalogueRevision)
    }
}
