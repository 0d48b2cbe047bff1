/// Decides what happens next in a transaction: where it is tried, how often, and how to resolve a COMMIT when its
/// answer is lost.
///
/// It has no connection and no clock. A shell performs each step and reports the result; there is one over PostgreSQL
/// and one over the simulation's database. Each attempt to commit writes a mark of its own. If the answer is lost, the
/// mark is claimed on a new connection: that waits for a commit still in progress, and keeps one that hasn't begun from
/// ever taking effect. A server with another history doesn't have the mark, whether or not the commit took effect, so
/// no mark is claimed before the history is proven.
package struct CommitCourse: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Make a new connection.
        /// - Parameter host: as for `PostgresHostChoice`.
        case connect(host: Int?)
        /// Check that the connection's database has the history seen so far.
        case prove
        /// Run the transaction with a new mark. Call `committing` before its COMMIT is sent.
        case attempt
        /// Find out whether the mark was committed; claim it if not.
        case claim
        case pause(milliseconds: UInt64)
        case end(Ending)
    }

    package enum Ending: Hashable, Sendable {
        /// The transaction is durable.
        case done
        /// Nothing took effect.
        case failed(Failure)
        /// Whether it took effect isn't known, so nothing is confirmed.
        case unknown(Doubt)
    }

    /// Why an outcome stays unknown.
    package enum Doubt: Hashable, Sendable {
        /// The database that answers now can't tell.
        case cannotTell
        /// No database has answered in time.
        case silence
    }

    package enum Failure: Hashable, Sendable {
        /// A conflict with other transactions; an immediate retry may succeed.
        case conflict
        /// The connection was lost, or couldn't be made.
        case lost
        /// The connection leads to a former primary.
        case formerPrimary
        /// The database has a different history from the one seen so far, or can lose what it confirms.
        case unusable
        /// Nobody waits for the transaction any more.
        case stopped
        /// The database or a rule refused it.
        case refused
    }

    /// A database's answer when asked for the mark of a commit.
    package enum Mark: Hashable, Sendable {
        /// The transaction has taken effect.
        case committed
        /// It hasn't, and never will.
        case claimed
    }

    private enum Phase: Hashable, Sendable {
        case attempting
        case committing
        /// - Parameter end: when to give up asking for the outcome, in milliseconds.
        case claiming(end: UInt64)
    }

    private let patience: CommitRetryPolicy
    private let hosts: Int
    private var attemptsLeft: Int
    private var phase = Phase.attempting
    /// Set while a connection is being made.
    private var choice: PostgresHostChoice?

    /// - Parameters:
    ///   - hosts: the number of hosts in the address if there are several; 0 otherwise.
    ///   - isRepeatable: whether the transaction may be tried again.
    package init(hosts: Int, isRepeatable: Bool = true, patience: CommitRetryPolicy = CommitRetryPolicy()) {
        self.hosts = hosts
        self.patience = patience
        attemptsLeft = isRepeatable ? patience.attempts : 1
    }

    /// Whether the outcome of a COMMIT is still being determined.
    package var isInDoubt: Bool { if case .claiming = phase { true } else { false } }

    // MARK: - Events

    /// - Parameter isConnected: whether there is a connection that can be used, proven when it was made.
    package mutating func start(isConnected: Bool) -> Step {
        attemptsLeft -= 1
        return isConnected ? .attempt : connect()
    }

    /// There is a connection.
    package mutating func connected() -> Step {
        choice?.connected()
        return .prove
    }

    /// The connection's database has the history that was seen.
    package mutating func proven() -> Step {
        choice = nil
        return isInDoubt ? .claim : .attempt
    }

    /// The transaction has run up to its COMMIT, which is sent now.
    package mutating func committing() { phase = .committing }

    /// The transaction is durable, or had nothing to commit.
    package func committed() -> Step { .end(.done) }

    /// The database has answered: the mark was there, or has been claimed.
    /// - Parameter proof: the history of the database that answered, checked in the same transaction.
    package mutating func answered(_ mark: Mark, proof: HistoryProof) -> Step {
        guard proof.isAccepted else { return failed(proof.isFinal ? .unusable : .formerPrimary, now: 0) }
        switch mark {
        case .committed: return .end(.done)
        // As if the connection had been lost before the COMMIT.
        case .claimed: return attemptAgain(after: .lost)
        }
    }

    /// A pause is over.
    /// - Parameters:
    ///   - now: milliseconds of a steady clock.
    ///   - isStopped: whether nobody waits for the transaction any more.
    package mutating func resumed(now: UInt64, isStopped: Bool = false) -> Step {
        guard case .claiming(let end) = phase, now < end, !isStopped else { return .end(.unknown(.silence)) }
        return connect()
    }

    /// The last step failed.
    /// - Parameters:
    ///   - now: milliseconds of a steady clock.
    ///   - isStopped: whether nobody waits for the transaction any more.
    package mutating func failed(_ failure: Failure, now: UInt64, isStopped: Bool = false) -> Step {
        guard var choice else { return decide(after: failure, now: now, isStopped: isStopped) }
        let isFormerPrimary = failure == .formerPrimary
        switch choice.failed(isFormerPrimary: isFormerPrimary, isStopped: isStopped) {
        case .connect(let host):
            self.choice = choice
            return .connect(host: host)
        case .fail:
            self.choice = nil
            return decide(after: failure, now: now, isStopped: isStopped)
        case .refuse:
            self.choice = nil
            return decide(after: .formerPrimary, now: now, isStopped: isStopped)
        }
    }

    // MARK: - Decisions

    private mutating func decide(after failure: Failure, now: UInt64, isStopped: Bool) -> Step {
        switch (phase, failure) {
        case (.committing, .lost):
            phase = .claiming(end: now + UInt64(patience.outcomeSeconds) * 1_000)
            return connect()
        case (.claiming, .unusable): return .end(.unknown(.cannotTell))
        case (.claiming, _): return .pause(milliseconds: patience.pauseMilliseconds)
        case (_, .lost) where isStopped: return .end(.failed(.stopped))
        case (_, .lost), (_, .conflict): return attemptAgain(after: failure)
        default: return .end(.failed(failure))
        }
    }

    private mutating func attemptAgain(after failure: Failure) -> Step {
        guard attemptsLeft > 0 else { return .end(.failed(failure)) }
        attemptsLeft -= 1
        phase = .attempting
        return connect()
    }

    /// After a failure, only a new connection is certain to be usable.
    private mutating func connect() -> Step {
        choice = PostgresHostChoice(hosts: hosts)
        return .connect(host: nil)
    }
}

extension CommitCourse.Failure {
    /// - Parameter error: a store's error, as opposed to a connection's.
    package init(_ error: StoreError) {
        self = error.code.isFinal || error.code == .notDurable ? .unusable : .refused
    }
}
