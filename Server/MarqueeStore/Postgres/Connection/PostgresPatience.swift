/// How long a node waits for PostgreSQL, and how often it tries again.
enum PostgresPatience {
    /// Seconds for making a connection, to each of the hosts that a URL names.
    static let connectSeconds = 5
    /// Seconds that the server works on one statement.
    static let statementSeconds = 30
    /// Seconds that a statement waits for a row that another node has locked.
    static let lockSeconds = 10
    /// Seconds after which the server gives up on a node that has begun a transaction and says nothing more: it may
    /// have stopped, or be cut off, and all others wait for its locks. As long as they wait.
    static let silenceSeconds = lockSeconds
    /// Seconds without a word from the server after which a node takes the connection for lost. Longer than a statement
    /// may take, so that usually the server says what was wrong.
    static let answerSeconds = 45
    /// The same for the connection that looks for what others have committed, which asks for little: by it a server
    /// notices that its database is away.
    static let lookSeconds = 10
    /// Seconds that a write of this process waits for another one of the same log.
    static let turnSeconds = 60
    /// The longest until a connection that waits notices that its store was closed, in milliseconds.
    static let stopMilliseconds: Int32 = 250
    /// Seconds for changing the schema or indexing a catalogue anew.
    static let rebuildSeconds = 3_600
    /// How often a batch is tried when others are in its way, or its connection was lost before it was committed.
    static let attempts = 5
    /// Seconds spent on finding out whether a commit took effect after its connection was lost.
    static let outcomeSeconds = 15
    /// Milliseconds between two attempts to connect while an outcome is unknown.
    static let pauseMilliseconds: UInt32 = 200
    /// Connections for reads.
    static let readers = 4
    /// Seconds that a read waits for one of them.
    static let readerSeconds = 30
    /// Milliseconds without a packet from the server until the system asks whether it is still there, as its
    /// `tcp_user_timeout`.
    static let deadPeerMilliseconds = 20_000
}
