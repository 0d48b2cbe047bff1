import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeTLS
import MarqueeTypes
import MarqueeWire

/// The server that a source publishes to.
struct SourceTarget {
    var server: ListenAddress
    /// `nil` for plain TCP.
    var tls: TLSClient?
    var token: String?
}

/// Follows a database, and publishes what happens in it, until it is stopped. One thread does everything.
final class Follower {
    private static let pauses = Duration.milliseconds(250)...Duration.seconds(10)
    /// Between two attempts to become the one that follows, and two reports.
    private static let standbyMilliseconds = 1_000
    static let reportMilliseconds: UInt64 = 10_000
    /// The longest that it waits for the database without looking around.
    private static let waitMilliseconds: Int32 = 200

    let source: SourceFile
    let types: TypeSet
    private let target: SourceTarget
    private let isWanted: () -> Bool
    let progress = ProgressLine()
    /// Rows that make no record, and why the last one doesn't; tables that have stopped.
    private var bad: (count: Int, reason: String)?
    private var failure: String?
    /// A stopped table that can be followed again.
    private var resumed: String?
    private var reported: UInt64 = 0
    /// Of the session that follows: what is acknowledged while a publication waits.
    private var live: (stream: PostgresStream, end: LogLocation, told: UInt64)?

    /// - Parameter isWanted: polled while waiting.
    init(_ source: SourceFile, types: TypeSet, to target: SourceTarget, isWanted: @escaping () -> Bool) {
        (self.source, self.types, self.target, self.isWanted) = (source, types, target, isWanted)
    }

    /// Follows until it is stopped. Whatever passes is waited for, with growing pauses.
    /// - Throws: what a person has to mend.
    func run() throws {
        var backoff = Backoff(bounds: Self.pauses)
        while isWanted() {
            let began = ContinuousClock.now
            do {
                try session()
            } catch {
                progress.end()
                live = nil
                guard isWanted() else { break }
                guard let reason = Self.passing(error) else { throw error }
                if failure != reason { say("tries again: \(reason)") }
                failure = reason
                backoff.ended(after: began.duration(to: .now))
                rest(backoff.next(fraction: .random(in: 0.5..<1)))
            }
        }
        live = nil
        say("stopped")
    }

    /// Why something didn't work that may work later; `nil` if it won't.
    private static func passing(_ error: any Error) -> String? {
        switch error {
        case let error as ImportError where [.noInput, .unreadable].contains(error.code): error.message
        case let error as PublisherError where error.code != .denied && error.code != .refused: error.message
        case let error as OutputError: error.description
        case let error as Resumed: "\(error.table) can be followed again"
        default: nil
        }
    }

    /// The session ends, and the next one compares.
    private struct Resumed: Error {
        var table: String
    }

    func say(_ line: String) { Console.say("\(source.name): \(line)") }

