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
    /// Between two reports.
    static let reportMilliseconds: UInt64 = 10_000
    /// Between two looks at tables that have stopped, or may have to.
    static let lookMilliseconds: UInt64 = 5_000
    /// The longest that it waits for the database without looking around.
    static let waitMilliseconds: Int32 = 200
    /// How long a table rests whose rows the server refuses.
    static let restMilliseconds: UInt64 = 600_000

    let source: SourceFile
    let types: TypeSet
    private let target: SourceTarget
    let shouldContinue: () -> Bool
    let progress = ProgressLine()
    /// Rows that make no record, and tables that have stopped.
    var complaints = RowComplaints()
    private var failure: String?
    /// The tables as they could be followed last, by their full names.
    var known: [String: TableRecords] = [:]
    /// Tables whose rows have to be compared, by their full names.
    var changed: Set<String> = []
    /// Until when tables aren't tried again whose rows the server refuses, by their full names.
    var resting: [String: UInt64] = [:]
    var ahead = ReadAhead()
    var reported: UInt64 = 0
    var looked: UInt64 = 0
    /// Of the session that follows: what is acknowledged while a publication waits.
    var live: (stream: PostgresStream, end: LogLocation, told: UInt64)?
    /// A piece that is on its way, by the publisher on another thread.
    private(set) var aside: PieceAside?
    private var isAside = false
    /// Whether the slot's log can't be told, for it begins before the publication was made.
    private var isSlotOlder = false

    /// - Parameter shouldContinue: polled while waiting.
    init(_ source: SourceFile, types: TypeSet, to target: SourceTarget, shouldContinue: @escaping () -> Bool) {
        (self.source, self.types, self.target, self.shouldContinue) = (source, types, target, shouldContinue)
    }

    /// Follows until it is stopped. Whatever passes is waited for, with growing pauses.
    /// - Throws: what a person has to mend.
    func run() throws {
        try sessions.run {
            do {
                try session()
            } catch {
                progress.end()
                live = nil
                throw error
            }
            return false
        } failed: { error in
            guard let reason = Self.passing(error) else { throw error }
            if failure != reason { say("tries again: \(reason)") }
            failure = reason
        }
        live = nil
        say("stopped")
    }

    /// Why something didn't work that may work later; `nil` if it won't.
    static func passing(_ error: any Error) -> String? {
        switch error {
        case let error as ImportError where [.noInput, .unreadable].contains(error.code): error.message
        case let error as PublisherError where error.code != .denied && error.code != .refused: error.message
        case let error as PgOutputError: error.description
        default: nil
        }
    }

    func say(_ line: String) { Console.say("\(source.name): \(line)") }

    private var sessions: FollowSessions { FollowSessions(shouldContinue: shouldContinue) }

    /// Milliseconds of a steady clock.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }

    /// Called many times a second while the server has a publication: the database hears from us meanwhile.
    func isStillWanted() -> Bool {
        hold()
        return shouldContinue()
    }

    private func hold() {
        if let live, Self.now >= live.told + StreamCourse.statusMilliseconds {
            self.live?.told = Self.now
            try? live.stream.acknowledge(live.end)
        }
    }

    /// Publishes a piece while this thread goes on.
    func publishAside(
        _ piece: (entries: [FollowedChanges.Entry], position: FollowedPosition), _ publisher: SourcePublisher
    ) {
        isAside = true
        aside = PieceAside(piece.entries, movingTo: piece.position, by: publisher)
    }

    /// Waits for the piece that is on its way, if one is.
    func settled() throws -> SourcePublisher.Outcome? {
        guard let aside else { return nil }
        defer { (self.aside, isAside) = (nil, false) }
        return try aside.outcome(hold)
    }

    // MARK: - A session

    func publisher() -> SourcePublisher {
        SourcePublisher(
            source: source.name, types: types, server: target.server, tls: target.tls, token: target.token,
            shouldContinue: { [unowned self] in isAside ? shouldContinue() : isStillWanted() })
    }

    private func session() throws {
        let publisher = publisher()
        defer { publisher.close() }
        try publisher.ask()
        do { try session(publisher) } catch {
            if shouldContinue() { Self.report(error, to: publisher) }
            throw error
        }
    }

    private func session(_ publisher: SourcePublisher) throws {
        let database = try FollowedDatabase(source, types: types)
        try check(database, hasFollowed: publisher.position != nil)
        try sessions.waitForTurn(database.takeTurn) { say("stands by: another process has the database") }
        guard shouldContinue() else { return }
        // Another may have moved it meanwhile.
        try publisher.ask()
        let stream = try PostgresStream(database.url, shouldContinue: shouldContinue)
        let identity = try stream.identity()
        if let last = publisher.position.flatMap({ FollowedPosition($0) }), last.system == identity.system,
            last.timeline == identity.timeline, last.end <= identity.newest
        {
            keepLost(database)
        }
        for table in database.tables { know(table) }
        let start = FollowStart(
            stored: publisher.position, system: identity.system, timeline: identity.timeline, shape: database.shape,
            newest: identity.newest, slot: try slotState(database))
        let position: FollowedPosition
        switch start {
        case .follow(let found):
            position = try together(found, database)
        case .compare(let reason, let slot):
            say("compares all rows with the catalogue: \(reason)")
            if slot == .remake { try stream.dropSlot(source.slot) }
            isSlotOlder = false
            let end = if case .use(let confirmed) = slot { confirmed } else { try stream.makeSlot(source.slot) }
            var found = FollowedPosition(
                system: identity.system, timeline: identity.timeline, shape: database.shape, end: end)
            position = try compare(database.tables, database, publisher) {
                try database.settle(shouldContinue: shouldContinue)
                found.until = try database.newest()
                found.isIncomplete = !database.unusable.isEmpty
                return found
            }
        }
        try stream.start(slot: source.slot, publication: source.publication, from: position.end)
        say("follows \(database.tables.map(\.name).joined(separator: ", ")) from \(position.end)")
        failure = nil
        ahead = ReadAhead()
        do { try follow(stream, database, publisher, from: position) } catch {
            if stream.lacksPublication { isSlotOlder = true }
            throw error
        }
    }

    private func slotState(_ database: FollowedDatabase) throws(ImportError) -> FollowStart.SlotState {
        let state = try database.slotState()
        if case .there = state, isSlotOlder { return .older }
        return state
    }

    /// The most bytes of log that are published together when a source goes on.
    private static let togetherBytes: UInt64 = 64 << 20

    /// Goes on with everything that has happened meanwhile at once: before it was interrupted, it may have published
    /// rows as they were later than its position says.
    private func together(
        _ position: FollowedPosition, _ database: FollowedDatabase
    ) throws(ImportError) -> FollowedPosition {
        guard position.until == nil else { return position }
        try database.settle(shouldContinue: shouldContinue)
        let newest = try database.newest()
        guard newest > position.end, newest.bytes - position.end.bytes <= Self.togetherBytes else { return position }
        var position = position
        position.until = newest
        return position
    }

    // MARK: - Telling

    /// A row makes no record.
    func complain(_ reason: String, of table: String, _ id: RecordID?) {
        if complaints.text == nil { reported = 0 }
        for line in complaints.hear(reason, of: table, id, now: Self.now) { say(line) }
    }

    /// A table can't be followed any more.
    func complain(stopped table: String, _ reason: String) {
        guard complaints.stop(table, reason) else { return }
        say("\(table) has stopped: \(reason)")
        reported = 0
    }

    /// How far the catalogue is behind, in milliseconds; 0 when nothing is on its way.
    func lag(_ course: StreamCourse) -> UInt64 {
        guard course.isBusy, let time = course.lastTime else { return 0 }
        let made = PostgresStream.secondsSince1970(time)
        return UInt64(max(0, (Date().timeIntervalSince1970 - made) * 1_000))
    }

    func tell(_ publisher: SourcePublisher, lag: UInt64? = nil) {
        let stopped = complaints.stopped.count
        report(publisher, stopped == 0 ? "follows" : "follows, without \(counted(stopped, "table"))", lag: lag)
    }

    /// Tells the server how the source is doing. If it doesn't listen, the next publication finds out.
    func report(_ publisher: SourcePublisher, _ state: String, lag: UInt64?) {
        reported = Self.now
        try? publisher.report(
            SourceReport(
                state: Self.cut(state), error: complaints.text.map(Self.cut), lagMilliseconds: lag))
    }

    /// Tells the server, where people look, why a session has ended.
    static func report(_ error: any Error, to publisher: SourcePublisher) {
        guard let text = (error as? ImportError)?.message ?? (error as? CommandFailure)?.message else { return }
        let state = passing(error) == nil ? "has ended" : "waits for the database"
        try? publisher.report(SourceReport(state: state, error: cut(text)))
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
