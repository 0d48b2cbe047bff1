/// The users whose logs have to be read because moves may have been missed; there may be as many as there are
/// connections. A few are read at a time, so that the others don't crowd out connections' requests, and aren't all
/// retried at once while the store is away.
struct MissedUsers {
    /// How many are read at a time. A user whose read fails keeps the place until a read succeeds.
    static let atOnce = 16

    private var reading: Set<String> = []
    private var waiting: Set<String> = []

    /// - Returns: the users to read now.
    mutating func add(_ users: Set<String>) -> Set<String> {
        waiting.formUnion(users.subtracting(reading))
        // A read under way may be older than the missed changes.
        return users.intersection(reading).union(next())
    }

    /// Removes a user whose log has been read.
    /// - Returns: the users to read now.
    mutating func done(_ user: String) -> Set<String> {
        // A waiting user is read in turn, even if a move has already triggered a read.
        reading.remove(user) == nil ? [] : next()
    }

    private mutating func next() -> Set<String> {
        let users = Set(waiting.prefix(Self.atOnce - reading.count))
        waiting.subtract(users)
        reading.formUnion(users)
        return users
    }
}
