/// The users whose logs have to be read because moves may have been missed: as many as there are connections, maybe.
/// A few are read at a time, so that the rest neither crowds out what connections ask for nor is tried again all at
/// once while the store is away.
struct MissedUsers {
    /// How many are read at a time. One that fails keeps its place until it can be read.
    static let atOnce = 16

    private var reading: Set<String> = []
    private var waiting: Set<String> = []

    /// - Returns: the users to read now.
    mutating func add(_ users: Set<String>) -> Set<String> {
        waiting.formUnion(users.subtracting(reading))
        // A read under way may be older than the missed changes.
        return users.intersection(reading).union(next())
    }

    /// A user's log has been read.
    /// - Returns: the users to read now.
    mutating func done(_ user: String) -> Set<String> {
        // Whoever waits is read in their turn, even if a move has had them read before it.
        reading.remove(user) == nil ? [] : next()
    }

    private mutating func next() -> Set<String> {
        let users = Set(waiting.prefix(Self.atOnce - reading.count))
        waiting.subtract(users)
        reading.formUnion(users)
        return users
    }
}
