import Foundation
import MarqueeDiff
import MarqueeModel
import Testing

@testable import MarqueeMirror

/// Two mirrors on one file, as an app and its widget have them. They are in one process here, which SQLite and the gate
/// treat like two.
@Suite("Companions")
struct CompanionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func openOwner(user: String? = "mina") throws -> Mirror {
        let mirror = try openMirror(.file(folder.mirror))
        try mirror.bind(cluster: "c", user: user)
        return mirror
    }

    private func openCompanion() throws(MirrorError) -> Mirror { try Mirror(besideOwnerAt: folder.mirror) }

    private func code(of body: () throws -> Void) -> MirrorError.Code? {
        #expect(throws: MirrorError.self) { try body() }?.code
    }

    private func content(_ mirror: Mirror) throws -> [String] {
        try mirror.outbox().map { "\($0.on ? "+" : "-")\($0.subject)" }
    }

    @Test func `It reads what is stored, follows it, and says when there is nothing new`() throws {
        let owner = try openOwner()
        try owner.commitRank(base: nil, target: version([item(1)]))
        let companion = try openCompanion()
        #expect(companion.isCompanion && companion.isShared && !owner.isCompanion)
        #expect(companion.identity == owner.identity)
        #expect(try companion.view(home)?.sections["rank"]?.items.map(\.id) == ["m1"])
        #expect(try companion.hasChangedElsewhere(), "at the first look")
        #expect(try !companion.hasChangedElsewhere())
        try owner.commitRank(base: version([item(1)]), target: version([item(1), item(2)]), at: 2)
        #expect(try companion.hasChangedElsewhere())
        #expect(try companion.view(home)?.sections["rank"]?.items.map(\.id) == ["m1", "m2"])
        #expect(companion.seen == cut(2))
        #expect(try !companion.hasChangedElsewhere())
    }

    @Test func `What it sets is in its outbox at once, and in the owner's once the owner looks`() throws {
        let owner = try openOwner()
        let companion = try openCompanion()
        #expect(try owner.hasChangedElsewhere() && !owner.hasChangedElsewhere())
        let first = try companion.setMember("movie/1", of: .favorites, on: true, value: nil, at: 5)
        let second = try companion.setMember("e/1", of: "progress", on: true, value: 7, at: 6)
        #expect(first.number > MirrorLimit.mutationNumber && second.number > first.number)
        #expect(try companion.outbox() == [first, second])
        #expect(try owner.hasChangedElsewhere())
        let taken = try owner.takeInbox()
        #expect(taken.map(\.number) == [1, 2])
        #expect(taken.map(\.subject) == ["movie/1", "e/1"] && taken.last?.value == 7 && taken.last?.createdAt == 6)
        #expect(try owner.outbox() == taken)
        #expect(try companion.outbox() == taken)
        #expect(try owner.takeInbox().isEmpty)
    }

    @Test func `Without an owner it stores changes too; the next owner takes them in their order`() throws {
        try openOwner().close()
        for (number, on) in [(1, true), (2, true), (1, false)] {
            let companion = try openCompanion()
            _ = try companion.setMember("movie/\(number)", of: .favorites, on: on, value: nil, at: 1)
            companion.close()
        }
        let owner = try openMirror(.file(folder.mirror))
        #expect(
            try owner.takeInbox().map { "\($0.number) \($0.on ? "+" : "-")\($0.subject)" } == [
                "1 +movie/2", "2 -movie/1",
            ])
    }

    @Test func `Its change replaces an unsent one of the owner, and goes behind a sent one`() throws {
        let owner = try openOwner()
        let companion = try openCompanion()
        for number in 1...2 { _ = try owner.setFavorite(subject: "movie/\(number)", on: true, at: 1) }
        try owner.markSent([1])
        for number in 1...2 {
            _ = try companion.setMember("movie/\(number)", of: .favorites, on: false, value: nil, at: 2)
        }
        #expect(try content(companion) == ["+movie/1", "+movie/2", "-movie/1", "-movie/2"])
        _ = try owner.takeInbox()
        #expect(try content(owner) == ["+movie/1", "-movie/1", "-movie/2"])
    }

    @Test func `Only changes of collections can be written, and nothing is created`() throws {
        #expect(code { _ = try openCompanion() } == MirrorError.Code.none)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/state"))
        let fresh = try openMirror(.file(folder.mirror))
        #expect(code { _ = try openCompanion() } == MirrorError.Code.none, "it has never been connected to a server")
        try fresh.bind(cluster: "c", user: "mina")
        let companion = try openCompanion()
        #expect(code { try companion.commitRank(base: nil, target: version([item(1)])) } == .io)
        #expect(code { try companion.forgetRejections() } == .io)
        #expect(try fresh.views().isEmpty)
        companion.close()
        #expect(code { _ = try companion.setMember("m", of: .favorites, on: true, value: nil, at: 1) } == .closed)
    }

    @Test func `The inbox is bounded, and a full outbox leaves the rest in it`() throws {
        let owner = try openOwner()
        let companion = try openCompanion()
        try owner.write(.later) { db in
            for number in 1..<MirrorLimit.inboxEntries {
                try InboxTable.insert(
                    OutboxEntry(
                        number: InboxTable.firstNumber + UInt64(number), subject: "movie/\(number)", on: true,
                        createdAt: 1), db)
            }
        }
        _ = try companion.setMember("movie/\(MirrorLimit.inboxEntries)", of: .favorites, on: true, value: nil, at: 1)
        #expect(code { _ = try companion.setMember("movie/0", of: .favorites, on: true, value: nil, at: 1) } == .limit)
        // Changing one that waits needs no more room.
        _ = try companion.setMember("movie/1", of: .favorites, on: false, value: nil, at: 1)
        let room = 3
        try owner.write(.later) { db in
            for number in 1...MirrorLimit.outboxEntries - room {
                try OutboxTable.insert(
                    OutboxEntry(number: UInt64(number), subject: "other/\(number)", on: true, createdAt: 1), db)
            }
            var row = try MirrorRow.load(db)
            row.lastNumber = UInt64(MirrorLimit.outboxEntries)
            try row.store(db)
        }
        #expect(try owner.takeInbox().map(\.subject) == ["movie/2", "movie/3", "movie/4"])
        #expect(try owner.hasChangedElsewhere(), "it looks again, as some are left")
        #expect(try owner.takeInbox().isEmpty)
        #expect(try content(companion).count == MirrorLimit.outboxEntries + MirrorLimit.inboxEntries - room)
    }

    @Test func `After the user signs out it neither shows nor stores anything`() throws {
        let owner = try openOwner()
        let companion = try openCompanion()
        _ = try companion.setMember("movie/1", of: .favorites, on: true, value: nil, at: 1)
        try owner.forgetUser(keeping: [], newClientID: clientID)
        #expect(code { _ = try companion.views() } == .belongsToOtherUser)
        #expect(code { _ = try companion.hasChangedElsewhere() } == .belongsToOtherUser)
        #expect(
            code { _ = try companion.setMember("movie/2", of: .favorites, on: true, value: nil, at: 1) }
                == .belongsToOtherUser)
        try owner.adopt(user: "jun", newClientID: clientID)
        #expect(try owner.takeInbox().isEmpty)
        try owner.erase()
        #expect(code { _ = try companion.hasChangedElsewhere() } == MirrorError.Code.none)
        #expect(
            code { _ = try companion.setMember("movie/2", of: .favorites, on: true, value: nil, at: 1) }
                == MirrorError.Code.none)
    }

    @Test func `When the owner replaces a damaged file, what companions had stored moves along`() throws {
        let owner = try openOwner()
        try owner.commitRank(base: nil, target: version([item(1)]))
        let companion = try openCompanion()
        let stored = try companion.setMember("movie/1", of: .favorites, on: true, value: nil, at: 1)
        try owner.recover(because: MirrorError(.corrupt, "a test says so"))
        #expect(owner.recovery?.rescuedMutations == 1)
        #expect(try companion.hasChangedElsewhere())
        #expect(try companion.outbox() == [stored])
        let later = try companion.setMember("movie/2", of: .favorites, on: true, value: nil, at: 2)
        #expect(try owner.takeInbox().map(\.subject) == ["movie/1", "movie/2"])
        #expect(later.number > stored.number)
    }

    @Test func `The owner doesn't replace the file while a companion writes, and waits within its bound`() throws {
        let owner = try openOwner()
        let gate = try MirrorGate(.companion, of: folder.mirror)
        let began = ContinuousClock.now
        #expect(code { try owner.recover(because: MirrorError(.corrupt, "a test says so")) } == .busy)
        #expect(ContinuousClock.now - began >= .seconds(MirrorLimit.busySeconds))
        withExtendedLifetime(gate) {}
    }

    @Test func `A writer that holds SQLite's lock delays a companion no longer than the named bound`() throws {
        let owner = try openOwner()
        let companion = try openCompanion()
        try owner.write(.later) { db in
            try db.execute(sql: "DELETE FROM incident")
            #expect(
                code { _ = try companion.setMember("movie/1", of: .favorites, on: true, value: nil, at: 1) } == .busy)
        }
        _ = try companion.setMember("movie/1", of: .favorites, on: true, value: nil, at: 1)
        #expect(try owner.takeInbox().count == 1)
    }

    @Test func `A changed byte in the inbox is found, and the other changes are kept`() throws {
        var owner = try openOwner()
        let companion = try openCompanion()
        for number in 1...3 {
            _ = try companion.setMember("movie/\(number)", of: .favorites, on: true, value: nil, at: 1)
        }
        companion.close()
        owner.close()
        try folder.outside { try $0.execute(sql: "UPDATE inbox SET subject = 'movie/4' WHERE subject = 'movie/2'") }
        owner = try openMirror(.file(folder.mirror))
        #expect(owner.recovery?.rescuedMutations == 2 && owner.recovery?.lostMutations == 1)
        #expect(try owner.takeInbox().map(\.subject) == ["movie/1", "movie/3"])
    }
}
