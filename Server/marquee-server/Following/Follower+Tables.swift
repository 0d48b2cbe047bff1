import MarqueeImport

/// Tables that change while they are followed: one that can't go on stops, and the others don't.
extension Follower {
    /// Leaves out what an administrator has to mend first, if others can go on.
    /// - Parameter hasFollowed: whether everything was in place once.
    func check(_ database: FollowedDatabase, hasFollowed: Bool) throws {
        let needs = try database.missing()
        let concerned = Set(needs.compactMap(\.table))
        guard needs.allSatisfy({ $0.table != nil }), needs.isEmpty || hasFollowed,
            concerned.count < database.tables.count
        else { throw CommandFailure(needs, source) }
        for need in needs { leaveOut(need, database) }
        for table in database.tables { complaints.resume(table.fullName) }
        for (table, reason) in database.unusable.sorted(by: { $0.key < $1.key }) {
            complain(stopped: table, reason)
        }
    }

    /// A column that has gone while the connection was lost stops its table, as if it had gone before our eyes:
    /// its field isn't emptied before somebody has looked.
    func keepLost(_ database: FollowedDatabase) {
        for table in database.tables {
            guard let old = known[table.fullName], let reason = old.loss(in: table) else { continue }
            database.leaveOut(table.fullName, reason, asIt: old)
            complain(stopped: table.fullName, reason)
        }
    }

    private func adopt(_ table: TableRecords, _ database: FollowedDatabase) {
        database.adopt(table)
        know(table)
    }

    /// Remembers a table as it is followed, and names its columns that fill no field, once.
    func know(_ table: TableRecords) {
        if let unused = table.unused, unused != known[table.fullName]?.unused { say("\(table.fullName): \(unused)") }
        known[table.fullName] = table
    }

    private func leaveOut(_ need: FollowNeed, _ database: FollowedDatabase) {
        guard let table = need.table else { return }
        let mend = need.sql.map { "; an administrator of the database has to run: \($0)" } ?? ""
        database.leaveOut(table, need.problem + mend)
        complain(stopped: table, need.problem + mend)
    }

    /// The log describes a table otherwise than it was read.
    func look(at name: String, _ steps: inout RowSteps, _ database: FollowedDatabase) throws {
        guard resting[name].map({ $0 <= Self.now }) ?? true else { return }
        switch try database.look(at: name) {
        case .same(let table) where steps.stopped[name] == nil:
            adopt(table, database)
            steps.follow(table)
        case .same(let table): putOff(table, "it can be followed again", &steps, database)
        case .changed(let table, let reason): putOff(table, reason, &steps, database)
        case .unusable(let reason):
            database.leaveOut(name, reason)
            steps.stop(name, reason)
            complain(stopped: name, reason)
        }
    }

    /// Nothing of a table is published until it has been compared.
    private func putOff(
        _ table: TableRecords, _ reason: String, _ steps: inout RowSteps, _ database: FollowedDatabase
    ) {
        if !changed.contains(table.fullName) {
            say("\(table.fullName): \(reason); its rows are compared with the catalogue")
        }
        adopt(table, database)
        steps.stop(table.fullName, reason)
        changed.insert(table.fullName)
    }

    /// Compares the tables that have changed. The others wait, and what happens in them meanwhile is in the log.
    func recompare(
        _ course: inout StreamCourse, _ steps: inout RowSteps, _ database: FollowedDatabase,
        _ publisher: SourcePublisher
    ) throws -> [StreamCourse.Step] {
        guard !changed.isEmpty else { return [] }
        let tables = database.tables.filter { changed.contains($0.fullName) }
        changed = []
        for table in tables { complaints.resume(table.fullName) }
        var new = course.position
        let sent = course.sent
        new = try compare(tables, database, publisher) {
            try database.settle(shouldContinue: isStillWanted)
            let newest = try database.newest()
            // Rows were read as they are later than the log says first.
            new.until = newest > sent ? newest : nil
            (new.shape, new.isIncomplete) = (database.shape, !database.unusable.isEmpty)
            return new
        }
        for table in tables where database.unusable[table.fullName] == nil { steps.follow(table) }
        for (table, reason) in database.unusable { steps.stop(table, reason) }
        live?.end = new.end
        return course.published(new, now: Self.now)
    }

    /// Looks whether tables that have stopped can go on, and whether the others still can.
    func recheck(
        _ course: inout StreamCourse, _ steps: inout RowSteps, _ database: FollowedDatabase,
        _ publisher: SourcePublisher
    ) throws -> [StreamCourse.Step] {
        let log = try database.keptLog()
        if complaints.keeps(log) { say(log ?? "") }
        let stopped = database.unusable.keys.filter { resting[$0].map { $0 <= Self.now } ?? true }.sorted()
        for name in stopped {
            switch try database.look(at: name) {
            case .same(let table), .changed(let table, _): adopt(table, database)
            case .unusable(let reason):
                database.leaveOut(name, reason)
                complain(stopped: name, reason)
            }
        }
        for need in try database.missing() {
            guard let name = need.table else { continue }
            leaveOut(need, database)
            steps.stop(name, need.problem)
        }
        // A table that was dropped and made anew has no rows in the log until it has changes.
        for table in database.tables where !stopped.contains(table.fullName) {
            if try !database.exists(table) { try look(at: table.fullName, &steps, database) }
        }
        for name in stopped where database.unusable[name] == nil {
            say("\(name): it can be followed again; its rows are compared with the catalogue")
            changed.insert(name)
        }
        var position = course.position
        position.isIncomplete = !steps.stopped.isEmpty
        var all: [StreamCourse.Step] = []
        if position.isIncomplete, !course.position.isIncomplete {
            handle(try publisher.publish([], movingTo: position), database)
            all = course.published(position, now: Self.now)
        }
        return all + (try recompare(&course, &steps, database, publisher))
    }
}
