import Foundation
import MarqueeImport
import MarqueePublisher
import MarqueeStore
import MarqueeTypes
import MarqueeWire

/// Publishes what applications write into an outbox, and empties it, until it is stopped. One thread does everything.
///
/// A publication's rows are claimed first, the claim is committed with their changes, and then the rows are deleted. So
/// whatever is killed, each row is published once: see `OutboxPosition`.
final class OutboxFollower {
    /// The longest between two looks where the database doesn't notify.
    private static let deafMilliseconds: UInt64 = 1_000

    private let source: SourceFile
    private let feed: OutboxFeed
    private let types: TypeSet
    private let target: SourceTarget
    private let shouldContinue: () -> Bool
    private var complaints = RowComplaints()
    private var failure: String?
    private var reported: UInt64 = 0
    /// Whether this session has published the types.
    private var hasTypes = false

    /// - Parameter shouldContinue: polled while waiting.
    init(
        _ source: SourceFile, _ feed: OutboxFeed, types: TypeSet, to target: SourceTarget,
        shouldContinue: @escaping () -> Bool
    ) {
        (self.source, self.feed, self.types, self.target) = (source, feed, types, target)
        self.shouldContinue = shouldContinue
    }

    /// Follows until it is stopped. Whatever passes is waited for, with growing pauses.
    /// - Throws: what a person has to mend.
    func run() throws {
        try sessions.run {
            try session()
            return false
        } failed: { error in
            guard let reason = Follower.passing(error) else { throw error }
            if failure != reason { say("tries again: \(reason)") }
            failure = reason
        }
        say("stopped")
    }

    private var sessions: FollowSessions { FollowSessions(shouldContinue: shouldContinue) }

    private func say(_ line: String) { Console.say("\(source.name): \(line)") }

    private func session() throws {
        let publisher = SourcePublisher(
            source: source.name, types: types, server: target.server, tls: target.tls, token: target.token,
            shouldContinue: shouldContinue)
        defer { publisher.close() }
        try publisher.ask()
        do { try session(publisher) } catch {
            if shouldContinue() { Follower.report(error, to: publisher) }
            throw error
        }
    }

    private func session(_ publisher: SourcePublisher) throws {
        let table = try OutboxTable(feed)
        let needs = try table.missing().filter { $0.table == nil }
        guard needs.isEmpty else { throw CommandFailure(needs, source) }
        try sessions.waitForTurn(table.takeTurn) { say("stands by: another process has the outbox") }
        guard shouldContinue() else { return }
        // Another may have moved it meanwhile.
        try publisher.ask()
        let deaf = table.listen()
        if let deaf { say("looks at least once a second, as the database doesn't notify: \(deaf)") }
        let position = try settle(table, publisher)
        say("follows \(feed.fullName)")
        (failure, hasTypes) = (nil, false)
        report(table, publisher)
        let interval = deaf == nil ? source.interval : min(source.interval, Self.deafMilliseconds)
        try follow(table, publisher, from: position, look: interval)
    }

    /// Finds out which of the rows are published already, and deletes these.
    private func settle(_ table: OutboxTable, _ publisher: SourcePublisher) throws -> OutboxPosition {
        let (system, timeline) = try table.identity()
        let start = OutboxStart(stored: publisher.position, system: system, timeline: timeline)
        if let published = start.published { try table.remove(claim: published, shouldContinue: shouldContinue) }
        if let warning = start.warning {
            say("\(warning): what \(feed.fullName) has is published, even if some of it was before")
        }
        let position = OutboxPosition(system: system, timeline: timeline)
        if try start.warning != nil || table.hasClaims() {
            // A publication that another process has begun may still be committed. After this move it can't be.
            try publisher.attempt([], movingTo: position.description)
            try table.release()
        }
        return position
    }

    private func follow(
        _ table: OutboxTable, _ publisher: SourcePublisher, from position: OutboxPosition, look: UInt64
    ) throws {
        var course = OutboxCourse()
        var position = position
        while shouldContinue() {
            if Follower.now >= reported + Follower.reportMilliseconds { report(table, publisher) }
            switch course.next() {
            case .lookForRows:
                try table.takeNotifications()
                let (places, isAll) = try table.order()
                if places.isEmpty { try wait(for: table, publisher, until: Follower.now + look) }
                course.found(places, isAll: isAll)
            case .read(let ids): course.read(try table.read(ids))
            case .setAside(let id, let reason):
                try table.setAside(id, reason)
                complain(reason, of: id)
            case .publish(let publication):
                if publication.isPiece { say("a transaction is published in pieces") }
                position = position.next
                try publish(publication, at: position, &course, table, publisher)
            }
        }
    }

    private func publish(
        _ publication: OutboxCourse.Publication, at position: OutboxPosition, _ course: inout OutboxCourse,
        _ table: OutboxTable, _ publisher: SourcePublisher
    ) throws {
        try table.claim(publication.ids, position.claim)
        do throws(PublisherError) {
            try publisher.attempt(publication.documents, movingTo: position.description)
        } catch {
            if error.change?.reason == CommitPlan.noTypes, !hasTypes {
                hasTypes = true
                try publisher.publishTypes()
            } else if let change = error.change {
                course.refused(change.index, change.reason)
            } else if error.code == .refused || error.code == .denied {
                // An empty publication fails, too, if the token is at fault and no row.
                try publisher.attempt([], movingTo: nil)
                course.refused(nil, error.message)
            } else {
                throw error
            }
            // It isn't committed.
            try table.release(publication.ids)
            return
        }
        course.published()
        try table.remove(publication.ids)
    }

    /// Waits for a notification, while the server hears from us.
    private func wait(for table: OutboxTable, _ publisher: SourcePublisher, until time: UInt64) throws {
        while shouldContinue(), Follower.now < time {
            if try table.wait(milliseconds: Follower.waitMilliseconds) { return }
            if Follower.now >= reported + Follower.reportMilliseconds { report(table, publisher) }
        }
    }

    private func complain(_ reason: String, of id: Int64) {
        let lines = complaints.hear("refused: \(reason)", of: "\(feed.table), row \(id)", nil, now: Follower.now)
        for line in lines { say(line) }
        if !lines.isEmpty { reported = 0 }
    }

    /// Tells the server how the source is doing. If it doesn't listen, the next publication finds out.
    private func report(_ table: OutboxTable, _ publisher: SourcePublisher) {
        reported = Follower.now
        guard let state = try? table.state() else { return }
        try? publisher.report(
            SourceReport(
                state: "follows", error: state.error(of: feed.fullName).map(Follower.cut),
                lagMilliseconds: state.waiting ?? 0))
    }
}
