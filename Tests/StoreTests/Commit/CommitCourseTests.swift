import Testing

@testable import MarqueeStore

/// The value that decides where a transaction is tried, how often, and how to resolve a COMMIT when its answer is lost.
@Suite struct CommitCourseTests {
    private static let patience = CommitRetryPolicy()

    /// A course whose COMMIT has been sent on an existing connection.
    private static func committing(hosts: Int = 0) -> CommitCourse {
        var course = CommitCourse(hosts: hosts)
        #expect(course.start(isConnected: true) == .attempt)
        course.committing()
        return course
    }

    /// A course that has lost its connection in a COMMIT, and may claim the mark now.
    private static func claiming() -> CommitCourse {
        var course = committing()
        #expect(course.failed(.lost, now: 1_000) == .connect(host: nil))
        #expect(course.isInDoubt)
        #expect(course.connected() == .prove)
        #expect(course.proven() == .claim)
        return course
    }

    @Test func `A new connection is proven before the transaction runs on it`() {
        var course = CommitCourse(hosts: 0)
        #expect(course.start(isConnected: false) == .connect(host: nil))
        #expect(course.connected() == .prove)
        #expect(course.proven() == .attempt)
        course.committing()
        #expect(course.committed() == .end(.done))
    }

    @Test(arguments: [CommitCourse.Failure.conflict, .lost])
    func `A transaction that conflicts with others, or loses its connection, is tried five times`(
        failure: CommitCourse.Failure
    ) {
        var course = CommitCourse(hosts: 0)
        var step = course.start(isConnected: true)
        for _ in 1..<Self.patience.attempts {
            #expect(step == .attempt)
            #expect(course.failed(failure, now: 0) == .connect(host: nil))
            #expect(course.connected() == .prove)
            step = course.proven()
        }
        #expect(course.failed(failure, now: 0) == .end(.failed(failure)))
    }

    @Test func `A transaction that can't be repeated, or is refused, is tried once`() {
        var once = CommitCourse(hosts: 0, isRepeatable: false)
        _ = once.start(isConnected: true)
        #expect(once.failed(.conflict, now: 0) == .end(.failed(.conflict)))
        for failure in [CommitCourse.Failure.refused, .unusable, .formerPrimary] {
            var course = CommitCourse(hosts: 0)
            _ = course.start(isConnected: true)
            #expect(course.failed(failure, now: 0) == .end(.failed(failure)))
        }
    }

    @Test func `A failed attempt to connect counts as one`() {
        var course = CommitCourse(hosts: 0)
        var step = course.start(isConnected: false)
        for _ in 1..<Self.patience.attempts {
            #expect(step == .connect(host: nil))
            step = course.failed(.lost, now: 0)
        }
        #expect(course.failed(.lost, now: 0) == .end(.failed(.lost)))
    }

    @Test func `A transaction isn't tried again once nobody waits for it`() {
        var course = CommitCourse(hosts: 0)
        _ = course.start(isConnected: true)
        #expect(course.failed(.lost, now: 0, isStopped: true) == .end(.failed(.stopped)))
    }

    @Test func `A COMMIT that the database refuses has taken no effect`() {
        var refused = Self.committing()
        #expect(refused.failed(.refused, now: 0) == .end(.failed(.refused)))
        var conflict = Self.committing()
        #expect(conflict.failed(.conflict, now: 0) == .connect(host: nil))
        #expect(!conflict.isInDoubt)
    }

    @Test func `A mark that is found proves the commit, and without it the commit is tried again`() {
        var done = Self.claiming()
        #expect(done.answered(.committed, proof: .same) == .end(.done))
        var undone = Self.claiming()
        #expect(undone.answered(.claimed, proof: .continued) == .connect(host: nil))
        #expect(!undone.isInDoubt)
        #expect(undone.connected() == .prove)
        #expect(undone.proven() == .attempt)
    }

    @Test func `A claim whose own answer is lost isn't taken for a commit`() {
        var course = Self.claiming()
        #expect(course.failed(.lost, now: 1_000) == .pause(milliseconds: Self.patience.pauseMilliseconds))
        #expect(course.resumed(now: 1_200) == .connect(host: nil))
        #expect(course.connected() == .prove)
        #expect(course.proven() == .claim)
        #expect(course.answered(.claimed, proof: .continued) == .connect(host: nil))
    }

    @Test func `After the last attempt a commit that took no effect has failed`() {
        var course = CommitCourse(hosts: 0, isRepeatable: false)
        _ = course.start(isConnected: true)
        course.committing()
        _ = course.failed(.lost, now: 0)
        _ = course.connected()
        _ = course.proven()
        #expect(course.answered(.claimed, proof: .continued) == .end(.failed(.lost)))
    }

    @Test func `No mark is claimed until the history is proven, and the outcome stays unknown`() {
        var course = Self.committing()
        #expect(course.failed(.lost, now: 0) == .connect(host: nil))
        #expect(course.connected() == .prove)
        #expect(course.failed(.unusable, now: 0) == .end(.unknown(.cannotTell)))
    }

