import Foundation
import MarqueeCatalogue
import MarqueeImport

/// A database's words about its transactions, as publications.
extension Follower {
    /// Messages with so many bytes aren't kept until more arrive, but read: while a database sends the rest of a large
    /// transaction, its beginning is published.
    static let waitingBytes = 256 << 10

    func follow(
        _ stream: PostgresStream, _ database: FollowedDatabase, _ publisher: SourcePublisher,
        from position: FollowedPosition
    ) throws {
        var course = StreamCourse(at: position, now: Self.now)
        var gathered = GatheredChanges(from: position)
        var steps = RowSteps(database.tables, stopped: database.unusable)
        live = (stream, position.end, Self.now)
        defer { _ = try? settled() }
        func perform(_ all: [StreamCourse.Step]) throws {
            for step in all {
                switch step {
                case .gather(let bytes):
                    gathered.wait(bytes)
                    guard gathered.waitingBytes >= Self.waitingBytes else { continue }
                    try read(&gathered, course, &steps, database, publisher)
                case .acknowledge(let end): try stream.acknowledge(end)
                case .publish(let end):
                    try read(&gathered, course, &steps, database, publisher)
                    try settle(&gathered, &steps, database)
                    let new = try publish(gathered, to: end, &steps, database, publisher)
                    live = (stream, new.end, Self.now)
                    try perform(course.published(new, now: Self.now))
                    try perform(try recompare(&course, &steps, database, publisher))
                    gathered = GatheredChanges(from: course.position)
                }
            }
        }
        while shouldContinue() {
            var isPresent = false
            while shouldContinue(), let bytes = try stream.next() {
                isPresent = true
                try perform(try course.take(try StreamFrame(bytes), now: Self.now))
            }
            try perform(course.pause(now: Self.now))
            if aside == nil, Self.now >= reported + Self.reportMilliseconds { tell(publisher, lag: lag(course)) }
            if Self.now >= looked + Self.lookMilliseconds, !course.isBusy, course.position.until == nil {
                looked = Self.now
                try perform(try recheck(&course, &steps, database, publisher))
                gathered.start = course.position
            }
            if !isPresent { stream.wait(milliseconds: Self.waitMilliseconds) }
        }
    }

    /// Reads the messages that wait, and publishes a piece whenever there is more than fits into one publication.
    private func read(
        _ gathered: inout GatheredChanges, _ course: StreamCourse, _ steps: inout RowSteps,
        _ database: FollowedDatabase, _ publisher: SourcePublisher
    ) throws {
        let start = gathered.start
        // Whether all that the transactions have changed can be seen.
        var isSeen = false
        func publishPiece() throws {
            if !gathered.isInPieces { say("a transaction is published in pieces") }
            try settle(&gathered, &steps, database)
            // The next piece mustn't have an older state of these rows.
            if gathered.isAhead { ahead.reaches(try database.seen()) }
            if Self.now >= reported + Self.reportMilliseconds { tell(publisher, lag: lag(course)) }
            publishAside(
                gathered.takePiece(until: course.goal, isIncomplete: !steps.stopped.isEmpty), publisher)
        }
        for bytes in gathered.takeWaiting() {
            let message = try PgOutputMessage(bytes)
            if message.isOfRows { gathered.rows += 1 }
            let all = try steps.read(message)
            // These rows were in a piece that is committed already.
            if message.isOfRows, gathered.rows <= start.rows { continue }
            var entries: [FollowedChanges.Entry] = []
            for step in all {
                let step = ahead.turned(step, at: start.end) { steps.table(of: $0)?.fullName }
                if step.readsDatabase, !isSeen {
                    try database.see(course.transactions, shouldContinue: isStillWanted)
                    isSeen = true
                }
                if case .readAgain = step { gathered.isAhead = true }
                if case .clear = step { try settle(&gathered, &steps, database) }
                entries += try self.entries(step, gathered.changes, &steps, database, publisher)
            }
            if gathered.changes.add(entries) { continue }
            try publishPiece()
            // A table that is emptied may have more records than a publication has room for.
            for entry in entries where !gathered.changes.add([entry]) {
                try publishPiece()
                _ = gathered.changes.add([entry])
            }
        }
    }

    /// Publishes what was gathered, or the last piece of it.
    private func publish(
        _ gathered: GatheredChanges, to end: LogLocation, _ steps: inout RowSteps, _ database: FollowedDatabase,
        _ publisher: SourcePublisher
    ) throws -> FollowedPosition {
        var new = gathered.start
        (new.end, new.until, new.rows) = (end, nil, 0)
        new.isIncomplete = new.isIncomplete || gathered.isIncomplete || !steps.stopped.isEmpty
        stop(handle(try publisher.publish(gathered.changes.entries, movingTo: new), database), &steps, database)
        new.isIncomplete = new.isIncomplete || !steps.stopped.isEmpty
        if gathered.isAhead { ahead.reaches(try database.seen()) }
        return new
    }

    /// Waits for the piece that is on its way. Of tables that stop with it, nothing is in the next one.
    private func settle(
        _ gathered: inout GatheredChanges, _ steps: inout RowSteps, _ database: FollowedDatabase
    ) throws {
        guard let outcome = try settled() else { return }
        stop(handle(outcome, database), &steps, database)
        gathered.changes.leaveOut(Set(outcome.stopped.keys))
    }

    private func stop(_ tables: [String], _ steps: inout RowSteps, _ database: FollowedDatabase) {
        for table in tables { steps.stop(table, database.unusable[table] ?? "") }
    }

    /// The changes that a step amounts to.
    private func entries(
        _ step: RowStep, _ earlier: FollowedChanges, _ steps: inout RowSteps, _ database: FollowedDatabase,
        _ publisher: SourcePublisher
    ) throws -> [FollowedChanges.Entry] {
        func entry(_ id: RecordID, _ bytes: [UInt8]?) -> [FollowedChanges.Entry] {
            switch FollowedChanges.entry(id, bytes) {
            case .success(let entry):
                complaints.mended(id)
                return [entry]
            case .failure(let refusal):
                complain(refusal.reason, of: id.type, id)
                return []
            }
        }
        func found(_ name: String) -> TableRecords? { database.tables.first { $0.fullName == name } }
        switch step {
        case .put(let id, let bytes): return entry(id, bytes)
        case .remove(let id): return entry(id, nil)
        case .readAgain(let name, let id, let key):
            guard let table = found(name) else { return [] }
            let row: FollowedDatabase.Row?
            do { row = try database.read(table, key: key) } catch {
                // Perhaps its columns aren't what they were.
                try look(at: name, &steps, database)
                if steps.stopped[name] != nil { return [] }
                throw error
            }
            switch row {
            case nil: return entry(id, nil)
            case .record(let own, let bytes)?: return entry(RecordID(type: table.type, id: own), bytes)
            case .bad(_, let reason)?:
                complain(reason, of: table.name, id)
                return []
            }
        case .clear(let name):
            guard let table = found(name) else { return [] }
            var ids = Set(earlier.ids.filter { $0.type == table.type }.map(\.id))
            try publisher.records(ofType: table.type) { held, _ in ids.formUnion(held) }
            complaints.forget(table.type)
            return ids.sorted().flatMap { entry(RecordID(type: table.type, id: $0), nil) }
        case .bad(let name, let id, let reason):
            complain(reason, of: name, id.flatMap { id in found(name).map { RecordID(type: $0.type, id: id) } })
            return []
        case .stop(let name, let reason):
            database.leaveOut(name, reason)
            complain(stopped: name, reason)
            return []
        case .look(let name):
            try look(at: name, &steps, database)
            return []
        }
    }
}
