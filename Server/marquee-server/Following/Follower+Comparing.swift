import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeWire

/// All rows of tables, beside the records that the catalogue has.
extension Follower {
    /// Publishes the differences between tables and the catalogue, and then where the source is.
    /// - Parameter position: called once all rows have been read.
    /// - Returns: where it is.
    func compare(
        _ tables: [TableRecords], _ database: FollowedDatabase, _ publisher: SourcePublisher,
        position: () throws -> FollowedPosition
    ) throws -> FollowedPosition {
        var changes = FollowedChanges()
        func publish() throws {
            handle(try publisher.publish(changes.entries, movingTo: nil), database)
            changes = FollowedChanges()
        }
        for table in tables {
            complaints.forget(table.type)
            let comparison = try compare(table, database, publisher, tells: true) { id, bytes in
                // The server refuses too many of its rows.
                guard database.unusable[table.fullName] == nil else { return }
                switch FollowedChanges.entry(id, bytes) {
                case .failure(let refusal): complain(refusal.reason, of: table.name, id)
                case .success(let entry):
                    if changes.add([entry]) { return }
                    try publish()
                    _ = changes.add([entry])
                }
            }
            say(Self.words(comparison, table))
        }
        var new = try position()
        let outcome = try publisher.publish(changes.entries, movingTo: new)
        handle(outcome, database)
        new.isIncomplete = new.isIncomplete || !outcome.stopped.isEmpty
        tell(publisher)
        return new
    }

    /// Tells of rows that the server has refused. Tables with too many stop for a while.
    /// - Returns: the full names of these.
    @discardableResult
    func handle(_ outcome: SourcePublisher.Outcome, _ database: FollowedDatabase) -> [String] {
        func table(_ type: String) -> TableRecords? { database.tables.first { $0.type == type } }
        for (id, reason) in outcome.refused { complain(reason, of: table(id.type)?.name ?? id.type, id) }
        return outcome.stopped.compactMap { type, reason in
            guard let name = table(type)?.fullName else { return nil }
            resting[name] = Self.now + Self.restMilliseconds
            database.leaveOut(name, reason)
            complain(stopped: name, reason)
            return name
        }
    }

    /// - Parameters:
    ///   - tells: whether the server is told how far it is.
    ///   - differs: receives each record to put, or to remove.
    func compare(
        _ table: TableRecords, _ database: FollowedDatabase, _ publisher: SourcePublisher, tells: Bool = false,
        differs: (RecordID, [UInt8]?) throws -> Void
    ) throws -> RecordComparison {
        var comparison = RecordComparison()
        try publisher.records(ofType: table.type) { try comparison.hold($0, $1) }
        defer { progress.end() }
        try database.each(table) { row in
            if case .bad(let id, let reason) = row {
                complain(reason, of: table.name, id.map { RecordID(type: table.type, id: $0) })
            }
            if let record = comparison.meet(row) {
                try differs(RecordID(type: table.type, id: record.id), record.bytes)
            }
            guard comparison.rows.isMultiple(of: 1_000) else { return }
            guard isStillWanted() else { throw Interruption.Ended() }
            progress.show("\(table.name): \(counted(comparison.rows, "row"))")
            if tells, Self.now >= reported + Self.reportMilliseconds {
                report(publisher, "compares \(table.name), \(counted(comparison.rows, "row")) so far", lag: nil)
            }
        }
        for id in comparison.gone { try differs(RecordID(type: table.type, id: id), nil) }
        return comparison
    }

    static func words(_ comparison: RecordComparison, _ table: TableRecords) -> String {
        "\(table.name): \(counted(comparison.rows, "row")), \(comparison.same) unchanged, \(comparison.changed) changed, "
            + "\(comparison.new) new, \(comparison.gone.count) gone, \(comparison.bad) bad"
    }
}
