/// How much there may be of everything, and how long it may take.
enum Bounds {
    static let clients = 10...5_000
    static let users = 1...500
    /// For the clients: more than a small machine has processors, so that they get a share beside whatever else runs.
    static let threads = 8
    /// Of each phase, before it is verified.
    static let seconds = 5.0...600
    static let rounds = 1...10_000
    static let publications = 0.1...50
    static let favorites = 0.1...500

    /// A process that is started, and one that is asked to end.
    static let start = Duration.seconds(60)
    static let drain = Duration.seconds(60)
    /// Until every client shows its screens for the first time.
    static let joining = Duration.seconds(120)
    /// After a phase, until whatever was asked for is confirmed: clients try again with pauses of up to 30 s.
    static let settling = Duration.seconds(90)
    /// After that, until all mirrors are equal.
    static let agreeing = Duration.seconds(60)
    /// How often that is checked.
    static let look = Duration.milliseconds(250)

    /// Movies that a user marks, each again and again.
    static let favoritesOfUser = 4
    /// Events that are kept of a round of faults.
    static let events = 400_000
    /// Until a publisher in a round of faults asks again.
    static let call = Duration.seconds(2)
    /// Connections that the databases of a round of faults take.
    static let databaseConnections = 80
    /// How many mistakes are listed one by one; the others are only counted.
    static let told = 12

    /// Files that this process may have open: one for a client's connection and two for the same connection at the
    /// balancer, and some for everything else.
    static func files(clients: Int, users: Int) -> UInt64 { UInt64(3 * (clients + users) + 512) }
}

/// An error that keeps the run from going on.
struct NodesError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
