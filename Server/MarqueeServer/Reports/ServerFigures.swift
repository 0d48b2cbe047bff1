package import MarqueeWire

/// A server's counts since it started, and the amounts that it holds now: read when an operator asks, and not kept.
package struct ServerFigures: Sendable {
    package var connections = Connections()
    package var subscriptions = 0
    /// Readers of screens by server-sent events.
    package var eventReaders = 0
    /// Data frames written since start, and the bytes of those that sessions were sent.
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
    package var sourceTroubles: [SourceTrouble] = []
    /// That the source of what is shown is without what it gets that from, and how old that may be, in milliseconds.
    package var outage: SourceOutage?
    package var stale: UInt64?
    /// Bytes that connections hold of what all together may, by kind.
    package var budgets: [BudgetFigures] = []
    /// Limits that were hit, by name.
    package var limitHits: [String: UInt64] = [:]
    /// The catalogue's revision that sessions are sent.
    package var revision: UInt64 = 0
    package var records: [String: Int] = [:]
    /// How long the server has been running, in milliseconds.
    package var uptime: UInt64 = 0
    /// Every session.
    package var sessions: [SessionReport] = []

    package struct Connections: Hashable, Sendable {
        package var open = 0
        package var limit = 0
        /// Those that were accepted since start, including any that had to go at once.
        package var accepted: UInt64 = 0
        /// Those that have ended, by reason.
        package var ended: [String: UInt64] = [:]
    }
}

/// Bytes of one kind that all connections together may hold.
package struct BudgetFigures: Hashable, Sendable {
    package var name: String
    package var bytes: Int
    package var limit: Int
}
