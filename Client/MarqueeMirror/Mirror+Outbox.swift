import GRDB
import MarqueeDiff
package import MarqueeModel

extension Mirror {
    /// Stores that a subject is, or is no longer, a member of a collection. An earlier change of it that was never sent
    /// is replaced: its row is removed, and the new one gets a new, higher number.
    ///
    /// - Parameters:
    ///   - value: the member's value; `nil` if the collection keeps no values.
    ///   - at: seconds since 1970.
    /// - Throws: `limit` when the subject is empty or longer than `MirrorLimit.subjectBytes`, the collection's name or
    ///   the value is too long, or the outbox is full.
    package func setMember(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double
    ) throws(MirrorError) -> OutboxEntry {
        try Self.check(subject, "a member's subject", 1...MirrorLimit.subjectBytes)
        try Self.check(collection.name, "a collection's name", 1...CollectionName.maximumLength)
        if let value { try Self.check(value.json, "a member's value", 1...CollectionValue.maximumLength) }
        if isCompanion { return try addToInbox(subject, of: collection, on: on, value: value, at: at) }
        return try write(.now) { try Mirror.setMember(subject, of: collection, on: on, value: value, at: at, $0) }
    }

    /// Gives the change a number and puts it into the outbox. It replaces a companion's change of the same member.
    static func setMember(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double, _ db: Database
    ) throws -> OutboxEntry {
        try OutboxTable.removePending(of: subject, in: collection, db)
        try InboxTable.remove(subject, of: collection, db)
        guard try OutboxTable.count(db) < MirrorLimit.outboxEntries else {
            throw MirrorError(
                .limit, "\(MirrorLimit.outboxEntries) changes are waiting to be sent; no more can be stored")
        }
        var row = try MirrorRow.load(db)
        let entry = OutboxEntry(
            number: try row.takeNumber(), collection: collection, subject: subject, on: on,
            value: on ? value : nil, createdAt: at)
        try row.store(db)
        try OutboxTable.insert(entry, db)
        // Changing a member again acknowledges the refusal of its last change.
        try OutboxTable.forgetRejections(of: subject, in: collection, db)
        return entry
    }

    private static func check(_ text: String, _ what: String, _ bytes: ClosedRange<Int>) throws(MirrorError) {
        guard bytes ~= text.utf8.count else {
            throw MirrorError(
                .limit, "\(what) must have \(bytes.lowerBound) to \(bytes.upperBound) bytes, not \(text.utf8.count)")
        }
        // SQLite would end the text there, so another subject would become a member.
        guard !text.utf8.contains(0) else { throw MirrorError(.limit, "\(what) must not contain NUL bytes") }
    }

    /// All entries by number. Companions' changes that the owner has not taken yet are last, with numbers above all
    /// others; an owner sees them only after taking them.
    package func outbox() throws(MirrorError) -> [OutboxEntry] {
        try read { db in try OutboxTable.all(db) + (isFile ? [] : InboxTable.all(db)) }
    }

    /// The first unanswered entry: the one to send next.
    package func firstWaiting() throws(MirrorError) -> OutboxEntry? {
        try read { try OutboxTable.firstWaiting($0) }
    }

    /// Freezes entries. Call this before any of them is sent: their state is durable when it returns.
    package func markSent(_ numbers: [UInt64]) throws(MirrorError) {
        if numbers.isEmpty { return }
        try write(.now) { db in
            for number in numbers { try OutboxTable.markSent(number, db) }
        }
    }

    /// Stores the server's answer. A number that is not in the outbox, or already answered, changes nothing.
    ///
    /// - Parameters:
    ///   - cut: a position that contains the effect.
    ///   - changed: whether the mutation changed the server's state.
    package func answered(number: UInt64, cut: Cut, changed: Bool) throws(MirrorError) {
        try write(.now) { db in
            guard try OutboxTable.markAnswered(number, cut: cut, changed: changed, db) else { return }
            var row = try MirrorRow.load(db)
            row.lastAnswered = max(row.lastAnswered, number)
            try row.store(db)
        }
    }

    /// Removes a refused entry from the outbox and remembers it; see `rejections()`.
    package func rejected(number: UInt64, code: String?, reason: String) throws(MirrorError) {
        try write(.now) { db in
            guard let entry = try OutboxTable.find(number, db) else { return }
            try OutboxTable.remove([number], db)
            try OutboxTable.reject(entry, code: code, reason: reason, db)
        }
    }

