import MarqueeModel
import Testing

@testable import MarqueeStore

/// The value that decides whether a database has the history that a process has seen.
@Suite struct HistoryProofTests {
    private static let here = HistoryPlace(system: 7, timeline: 2)
    private static let epochs = LogEpochs(catalogue: 1, users: 2)
    private static let mina = LogPoint(revision: 5, chain: 55)

    private static let seen: SeenHistory = {
        var seen = SeenHistory()
        seen.place = here
        seen.epochs = epochs
        seen.catalogue = LogPoint(revision: 83, chain: 830)
        seen.note(user: "mina", mina)
        return seen
    }()

    private static func found(
        place: HistoryPlace = here, epochs: LogEpochs = epochs, newest: LogPoint = LogPoint(revision: 83, chain: 830),
        chain: UInt64? = 830, user: FoundHistory.User? = FoundHistory.User(newest: mina, chain: nil)
    ) -> FoundHistory {
        FoundHistory(
            place: place, epochs: epochs, catalogue: newest, chain: chain, users: user.map { ["mina": $0] } ?? [:])
    }

    private static func judge(_ found: FoundHistory) -> HistoryProof { HistoryProof.judge(seen, found) }

    @Test func `What was seen, and more, is the same history`() {
        #expect(Self.judge(Self.found()) == .same)
        #expect(Self.judge(Self.found(newest: LogPoint(revision: 90, chain: 9))) == .continued)
        let further = FoundHistory.User(newest: LogPoint(revision: 9, chain: 99), chain: 55)
        #expect(Self.judge(Self.found(user: further)) == .same)
        #expect(
            HistoryProof.judge(SeenHistory(), Self.found()) == .continued,
            "somebody who has seen nothing takes anything")
    }

    @Test func `A reused revision is a different commit`() {
        #expect(
            Self.judge(Self.found(newest: LogPoint(revision: 83, chain: 831)))
                == .lost(LostCommits(first: 83, last: 83, areReplaced: true)))
        #expect(
            Self.judge(Self.found(newest: LogPoint(revision: 90, chain: 9), chain: 831))
                == .lost(LostCommits(first: 83, last: 83, areReplaced: true)))
    }

    @Test func `Commits that are gone are named`() {
        let lost = Self.judge(Self.found(newest: LogPoint(revision: 80, chain: 1), chain: nil))
        #expect(lost == .lost(LostCommits(first: 81, last: 83, areReplaced: false)))
        let message = StoreError(lost, at: "the database")
        #expect(message?.code == .lostCommits)
        #expect(message?.message.contains("revisions 81 to 83 of the catalogue") == true)
        #expect(message?.message.contains("marquee-server epoch new") == true)
    }

    @Test func `Logs that were read are remembered besides those that moved, each user once`() {
        var seen = SeenHistory()
        for number in 1...UInt64(SeenHistory.usersKept) {
            seen.note(user: "moved \(number)", LogPoint(revision: number, chain: number))
        }
        for number in 1...UInt64(2 * SeenHistory.usersKept) {
            seen.note(readUser: "read \(number)", LogPoint(revision: number, chain: number))
        }
        #expect(seen.users.count == 2 * SeenHistory.usersKept)
        #expect(seen.users.contains { $0.name == "moved 1" })
        let newer = LogPoint(revision: 99, chain: 9)
        seen.note(readUser: "moved 1", newer)
        seen.note(readUser: "ana", newer)
        seen.note(user: "ana", LogPoint(revision: 98, chain: 8))
        for name in ["moved 1", "ana"] { #expect(seen.users.filter { $0.name == name }.map(\.point) == [newer]) }
    }

    @Test func `Once commits are found to be lost, a former primary that has them isn't accepted either`() {
        let witness = StoreWitness()
        #expect(witness.judge(Self.found(place: Self.former), asked: Self.seen) == .olderTimeline(found: 1, seen: 2))
        #expect(witness.judge(Self.found(), asked: Self.seen) == .same)
        let lost = witness.judge(
            Self.found(place: Self.promoted, newest: LogPoint(revision: 80, chain: 1), chain: nil), asked: Self.seen)
        #expect(lost == .lost(LostCommits(first: 81, last: 83, areReplaced: false)))
        #expect(witness.judge(Self.found(), asked: Self.seen) == lost)
    }

    private static let former = HistoryPlace(system: 7, timeline: 1)
    private static let promoted = HistoryPlace(system: 7, timeline: 3)

    @Test func `A user's moves that are missing or different are lost`() {
        let behind = FoundHistory.User(newest: LogPoint(revision: 3, chain: 1), chain: nil)
        let gone = LostCommits(user: "mina", first: 4, last: 5, areReplaced: false)
        #expect(Self.judge(Self.found(user: behind)) == .lost(gone))
        #expect(
            Self.judge(Self.found(user: nil)) == .lost(LostCommits(user: "mina", first: 1, last: 5, areReplaced: false))
        )
        let other = LostCommits(user: "mina", first: 5, last: 5, areReplaced: true)
        let same = FoundHistory.User(newest: LogPoint(revision: 5, chain: 56), chain: nil)
        #expect(Self.judge(Self.found(user: same)) == .lost(other))
        let further = FoundHistory.User(newest: LogPoint(revision: 6, chain: 66), chain: 56)
        #expect(Self.judge(Self.found(user: further)) == .lost(other))
        let pruned = FoundHistory.User(newest: LogPoint(revision: 6, chain: 66), chain: nil)
        #expect(Self.judge(Self.found(user: pruned)) == .same, "a move that is no longer kept proves nothing")
    }

    @Test func `A lower timeline of the same system is never accepted, whatever else it has`() {
        let former = HistoryPlace(system: 7, timeline: 1)
        for epochs in [Self.epochs, LogEpochs(catalogue: 3, users: 4)] {
            let proof = Self.judge(Self.found(place: former, epochs: epochs))
            #expect(proof == .olderTimeline(found: 1, seen: 2))
            // The former primary may be gone soon, and the current one still exists.
            #expect(StoreError(proof, at: "x")?.code.isFinal == false)
        }
        #expect(Self.judge(Self.found(place: HistoryPlace(system: 7, timeline: 3))) == .continued)
        #expect(
            Self.judge(Self.found(place: HistoryPlace(system: 8, timeline: 1))) == .continued, "a copy with all of it")
    }

    @Test func `New epochs are distinguished from a different database`() {
        let epochs = LogEpochs(catalogue: 3, users: 2)
        #expect(Self.judge(Self.found(epochs: epochs)) == .newEpochs)
        #expect(Self.judge(Self.found(place: HistoryPlace(system: 8, timeline: 9), epochs: epochs)) == .otherDatabase)
    }

    @Test func `A truncated log proves nothing on another server, and is no alarm on the same one`() {
        let newest = LogPoint(revision: 900_000, chain: 1)
        #expect(Self.judge(Self.found(newest: newest, chain: nil)) == .continued)
        let promoted = HistoryPlace(system: 7, timeline: 3)
        #expect(Self.judge(Self.found(place: promoted, newest: newest, chain: nil)) == .unproven(revision: 83))
    }

    @Test func `The users whose logs moved last are remembered, a bounded number of them`() {
        var seen = SeenHistory()
        for number in 1...40 as ClosedRange<UInt64> {
            seen.note(user: "\(number)", LogPoint(revision: 1, chain: number))
        }
        #expect(seen.users.count == SeenHistory.usersKept)
        seen.note(user: "40", LogPoint(revision: 3, chain: 3))
        // Heard late: others' moves arrive in a different order from a process's own.
        seen.note(user: "40", LogPoint(revision: 2, chain: 2))
        #expect(seen.users.last?.point == LogPoint(revision: 3, chain: 3))
    }

    @Test func `Once one thread has met a newer timeline, the others don't accept the older one`() {
        let witness = StoreWitness()
        let before = witness.seen
        #expect(witness.judge(Self.found(), asked: before) == .continued)
        let former = Self.found(place: HistoryPlace(system: 7, timeline: 1))
        #expect(witness.judge(former, asked: before) == .olderTimeline(found: 1, seen: 2))
    }

    /// This lets the simulation's servers notice another history, as real ones do.
    @Test func `A database in memory answers like a promoted standby, or a primary that comes back`() throws {
        let primary = MemoryStore(seed: 1)
        let witness = StoreWitness()
        func proof(_ store: MemoryStore) throws -> HistoryProof {
            let seen = witness.seen
            return witness.judge(try store.history(asked: seen), asked: seen)
        }
        func note(_ store: MemoryStore) throws {
            witness.note(catalogue: try store.history(asked: witness.seen).catalogue)
            if let point = try store.point(of: "mina") { witness.note(user: "mina", point) }
        }
        try primary.commit(Sample.page(1))
        try primary.setFavorite("episode/1", .of(1, 1))
        let whole = try MemoryStore(standbyOf: primary, seed: 2)
        #expect(try proof(primary) == .continued)
        try note(primary)
        try primary.commit(Sample.page(2))
        let lagging = try MemoryStore(standbyOf: primary, seed: 3)
        try primary.setFavorite("episode/2", .of(1, 2))
        #expect(try proof(primary) == .continued)
        #expect(try proof(whole) == .continued)
        #expect(try proof(primary) == .olderTimeline(found: 1, seen: 2))

        let other = StoreWitness()
        let seen = other.seen
        #expect(other.judge(try primary.history(asked: seen), asked: seen) == .continued)
        other.note(catalogue: try primary.history(asked: seen).catalogue)
        if let point = try primary.point(of: "mina") { other.note(user: "mina", point) }
        let asked = other.seen
        #expect(
            other.judge(try lagging.history(asked: asked), asked: asked)
                == .lost(LostCommits(user: "mina", first: 2, last: 2, areReplaced: false)))
        // The same change again, in another history.
        try lagging.setFavorite("episode/2", .of(1, 2))
        #expect(
            HistoryProof.judge(asked, try lagging.history(asked: asked))
                == .lost(LostCommits(user: "mina", first: 2, last: 2, areReplaced: true)))
    }

    @Test func `Histories differ by their salts even if their commits are equal`() {
        func chain(_ salts: [UInt64]) -> LogPoint {
            salts.reduce(LogPoint(revision: 0, chain: 0)) { point, salt in
                CommitChain.next(after: point, revision: point.revision + 1, salt: salt, json: [1, 2, 3])
            }
        }
        #expect(chain([1, 2, 3]) == chain([1, 2, 3]))
        #expect(chain([1, 2, 3]) != chain([1, 2, 4]))
        #expect(chain([9, 2, 3]) != chain([1, 2, 3]), "what comes later stands for what was before")
        let move = MemberMove(.favorite("episode/1", true), revision: 1)
        let other = MemberMove(.favorite("episode/1", false), revision: 1)
        let start = LogPoint(revision: 0, chain: 0)
        #expect(CommitChain.next(after: start, move, salt: 1) != CommitChain.next(after: start, other, salt: 1))
    }
}

