import Foundation
import MarqueeCatalogue
import MarqueeImport

/// A database's words about its transactions, as publications.
extension Follower {
    func follow(
        _ stream: PostgresStream, _ database: FollowedDatabase, _ publisher: SourcePublisher,
        from position: FollowedPosition
    ) throws {
        var course = StreamCourse(at: position, now: Self.now)
        var gathered = MessageSpool()
        var steps = RowSteps(database.tables, stopped: database.unusable)
        live = (stream, position.end, Self.now)
        func perform(_ all: [StreamCourse.Step]) throws {
            for step in all {
                switch step {
                case .gather(let bytes): try gathered.append(bytes)
                case .acknowledge(let end): try stream.acknowledge(end)
                case .publish(let end):
                    let new = try publish(
                        gathered, of: course.transactions, from: course.position, to: end, &steps, database, publisher)
                    gathered = MessageSpool()
                    live = (stream, new.end, Self.now)
                    try perform(course.published(new, now: Self.now))
                    try perform(try recompare(&course, &steps, database, publisher))
                }
            }
        }
        while isWanted() {
            var isPresent = false
            while isWanted(), let bytes = try stream.next() {
                isPresent = true
                try perform(try course.take(try StreamFrame(bytes), now: Self.now))
            }
            try perform(course.pause(now: Self.now))
            if Self.now >= reported + Self.reportMilliseconds { tell(publisher, lag: lag(course)) }
            if Self.now >= looked + Self.lookMilliseconds, !course.isBusy, course.position.until == nil {
                looked = Self.now
                try perform(try recheck(&course, &steps, database, publisher))
            }
            if !isPresent { stream.wait(milliseconds: Self.waitMilliseconds) }
        }
    }

    /// Publishes what was gathered, in pieces if it doesn't fit into one publication.
    private func publish(
        _ gathered: MessageSpool, of transactions: [UInt32], from start: FollowedPosition, to end: LogLocation,
        _ steps: inout RowSteps,
        _ database: FollowedDatabase, _ publisher: SourcePublisher
    ) throws -> FollowedPosition {
        var changes = FollowedChanges()
        var rows: UInt64 = 0
        var isInPieces = false
        var piece = start
        piece.until = end
        // Whether all that the transactions have changed can be seen, and whether rows were read since.
        var isSeen = false
        var isAhead = false
        func stop(_ tables: [String]) {
            for table in tables { steps.stop(table, database.unusable[table] ?? "") }
        }
        func publishPiece(before row: UInt64) throws {
            if !isInPieces { say("a transaction of \(gathered.count) messages is published in pieces") }
            isInPieces = true
            piece.rows = max(start.rows, row - 1)
            piece.isIncomplete = piece.isIncomplete || !steps.stopped.isEmpty
            stop(handle(try publisher.publish(changes.entries, movingTo: piece), database))
            changes = FollowedChanges()
        }
        try gathered.each { bytes in
            let message = try OutputMessage(bytes)
            let isOfRows = message.isOfRows
            if isOfRows { rows += 1 }
            let all = try steps.read(message)
            // These rows were in a piece that is committed already.
            if isOfRows, rows <= start.rows { return }
            var entries: [FollowedChanges.Entry] = []
            for step in all {
                let step = ahead.turned(step, at: start.end) { steps.table(of: $0)?.fullName }
                if step.readsDatabase, !isSeen {
                    try database.see(transactions, isWanted: isStillWanted)
                    isSeen = true
                }
                if case .readAgain = step { isAhead = true }
                entries += try self.entries(step, changes, &steps, database, publisher)
            }
            if changes.add(entries) { return }
            try publishPiece(before: rows)
            // A table that is emptied may have more records than a publication has room for.
            for entry in entries where !changes.add([entry]) {
                try publishPiece(before: rows)
                _ = changes.add([entry])
            }
        }
        var new = start
        (new.end, new.until, new.rows) = (end, nil, 0)
        new.isIncomplete = start.isIncomplete || !steps.stopped.isEmpty
        stop(handle(try publisher.publish(changes.entries, movingTo: new), database))
        new.isIncomplete = new.isIncomplete || !steps.stopped.isEmpty
        if isAhead { ahead.reaches(try database.seen()) }
        return new
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
