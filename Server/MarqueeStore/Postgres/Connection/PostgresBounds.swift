/// How long a node waits for PostgreSQL, and how often it retries.
enum PostgresBounds {
    /// In transactions that write.
    static let commit = CommitRetryPolicy()
    /// Seconds for making a connection, to each of the hosts that a URL names.
    static let connectSeconds = 5
    /// Seconds that the server works on one statement.
    static let statementSeconds = 30
    /// Seconds for which a backup or a restore may be silent while it waits for a disk; no server waits for its locks.
    static let copySilenceSeconds = 60
    /// Seconds after which a long transaction that only reads its files sends a keep-alive.
    static let keepAliveSeconds: UInt64 = 2
    /// Seconds without a word from the server after which a node considers the connection lost. Longer than a statement
    /// may take, so that the server usually reports the problem itself.
    static let answerSeconds = 45
    /// The same for the connection that looks for others' commits, by which a server notices that its database is away;
    /// its queries are quick. Shorter than a new client waits for its welcome, so that no client is told that the fault
    /// is its own.
    static let lookSeconds = 5
    /// Seconds that a write of this process waits for another one of the same log.
    static let turnSeconds = 60
    /// The longest time until a waiting connection notices that its store was closed, in milliseconds.
    static let stopMilliseconds: Int32 = 250
    /// Seconds that a change of the schema waits for a table, because all others queue behind it; the number of
    /// attempts, and the seconds between them.
    static let tableLockSeconds = 3
    static let tableLockAttempts = 20
    static let tableLockPauseSeconds: UInt32 = 2
    /// Seconds for changing the schema or rebuilding an index.
    static let rebuildSeconds = 3_600
    /// Connections for reads.
    static let readers = 4
    /// Seconds that a read waits for one of these connections.
    static let readerSeconds = 30
    /// Milliseconds that sent data may stay unacknowledged before the system gives the connection up:
    /// `tcp_user_timeout`.
    static let deadPeerMilliseconds = 10_000
    /// The probes that tell either end whether the other is still there: seconds of silence before the first, seconds
    /// between two, and how many may stay unanswered. Together as long as `deadPeerMilliseconds`.
    static let keepalive = (idleSeconds: 4, betweenSeconds: 2, count: 3)
}

/// How long a server lets a connection work, wait and be silent, and how long the connection waits for it; in seconds.
struct PostgresTimeouts: Hashable, Sendable {
    /// For one statement.
    var statement = PostgresBounds.statementSeconds
    /// For a row or a table that others have locked.
    var lock = PostgresBounds.commit.lockSeconds
    /// Within a transaction, between two statements.
    var silence = PostgresBounds.commit.silenceSeconds
    /// Without a word from the server.
    var answer = PostgresBounds.answerSeconds

    static let ordinary = PostgresTimeouts()
    /// For looks at what others have committed.
    static let looks = PostgresTimeouts(answer: PostgresBounds.lookSeconds)
    /// For migrations: changing all rows takes a long time.
    static let migration = PostgresTimeouts(
        statement: PostgresBounds.rebuildSeconds, answer: PostgresBounds.rebuildSeconds)
    /// For backups and restores: reading or writing everything takes a long time.
    static let copy = PostgresTimeouts(
        statement: PostgresBounds.rebuildSeconds, silence: PostgresBounds.copySilenceSeconds,
        answer: PostgresBounds.rebuildSeconds)

    /// The server's settings that keep one session from making others wait, in the server's unit: milliseconds.
    var settings: [(name: String, milliseconds: Int)] {
        [
            ("statement_timeout", statement * 1_000), ("lock_timeout", lock * 1_000),
            ("idle_in_transaction_session_timeout", silence * 1_000),
        ]
    }
}
