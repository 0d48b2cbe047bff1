package import MarqueeWire

/// A server's counts since it started, and the amounts that it holds now. Read when an operator asks, and not kept.
package struct ServerFigures: Sendable {
    package var connections = Connections()
    package var subscriptions = 0
    /// Readers of screens by server-sent events.
    package var eventReaders = 0
    /// Data frames written since start, and the bytes of data sent to sessions.
    package var deliveries: UInt64 = 0
    package var sentBytes: UInt64 = 0
    package var library = VersionLibrary.Counters()
    package var libraryBytes = (versions: 0, patches: 0)
    package var events = SessionEvents.Counts()
    /// Calls by method.
    package var calls: [String: CallFigures] = [:]
    /// Clients that were welcomed.
    package var welcomes: UInt64 = 0
    /// The lanes that work for connections, in turns.
    package var lanes: [LaneFigures] = []
    /// The writes to each log, by its name: `catalogue` and `users`.
    package var commits: [String: CommitFigures] = [:]
    /// The sources that publish here from elsewhere.
    package var sources: [SourceState] = []
    package var clockTrouble: ClockTrouble?
    /// The reason why the source can't reach its store, or the server upstream; and the age of the content, in
    /// milliseconds.
    package var outage: SourceOutage?
    package var stale: UInt64?
    /// Bytes that connections hold, against the bytes that all of them together may hold, by kind.
    package var budgets: [BudgetFigures] = []
    /// How often each limit was hit, by name.
    package var limitHits: [String: UInt64] = [:]
    /// The revision of the catalogue that sessions are sent.
    package var revision: UInt64 = 0
    package var records: [String: Int] = [:]
    /// How long the server has been running, in milliseconds.
    package var uptime: UInt64 = 0
    /// Every session.
    package var sessions: [SessionReport] = []

    package struct Connections: Hashable, Sendable {
        package var open = 0
        package var limit = 0
        /// Connections accepted since start, including those that were closed at once.
        package var accepted: UInt64 = 0
        /// Connections that have ended, by reason.
        package var ended: [String: UInt64] = [:]
    }
}

/// The use of a budget: bytes of one kind that all connections together may hold.
package struct BudgetFigures: Hashable, Sendable {
    package var name: String
    package var bytes: Int
    package var limit: Int
}
