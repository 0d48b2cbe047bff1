import MarqueeModel
import Testing

@testable import MarqueeMirror

@Suite("Outbox")
struct OutboxTests {
    private let mirror: Mirror

    init() throws { mirror = try openMirror() }

    @discardableResult
    private func set(_ subject: String, _ on: Bool = true) throws -> UInt64 {
        try mirror.setFavorite(subject: subject, on: on, at: 5).number
    }

    /// The outbox, in short.
    private func content() throws -> [String] {
        try mirror.outbox().map { "\($0.number) \($0.on ? "+" : "-")\($0.subject)" }
    }

    @Test func `Entries are numbered from 1 upwards and listed in that order`() throws {
        let entry = try mirror.setFavorite(subject: "movie/1", on: true, at: 5)
        #expect(entry == OutboxEntry(number: 1, subject: "movie/1", on: true, state: .pending, createdAt: 5))
        try set("movie/2", false)
        #expect(try content() == ["1 +movie/1", "2 -movie/2"])
        #expect(try mirror.outbox().first == entry)
        #expect(mirror.lastNumber == 2)
    }

    @Test func `A write replaces an unsent one of the same subject, with a higher number`() throws {
        try set("movie/1")
        try set("movie/2")
        try set("movie/1", false)
        #expect(try content() == ["2 +movie/2", "3 -movie/1"])
    }

    @Test func `A sent entry is frozen: a later write goes behind it`() throws {
        let sent = try set("movie/1")
        try mirror.markSent([sent])
        try set("movie/1", false)
        try set("movie/1", true)
        #expect(try content() == ["1 +movie/1", "3 +movie/1"])
        #expect(try mirror.outbox().map(\.state) == [.sent, .pending])
    }

    @Test func `An answered entry keeps its first answer and leaves at a cut that contains it (G6)`() throws {
        let number = try set("movie/1")
        try mirror.markSent([number])
        try mirror.answered(number: number, cut: cut(50, user: 4), changed: true)
        try mirror.answered(number: number, cut: cut(60, user: 9), changed: false)
        try mirror.answered(number: 77, cut: cut(1), changed: true)
        try mirror.markSent([number])
        #expect(try mirror.outbox().map(\.state) == [.answered(cut(50, user: 4))])
        #expect(try mirror.outbox().map(\.changed) == [true])
        #expect(try mirror.finished(containedIn: cut(90, user: 3)) == [])
        // A favorite belongs to the user's log: the catalogue's position doesn't matter.
        #expect(try mirror.finished(containedIn: cut(1, user: 4)) == [number])
        try mirror.commit(
            MirrorTransaction(cut: cut(1, user: 4), savedAt: 0, finishedMutations: [number]))
        #expect(try content() == [])
    }

    /// Cuts after an answer are from its epoch, or from the one that a later connection found instead.
    @Test func `An answer from a user epoch other than the cut's is finished: its log is gone`() throws {
        try mirror.commit(MirrorTransaction(cut: cut(1, user: 4), savedAt: 0))
        let old = try set("movie/1")
        let other = try set("movie/2")
        let restored = Cut(catalogueEpoch: 7, catalogueRevision: 1, userEpoch: 10, userRevision: 1)
        try mirror.markSent([old, other])
        try mirror.answered(number: old, cut: cut(1, user: 5), changed: true)
        try mirror.answered(number: other, cut: restored, changed: true)
        #expect(try mirror.finished(containedIn: cut(1, user: 4)) == [other])
        #expect(try mirror.finished(containedIn: restored) == [old, other])
        #expect(try mirror.finished(containedIn: Cut(catalogueEpoch: 7, catalogueRevision: 9)) == [])
    }

    @Test func `Answered-through stops below the first unanswered number; gaps don't hold it up`() throws {
        #expect(mirror.answeredThrough == 0)
        try set("movie/1")
        try set("movie/2")
        try set("movie/1", false)
        #expect(mirror.answeredThrough == 1)
        try mirror.markSent([2, 3])
        try mirror.answered(number: 3, cut: cut(1, user: 2), changed: true)
        #expect(mirror.answeredThrough == 1)
        try mirror.answered(number: 2, cut: cut(1, user: 1), changed: true)
        #expect(mirror.answeredThrough == 3)
        try set("movie/5")
        #expect(mirror.answeredThrough == 3)
        try mirror.rejected(number: 4, code: nil, reason: "no such movie")
        #expect(mirror.answeredThrough == 4)
    }