    private func rest(_ duration: Duration) {
        let end = ContinuousClock.now + duration
        while isWanted(), ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.02) }
    }

    /// Milliseconds of a steady clock.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }

    /// Called many times a second while the server has a publication: the database hears from us meanwhile.
    private func isStillWanted() -> Bool {
        if let live, Self.now >= live.told + StreamCourse.statusMilliseconds {
            self.live?.told = Self.now
            try? live.stream.acknowledge(live.end)
        }
        return isWanted()
    }

    // MARK: - A session

    func publisher() -> SourcePublisher {
        SourcePublisher(
            source: source.name, types: types, server: target.server, tls: target.tls, token: target.token,
            isWanted: { [unowned self] in isStillWanted() })
    }

    private func session() throws {
        let publisher = publisher()
        defer { publisher.close() }
        try publisher.ask()
        let database = try FollowedDatabase(source, types: types)
        let needs = try database.missing()
        guard needs.isEmpty else { throw CommandFailure(needs, source) }
        for reason in database.unusable { note(bad: "not followed: \(reason)") }
        try waitForTurn(database)
        guard isWanted() else { return }
        // Another may have moved it meanwhile.
        try publisher.ask()
        let stream = try PostgresStream(database.url, isWanted: isWanted)
        let identity = try stream.identity()
        let start = FollowStart(
            stored: publisher.position, system: identity.system, timeline: identity.timeline, shape: database.shape,
            newest: identity.newest, slot: try database.slotState())
        let position: FollowedPosition
        switch start {
        case .follow(let found):
            position = found
        case .compare(let reason, let slot):
            say("compares all rows with the catalogue: \(reason)")
            if slot == .remake { try stream.dropSlot(source.slot) }
            let end = if case .use(let confirmed) = slot { confirmed } else { try stream.makeSlot(source.slot) }
            var found = FollowedPosition(
                system: identity.system, timeline: identity.timeline, shape: database.shape, end: end)
            found.isIncomplete = !database.unusable.isEmpty
            try compare(database, publisher) {
                found.until = try database.newest()
                return found
            }
            position = found
        }
        try stream.start(slot: source.slot, publication: source.publication, from: position.end)
        say("follows \(database.tables.map(\.name).joined(separator: ", ")) from \(position.end)")
        failure = nil
        try follow(stream, database, publisher, from: position)
    }

    private func waitForTurn(_ database: FollowedDatabase) throws {
        var isWaiting = false
        while isWanted(), try !database.takeTurn() {
            if !isWaiting { say("stands by: another process has the database") }
            isWaiting = true
            rest(.milliseconds(Self.standbyMilliseconds))
        }
    }

    // MARK: - Comparing

    /// Publishes the differences between the tables and the catalogue, and then where the source is.
    /// - Parameter position: called once all rows have been read.
    private func compare(
        _ database: FollowedDatabase, _ publisher: SourcePublisher, position: () throws -> FollowedPosition
    ) throws {
        var changes = FollowedChanges()
        func add(_ id: RecordID, _ bytes: [UInt8]?) throws {
            switch FollowedChanges.entry(id, bytes) {
            case .failure(let refusal): note(bad: refusal.reason)
            case .success(let entry):
                if changes.add([entry]) { return }
                try publisher.publish(changes.documents, movingTo: nil)
                changes = FollowedChanges()
                _ = changes.add([entry])
            }
        }
        for table in database.tables {
            let comparison = try compare(table, database, publisher, tells: true) { try add($0, $1) }
            say(Self.words(comparison, table))
            if let reason = comparison.badReason { note(bad: "\(table.name): \(reason)") }
        }
        try publisher.publish(changes.documents, movingTo: try position().description)
        tell(publisher)
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
            if let record = comparison.meet(row) {
                try differs(RecordID(type: table.type, id: record.id), record.bytes)
            }
            guard comparison.rows.isMultiple(of: 1_000) else { return }
            guard isWanted() else { throw Interruption.Ended() }
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

    // MARK: - Following

    private func follow(
        _ stream: PostgresStream, _ database: FollowedDatabase, _ publisher: SourcePublisher,
        from position: FollowedPosition
    ) throws {
        var course = StreamCourse(at: position, now: Self.now)
        var gathered = MessageSpool()
        var steps = RowSteps(database.tables)
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
                    if let name = resumed.take() { throw Resumed(table: name) }
                }
            }
        }
        while isWanted() {
            var isThere = false
            while isWanted(), let bytes = try stream.next() {
                isThere = true
                try perform(try course.take(try StreamFrame(bytes), now: Self.now))
            }
            try perform(course.pause(now: Self.now))
            if Self.now >= reported + Self.reportMilliseconds { tell(publisher, lag: lag(course)) }
            if !isThere { stream.wait(milliseconds: Self.waitMilliseconds) }
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
        var isSeen = false
        func publishPiece(before row: UInt64) throws {
            if !isInPieces { say("a transaction of \(gathered.count) messages is published in pieces") }
            isInPieces = true
            piece.rows = max(start.rows, row - 1)
            try publisher.publish(changes.documents, movingTo: piece.description)
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
                if case .readAgain = step, !isSeen {
                    try database.see(transactions, isWanted: isStillWanted)
                    isSeen = true
                }
                entries += try self.entries(step, changes, database, publisher)
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
        try publisher.publish(changes.documents, movingTo: new.description)
        if let (count, reason) = publisher.takeRefused() { note(bad: reason, count: count) }
        return new
    }

    /// The changes that a step amounts to.
    private func entries(
        _ step: RowStep, _ earlier: FollowedChanges, _ database: FollowedDatabase, _ publisher: SourcePublisher
    ) throws -> [FollowedChanges.Entry] {
        func entry(_ id: RecordID, _ bytes: [UInt8]?) -> [FollowedChanges.Entry] {
            switch FollowedChanges.entry(id, bytes) {
            case .success(let entry): return [entry]
            case .failure(let refusal):
                note(bad: "\(id.subject): \(refusal.reason)")
                return []
            }
        }
        func found(_ name: String) -> TableRecords? { database.tables.first { $0.fullName == name } }
        switch step {
        case .put(let id, let bytes): return entry(id, bytes)
        case .remove(let id): return entry(id, nil)
        case .readAgain(let name, let id, let key):
            guard let table = found(name) else { return [] }
            switch try database.read(table, key: key) {
            case nil: return entry(id, nil)
            case .record(let own, let bytes)?: return entry(RecordID(type: table.type, id: own), bytes)
            case .bad(_, let reason)?:
                note(bad: "\(table.name): \(reason)")
                return []
            }
        case .clear(let name):
            guard let table = found(name) else { return [] }
            var ids = Set(earlier.ids.filter { $0.type == table.type }.map(\.id))
            try publisher.records(ofType: table.type) { held, _ in ids.formUnion(held) }
            return ids.sorted().flatMap { entry(RecordID(type: table.type, id: $0), nil) }
        case .bad(let name, let reason):
            note(bad: "\(name): \(reason)")
            return []
        case .stop(let name, let reason):
            note(bad: "\(name) has stopped: \(reason)")
            return []
        case .resume(let name):
            resumed = name
            return []
        }
    }

    // MARK: - Telling

    private func note(bad reason: String, count: Int = 1) {
        if bad?.reason != reason { say(reason) }
        bad = ((bad?.count ?? 0) + count, reason)
    }

    /// How far the catalogue is behind, in milliseconds; 0 when nothing is on its way.
    private func lag(_ course: StreamCourse) -> UInt64 {
        guard course.isBusy, let time = course.lastTime else { return 0 }
        let made = PostgresStream.secondsSince1970(time)
        return UInt64(max(0, (Date().timeIntervalSince1970 - made) * 1_000))
    }

    private func tell(_ publisher: SourcePublisher, lag: UInt64? = nil) { report(publisher, "follows", lag: lag) }

    /// Tells the server how the source is doing. If it doesn't listen, the next publication finds out.
    func report(_ publisher: SourcePublisher, _ state: String, lag: UInt64?) {
        reported = Self.now
        let error = bad.map { "\($0.reason) (\(counted($0.count, "row")) so far)" }
        try? publisher.report(
            SourceReport(
                state: Self.cut(state), error: error.map(Self.cut), lagMilliseconds: lag))
    }

    static func cut(_ text: String) -> String {
        var text = text
        while text.utf8.count > SourceReport.textBytes { text.removeLast() }
        return text
    }
}

extension CommandFailure {
    /// The changes that an administrator has to make first.
    init(_ needs: [FollowNeed], _ source: SourceFile) {
        self.init(
            .noPermission,
            "\(source.name) can't be followed yet; an administrator of the database has to run the above",
            details: needs.flatMap { ["-- \($0.problem)"] + ($0.sql.map { [$0] } ?? []) })
    }
}