    @Test(arguments: [CommitCourse.Mark.committed, .claimed])
    func `An answer from another history about a mark is ignored`(mark: CommitCourse.Mark) {
        var lost = Self.claiming()
        let proof = HistoryProof.lost(LostCommits(first: 1, last: 2, areReplaced: false))
        #expect(lost.answered(mark, proof: proof) == .end(.unknown(.cannotTell)))
        var former = Self.claiming()
        let pause = CommitCourse.Step.pause(milliseconds: Self.patience.pauseMilliseconds)
        #expect(former.answered(mark, proof: .olderTimeline(found: 1, seen: 2)) == pause)
    }

    @Test func `The outcome is sought for fifteen seconds, and then stays unknown`() {
        let limit = UInt64(Self.patience.outcomeSeconds) * 1_000
        var course = Self.committing()
        #expect(course.failed(.lost, now: 7) == .connect(host: nil))
        #expect(course.failed(.lost, now: 7) == .pause(milliseconds: Self.patience.pauseMilliseconds))
        #expect(course.resumed(now: 6 + limit) == .connect(host: nil))
        #expect(course.failed(.refused, now: 6 + limit) == .pause(milliseconds: Self.patience.pauseMilliseconds))
        #expect(course.resumed(now: 7 + limit) == .end(.unknown(.silence)))
    }

    @Test func `The outcome stays unknown once nobody waits for it`() {
        var course = Self.claiming()
        _ = course.failed(.lost, now: 0)
        #expect(course.resumed(now: 1, isStopped: true) == .end(.unknown(.silence)))
    }

    @Test func `The next host is asked for the outcome if the first is a former primary`() {
        var course = Self.committing(hosts: 2)
        #expect(course.failed(.lost, now: 0) == .connect(host: nil))
        #expect(course.connected() == .prove)
        #expect(course.failed(.formerPrimary, now: 0) == .connect(host: 0))
        #expect(course.connected() == .prove)
        #expect(course.failed(.formerPrimary, now: 0) == .connect(host: 1))
        #expect(course.connected() == .prove)
        #expect(course.proven() == .claim)
    }

    @Test func `If there are only former primaries, nothing is written, and there is no other attempt`() {
        var course = CommitCourse(hosts: 2)
        _ = course.start(isConnected: false)
        _ = course.connected()
        #expect(course.failed(.formerPrimary, now: 0) == .connect(host: 0))
        #expect(course.failed(.lost, now: 0) == .connect(host: 1))
        _ = course.connected()
        #expect(course.failed(.formerPrimary, now: 0) == .end(.failed(.formerPrimary)))
    }
}

/// The value that decides which of several hosts is used.
@Suite struct PostgresHostChoiceTests {
    @Test func `A host that can't be reached ends the choice, as libpq has tried the others`() {
        var choice = PostgresHostChoice(hosts: 2)
        #expect(choice.failed(isFormerPrimary: false) == .fail)
    }

    @Test func `A former primary is passed over for the next usable host`() {
        var choice = PostgresHostChoice(hosts: 3)
        choice.connected()
        #expect(choice.failed(isFormerPrimary: true) == .connect(host: 0))
        choice.connected()
        #expect(choice.failed(isFormerPrimary: true) == .connect(host: 1))
        #expect(choice.failed(isFormerPrimary: false) == .connect(host: 2))
        choice.connected()
        #expect(choice.failed(isFormerPrimary: true) == .refuse)
    }

    @Test func `A host of another history ends the choice`() {
        var choice = PostgresHostChoice(hosts: 2)
        choice.connected()
        _ = choice.failed(isFormerPrimary: true)
        choice.connected()
        #expect(choice.failed(isFormerPrimary: false) == .fail)
    }

    @Test func `Without a list of hosts a former primary is refused`() {
        var choice = PostgresHostChoice(hosts: 0)
        choice.connected()
        #expect(choice.failed(isFormerPrimary: true) == .refuse)
    }

    @Test func `No further host is tried once nobody waits for it`() {
        var choice = PostgresHostChoice(hosts: 2)
        choice.connected()
        #expect(choice.failed(isFormerPrimary: true, isStopped: true) == .refuse)
    }
}

/// The value that decides whether a server keeps what it confirms.
@Suite struct CommitDurabilityTests {
    private static let strict = CommitDurability(allowsLostCommits: false)

    @Test func `Each transaction asks for durability itself, and for more if the server gives more`() {
        #expect(Self.strict.level(given: ["on", "on", "on"]) == "on")
        #expect(Self.strict.level(given: ["on", "on", "off"]) == "on")
        #expect(Self.strict.level(given: ["on", "on", "remote_apply"]) == "remote_apply")
    }

    @Test(arguments: [
        (["off", "on", "on"], "fsync"), (["on", "off", "on"], "full_page_writes"),
        (["on", "on", "off"], "synchronous_commit"), (["on", "on", "local"], "synchronous_commit"),
    ])
    func `A setting with which commits can be lost is named`(values: [String], name: String) throws {
        let weakness = try #require(Self.strict.weakness(of: values))
        #expect(weakness.setting == name)
        let error = StoreError(weakness, at: "the database")
        #expect(error.code == .notDurable)
        #expect(error.message.contains("\(name) is '\(weakness.value)'"))
    }

    @Test func `Settings that the operator accepts are neither changed nor refused`() {
        let lax = CommitDurability(allowsLostCommits: true)
        #expect(lax.level(given: ["off", "off", "off"]) == nil)
        #expect(lax.weakness(of: ["off", "off", "off"]) == nil)
        #expect(Self.strict.weakness(of: ["on", "on", "remote_apply"]) == nil)
    }
}