    @Test func `A refused entry leaves and is remembered: the last 64, with a bounded reason`() throws {
        for number in 1...70 {
            try set("movie/\(number)")
            try mirror.rejected(number: UInt64(number), code: nil, reason: String(repeating: "é", count: 200))
        }
        try mirror.rejected(number: 70, code: nil, reason: "again")
        #expect(try content() == [])
        let rejections = try mirror.rejections()
        #expect(rejections.map(\.number) == Array(7...70))
        #expect(rejections.last?.subject == "movie/70")
        #expect(rejections.allSatisfy { $0.reason.utf8.count == MirrorLimit.reasonBytes && $0.createdAt == 5 })
    }

    @Test func `If a server forgot this client, unsent entries get new numbers and sent ones roll back`() throws {
        let answered = try set("movie/1")
        let sent = try set("movie/2")
        try mirror.markSent([answered, sent])
        try mirror.answered(number: answered, cut: cut(1, user: 1), changed: true)
        try set("movie/2", false)
        try set("movie/3")
        let result = try mirror.renumber(.unsentOnly, above: 40)
        #expect(result.entries.map(\.number) == [41, 42])
        #expect(result.rolledBack.map(\.number) == [sent])
        #expect(try content() == ["1 +movie/1", "41 -movie/2", "42 +movie/3"])
        #expect(try mirror.rejections().map(\.number) == [sent])
        #expect(try set("movie/9") == 43)
    }

    @Test func `A cloned mirror resends what is unanswered under a new id, the newest of each subject`() throws {
        let sent = try set("movie/1")
        try mirror.markSent([sent])
        try set("movie/2")
        try set("movie/1", false)
        let other = [UInt8](repeating: 9, count: 16)
        let result = try mirror.renumber(.all, newClientID: other)
        #expect(mirror.identity.clientID == other)
        #expect(result.rolledBack.isEmpty)
        #expect(result.entries == (try mirror.outbox()))
        #expect(try content() == ["4 +movie/2", "5 -movie/1"])
        #expect(try mirror.outbox().map(\.state) == [.pending, .pending])
    }

    @Test func `Renumbering with an invalid client id changes nothing`() throws {
        try set("movie/1")
        let error = #expect(throws: MirrorError.self) { try mirror.renumber(.all, newClientID: [1]) }
        #expect(error?.code == .limit)
        #expect(try content() == ["1 +movie/1"])
        #expect(mirror.identity.clientID == clientID)
    }

    @Test func `If a server's number leaves none above it, nothing is stored`() throws {
        _ = try mirror.renumber(.unsentOnly, above: .max)
        let error = #expect(throws: MirrorError.self) { try set("movie/1") }
        #expect(error?.code == .limit)
        #expect(try content() == [])
    }

    @Test func `A number taken for something else is never given to an entry`() throws {
        try set("movie/1")
        #expect(try mirror.takeNumber() == 2)
        try set("movie/2")
        #expect(try content() == ["1 +movie/1", "3 +movie/2"])
    }

    @Test func `The outbox is bounded, and folding still works when it is full`() throws {
        try mirror.opened().write { db in
            for number in 1...MirrorLimit.outboxEntries {
                try OutboxTable.insert(
                    OutboxEntry(number: UInt64(number), subject: "movie/\(number)", on: true, createdAt: 0), db)
            }
            var row = try MirrorRow.load(db)
            row.lastNumber = UInt64(MirrorLimit.outboxEntries)
            try row.store(db)
        }
        let error = #expect(throws: MirrorError.self) { try set("movie/0") }
        #expect(error?.code == .limit)
        #expect(error?.message.contains("10000") == true)
        try set("movie/1", false)
        #expect(try mirror.outbox().count == MirrorLimit.outboxEntries)
    }

    @Test(arguments: ["", String(repeating: "x", count: 257), String(repeating: "é", count: 129), "a\0b"])
    func `A subject has 1 to 256 bytes and no NUL`(_ subject: String) throws {
        let error = #expect(throws: MirrorError.self) { try set(subject) }
        #expect(error?.code == .limit)
        #expect(try content() == [])
        try set(String(repeating: "x", count: 256))
    }
}
