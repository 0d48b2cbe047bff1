import GRDB
import MarqueeDiff
package import MarqueeModel

extension Mirror {
    /// Stores that a subject is a favorite, or no longer. What was stored about it and never sent is folded into
    /// this: its row goes, and the new one has a new, higher number.
    ///
    /// - Parameter at: Seconds since 1970.
    /// - Throws: `limit` when the subject has no or more than `MirrorLimit.subjectBytes` bytes, or the outbox is
    ///   full.
    package func setFavorite(subject: String, on: Bool, at: Double) throws(MirrorError) -> OutboxEntry {
        guard 1...MirrorLimit.subjectBytes ~= subject.utf8.count else {
            throw MirrorError(
                .limit, "a favorite's subject has 1 to \(MirrorLimit.subjectBytes) bytes, not \(subject.utf8.count)")
        }
        // SQLite would end the text there, and another subject would become a favorite.
        guard !subject.utf8.contains(0) else { throw MirrorError(.limit, "a favorite's subject has no NUL bytes") }
        return try write(.now) { db in
            try OutboxTable.removePending(of: subject, db)
            guard try OutboxTable.count(db) < MirrorLimit.outboxEntries else {
                throw MirrorError(
                    .limit, "\(MirrorLimit.outboxEntries) changes wait to be sent already; no more can be stored")
            }
            var row = try MirrorRow.load(db)
            let entry = OutboxEntry(number: try row.takeNumber(), subject: subject, on: on, createdAt: at)
            try row.store(db)
            try OutboxTable.insert(entry, db)
            // Changing a subject again acknowledges what became of its last change.
            try OutboxTable.forgetRejections(of: subject, db)
            return entry
        }
    }

    /// All entries by number.
    package func outbox() throws(MirrorError) -> [OutboxEntry] {
        try read { try OutboxTable.all($0) }
    }

    /// The first entry that was not answered: the one to be sent next.
    package func firstWaiting() throws(MirrorError) -> OutboxEntry? {
        try read { try OutboxTable.firstWaiting($0) }
    }

    /// Freezes entries. To be called before anything of them is sent: it is durable when it returns.
    package func markSent(_ numbers: [UInt64]) throws(MirrorError) {
        if numbers.isEmpty { return }
        try write(.now) { db in
            for number in numbers { try OutboxTable.markSent(number, db) }
        }
    }

    /// Stores the server's answer. A number that is not in the outbox, or was answered before, changes nothing.
    ///
    /// - Parameters:
    ///   - cut: A position that contains the effect.
    ///   - changed: Whether the server's state changed by it.
    package func answered(number: UInt64, cut: Cut, changed: Bool) throws(MirrorError) {
        try write(.now) { db in
            guard try OutboxTable.markAnswered(number, cut: cut, changed: changed, db) else { return }
            var row = try MirrorRow.load(db)
            row.lastAnswered = max(row.lastAnswered, number)
            try row.store(db)
        }
    }

    /// Takes a refused entry out of the outbox and remembers it, see `rejections()`.
    package func rejected(number: UInt64, reason: String) throws(MirrorError) {
        try write(.now) { db in
            guard let entry = try OutboxTable.find(number, db) else { return }
            try OutboxTable.remove([number], db)
            try OutboxTable.reject(entry, reason: reason, db)
        }
    }

    /// The last `MirrorLimit.rejections` refused mutations, oldest first.
    package func rejections() throws(MirrorError) -> [RejectedMutation] {
        try read { try OutboxTable.rejections($0) }
    }

    /// Forgets the refused mutations once the person has seen them.
    package func forgetRejections() throws(MirrorError) {
        try write(.now) { try OutboxTable.forgetRejections(of: nil, $0) }
    }

    /// The answered entries that leave with a commit at `cut`: to be given to `MirrorTransaction.finishedMutations`.
    ///
    /// An effect lies in the user's log, so only that part of a position counts. Entries that were answered in
    /// another epoch leave too: their log is gone, and `cut` is all that remains of it.
    package func finished(containedIn cut: Cut) throws(MirrorError) -> [UInt64] {
        if cut.userEpoch == 0 { return [] }
        return try read { try OutboxTable.answered($0) }.filter { entry in
            guard case .answered(let answer) = entry.state else { return false }
            return answer.userEpoch != cut.userEpoch || answer.userRevision <= cut.userRevision
        }.map(\.number)
    }

    /// Gives entries fresh numbers, above all that were used, in their order.
    ///
    /// Answered entries stay as they are. Entries that leave are remembered as refused, see `rejections()`.
    ///
    /// - Parameters:
    ///   - above: The last number that the server knows of this client, if it said so.
    ///   - newClientID: Becomes the client id in the same transaction.
    /// - Throws: `limit` when no numbers are left, or for an id of another length.
    package func renumber(
        _ scope: RenumberScope, above: UInt64 = 0, newClientID: [UInt8]? = nil
    ) throws(MirrorError) -> Renumbering {
        try write(.now) { db in
            if let newClientID { try Mirror.storeClientID(newClientID, db) }
            var row = try MirrorRow.load(db)
            row.lastNumber = max(row.lastNumber, min(above, MirrorLimit.mutationNumber))
            var result = Renumbering(entries: [], rolledBack: [])
            let waiting = try OutboxTable.all(db).filter { $0.state == .pending || $0.state == .sent }
            var latest: [ExactString: UInt64] = [:]
            for entry in waiting { latest[ExactString(entry.subject)] = entry.number }
            try OutboxTable.remove(waiting.map(\.number), db)
            for entry in waiting {
                if entry.state == .sent, scope == .unsentOnly {
                    result.rolledBack.append(entry)
                    try OutboxTable.reject(entry, reason: Renumbering.rollbackReason, db)
                } else if entry.state == .sent, scope == .afterSent {
                    try OutboxTable.insert(entry, db)
                    result.entries.append(entry)
                } else if latest[ExactString(entry.subject)] == entry.number {
                    var fresh = entry
                    fresh.number = try row.takeNumber()
                    fresh.state = .pending
                    try OutboxTable.insert(fresh, db)
                    result.entries.append(fresh)
                }
            }
            try row.store(db)
            return result
        }
    }

    /// The best body to show a favorite with that was set offline: of the movie items with that subject, the one whose
    /// view was saved last.
    ///
    /// - Returns: `nil` when no stored body of it is intact.
    package func bestBody(of subject: String) throws(MirrorError) -> Item? {
        try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT item.id, item.body, item.body_hash FROM item
                    JOIN section ON section.id = item.section JOIN view ON view.id = section.view
                    WHERE item.subject = ? AND item.subject <> '' AND item.kind = ?
                    ORDER BY view.saved_at DESC, item.number DESC
                    """)
            let rows = try Row.fetchCursor(statement, arguments: [subject, Int64(ItemKind.movie.rawValue)])
            while let row = try rows.next() {
                let body = try row.bytes(1)
                guard XXH64.hash(body) == (try row.unsigned(2)) else { continue }
                return Item(id: try row.decode(String.self, atIndex: 0), kind: .movie, subject: subject, body: body)
            }
            return nil
        }
    }
}