/// The time by which ages are counted.
@Suite struct StoreAgeTests {
    private static let day: UInt64 = 86_400_000
    private static let start: UInt64 = 1_700_000_000_000

    @Test func `The age is the time of day as long as that keeps pace with the steady clock`() {
        var age = StoreAge()
        #expect(age.now(wall: Self.start, steady: 5, newest: 0) == Self.start)
        #expect(age.now(wall: Self.start + Self.day, steady: 5 + Self.day, newest: Self.start) == Self.start + Self.day)
    }

    @Test func `A clock that jumps ahead ages nothing, however often it is read`() {
        var age = StoreAge()
        _ = age.now(wall: Self.start, steady: 0, newest: Self.start)
        for second in 1...1_000 as ClosedRange<UInt64> {
            let now = age.now(
                wall: Self.start + 200 * Self.day, steady: second * 1_000, newest: Self.start + (second - 1) * 1_000)
            #expect(now == Self.start + second * 1_000)
        }
        // Set right again.
        #expect(age.now(wall: Self.start + 1_001_000, steady: 1_001_000, newest: Self.start) == Self.start + 1_001_000)
    }

    @Test func `A new process with a clock that is ahead begins at the store's time`() {
        for _ in 0..<3 {
            var age = StoreAge()
            #expect(age.now(wall: Self.start + 200 * Self.day, steady: 9, newest: Self.start) == Self.start)
        }
        var near = StoreAge()
        #expect(near.now(wall: Self.start + 1_000, steady: 9, newest: Self.start) == Self.start + 1_000)
    }

    @Test func `A clock that was set back doesn't lower the age`() {
        var age = StoreAge()
        _ = age.now(wall: Self.start, steady: 0, newest: 0)
        #expect(age.now(wall: Self.start - Self.day, steady: 1_000, newest: Self.start) == Self.start)
    }
}
