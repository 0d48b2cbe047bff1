import MarqueeModel
import MarqueeScreens
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct PublicationBacklogTests {
    private func publication(_ revision: UInt64, user: String? = nil) -> Publication {
        let current = CurrentVersion(
            version: .empty, since: CutChange(catalogueRevision: revision), content: revision % 9)
        return Publication(
            catalogueRevision: revision, users: user.map { [$0: revision] } ?? [:], changes: [revision % 9: current],
            gone: [revision % 5], ended: [revision % 3])
    }

    @Test func `Waiting publications are bounded in number, and together they have the newest state`() {
        var backlog = PublicationBacklog()
        for revision in 1...1_000 as ClosedRange<UInt64> {
            backlog.append(publication(revision, user: revision.isMultiple(of: 2) ? "user \(revision % 7)" : nil))
        }
        let waiting = backlog.take()
        #expect(waiting.count == PublicationBacklog.separate)
        #expect(backlog.isEmpty)
        #expect(waiting.map(\.catalogueRevision).dropLast() == Array(1...63)[...])
        let last = waiting[63]
        #expect(last.catalogueRevision == 1_000 && !last.isOnlyTheirs)
        #expect(last.users.values.sorted() == [988, 990, 992, 994, 996, 998, 1_000])
        #expect(
            last.changes.mapValues(\.since.catalogueRevision).values.compactMap(\.self).sorted() == Array(992...1_000))
        #expect(last.gone.sorted() == [0, 1, 2, 3, 4], "each is named once")
        #expect(last.ended == [0, 1, 2])
    }

    @Test func `Publications about users affect only these users, even when merged`() {
        var backlog = PublicationBacklog()
        for revision in 1...100 as ClosedRange<UInt64> {
            backlog.append(publication(revision, user: "user \(revision)"))
        }
        let areOnlyTheirs = backlog.waiting.allSatisfy(\.isOnlyTheirs)
        #expect(areOnlyTheirs)
        #expect(backlog.waiting.last?.users.count == 37)
    }

    @Test func `The end of the logs replaces everything before it, and isn't lost in later publications`() {
        var backlog = PublicationBacklog()
        for revision in 1...100 as ClosedRange<UInt64> { backlog.append(publication(revision)) }
        backlog.append(Publication(end: Status(.unavailable, reason: "EPOCH_CHANGED", remedy: .retrySame, message: "")))
        for revision in 1...100 as ClosedRange<UInt64> { backlog.append(publication(revision)) }
        #expect(backlog.waiting.count == PublicationBacklog.separate)
        #expect(backlog.waiting.map { $0.end?.reason } == ["EPOCH_CHANGED"] + Array(repeating: nil, count: 63))
    }

    @Test func `A loop whose members are slow holds a bounded number of publications`() {
        var session = TestSession.live()
        session.showHome()
        session.leaveCohort()
        let visits = session.sessions.counters.visits
        for revision in 11...1_000 as ClosedRange<UInt64> { session.sessions.published(publication(revision)) }
        session.deliver()
        #expect(session.sessions.counters.visits - visits == UInt64(PublicationBacklog.separate))
        #expect(session.core.newest.catalogueRevision == 1_000)
    }
}