    /// The last `MirrorLimit.rejections` refused mutations, oldest first.
    package func rejections() throws(MirrorError) -> [RejectedMutation] {
        try read { try OutboxTable.rejections($0) }
    }

    /// Forgets the refused mutations. Called once the person has seen them.
    package func forgetRejections() throws(MirrorError) {
        try write(.now) { try OutboxTable.forgetRejections($0) }
    }

    /// The answered entries that leave with a commit at `cut`, for `MirrorTransaction.finishedMutations`.
    ///
    /// Effects are in the user's log, so only that part of a position counts. Entries answered in another epoch leave
    /// too: their log is gone, and `cut` contains everything that is left of it.
    package func finished(containedIn cut: Cut) throws(MirrorError) -> [UInt64] {
        if cut.userEpoch == 0 { return [] }
        return try read { try OutboxTable.answered($0) }.filter { entry in
            guard case .answered(let answer) = entry.state else { return false }
            return answer.userEpoch != cut.userEpoch || answer.userRevision <= cut.userRevision
        }.map(\.number)
    }

    /// Gives entries new numbers, above all those used before, and keeps their order.
    ///
    /// Answered entries stay as they are. Removed entries are remembered as refused; see `rejections()`.
    ///
    /// - Parameters:
    ///   - above: the last number that the server knows of this client, if it reported one.
    ///   - newClientID: becomes the client id in the same transaction.
    /// - Throws: `limit` when no numbers are left, or for an id of the wrong length.
    package func renumber(
        _ scope: RenumberScope, above: UInt64 = 0, newClientID: [UInt8]? = nil
    ) throws(MirrorError) -> Renumbering {
        try write(.now) { db in
            if let newClientID { try Mirror.storeClientID(newClientID, db) }
            var row = try MirrorRow.load(db)
            row.lastNumber = max(row.lastNumber, min(above, MirrorLimit.mutationNumber))
            var result = Renumbering(entries: [], rolledBack: [])
            result.droppedObservations = try Mirror.renumberReports(scope, db)
            let waiting = try OutboxTable.all(db).filter { $0.state == .pending || $0.state == .sent }
            var latest: [CollectionName: [ExactString: UInt64]] = [:]
            for entry in waiting { latest[entry.collection, default: [:]][ExactString(entry.subject)] = entry.number }
            try OutboxTable.remove(waiting.map(\.number), db)
            for entry in waiting {
                if entry.state == .sent, scope == .unsentOnly {
                    result.rolledBack.append(entry)
                    try OutboxTable.reject(entry, code: nil, reason: Renumbering.rollbackReason, db)
                } else if entry.state == .sent, scope == .afterSent {
                    try OutboxTable.insert(entry, db)
                    result.entries.append(entry)
                } else if latest[entry.collection]?[ExactString(entry.subject)] == entry.number {
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

    /// The best body for showing a member that was set offline: among the items with that subject, those of the lowest
    /// kind, which is the plainest, and among these, the one in the most recently saved view.
    ///
    /// - Returns: `nil` when no stored body of the subject is intact.
    package func bestBody(of subject: String) throws(MirrorError) -> Item? {
        try read { db in
            let search = try db.cachedStatement(
                sql: """
                    SELECT item.number FROM item
                    JOIN section ON section.id = item.section JOIN view ON view.id = section.view
                    WHERE item.subject = ? AND item.subject <> '' AND item.kind NOT IN (?, ?)
                    ORDER BY item.kind, view.saved_at DESC, item.number DESC
                    """)
            // Read by number and checked, because a damaged index of subjects may lead to another item.
            let read = try db.cachedStatement(
                sql: "SELECT id, subject, body, body_hash, kind FROM item WHERE number = ?")
            let numbers = try Int64.fetchCursor(
                search,
                arguments: [subject, Int64(ItemKind.member.rawValue), Int64(ItemKind.other.rawValue)])
            while let number = try numbers.next() {
                guard let row = try Row.fetchOne(read, arguments: [number]),
                    try row.decode(String.self, atIndex: 1).hasSameBytes(as: subject)
                else { continue }
                let body = try row.bytes(2)
                guard XXH64.hash(body) == (try row.unsigned(3)) else { continue }
                return Item(
                    id: try row.decode(String.self, atIndex: 0),
                    kind: ItemKind(rawValue: UInt32(clamping: try row.unsigned(4) as UInt64)),
                    subject: subject, body: body)
            }
            return nil
        }
    }
}
