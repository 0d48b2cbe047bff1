/// How long a node waits for PostgreSQL, and how often it tries again.
enum PostgresPatience {
    /// In transactions that write.
    static let commit = CommitPatience()
    /// Seconds for making a connection, to each of the hosts that a URL names.
    static let connectSeconds = 5
    /// Seconds that the server works on one statement.
    static let statementSeconds = 30
    /// Seconds for which a backup or a restore may be silent while it waits for a disk; servers need neither's locks.
    static let copySilenceSeconds = 60
    /// Seconds after which a long transaction that only reads its files says that it goes on.
    static let keepAliveSeconds: UInt64 = 2
    /// Seconds without a word from the server after which a node takes the connection for lost. Longer than a statement
    /// may take, so that usually the server says what was wrong.
    static let answerSeconds = 45
    /// The same for the connection that looks for what others have committed, which asks for little: by it a server
    /// notices that its database is away.
    /// Less than a newcomer waits for its welcome, so that nobody is told that the fault is theirs.
    static let lookSeconds = 5
    /// Seconds that a write of this process waits for another one of the same log.
    static let turnSeconds = 60
    /// The longest until a connection that waits notices that its store was closed, in milliseconds.
    static let stopMilliseconds: Int32 = 250
    /// Seconds that a change of the schema waits for a table, as all others wait behind it; how often it tries, and
    /// seconds in between.
    static let tableLockSeconds = 3
    static let tableLockAttempts = 20
    static let tableLockPauseSeconds: UInt32 = 2
    /// Seconds for changing the schema or indexing a catalogue anew.
    static let rebuildSeconds = 3_600
    /// Connections for reads.
    static let readers = 4
    /// Seconds that a read waits for one of them.
    static let readerSeconds = 30
    /// Milliseconds without a packet from the server until the system asks whether it is still there, as its
    /// `tcp_user_timeout`.
    static let deadPeerMilliseconds = 10_000
    /// Seconds of silence until either end asks whether the other is still there, between two such questions, and how
    /// many stay unanswered. Together as long as `deadPeerMilliseconds`.
    static let keepalive = (idleSeconds: 4, betweenSeconds: 2, count: 3)
}

/// How long a server lets a connection work, wait and be silent, and how long the connection waits for it; in seconds.
struct PostgresTimeouts: Hashable, Sendable {
    /// For one statement.
    var statement = PostgresPatience.statementSeconds
    /// For a row or a table that others have locked.
    var lock = PostgresPatience.commit.lockSeconds
    /// Within a transaction, between two statements.
    var silence = PostgresPatience.commit.silenceSeconds
    /// Without a word from the server.
    var answer = PostgresPatience.answerSeconds

    static let ordinary = PostgresTimeouts()
    /// For looks at what others have committed.
    static let looks = PostgresTimeouts(answer: PostgresPatience.lookSeconds)
    /// For migrations: changing all rows takes long.
    static let migration = PostgresTimeouts(
        statement: PostgresPatience.rebuildSeconds, answer: PostgresPatience.rebuildSeconds)
    /// For backups and restores: reading or writing everything takes long.
    static let copy = PostgresTimeouts(
        statement: PostgresPatience.rebuildSeconds, silence: PostgresPatience.copySilenceSeconds,
        answer: PostgresPatience.rebuildSeconds)

    /// The server's settings that limit others' waiting, in its unit: milliseconds.
    var settings: [(name: String, milliseconds: Int)] {
        [
            ("statement_timeout", statement * 1_000), ("lock_timeout", lock * 1_000),
            ("idle_in_transaction_session_timeout", silence * 1_000),
        ]
    }
}
