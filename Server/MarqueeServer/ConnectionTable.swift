/// The connections, up to a limit. At the limit, a new one evicts the one that has been unused for longest. A
/// connection is unused while it has no subscription and no call in flight.
struct ConnectionTable {
    enum Admission: Hashable {
        case admitted
        /// This connection must be closed to make room.
        case inPlaceOf(ConnectionID)
        /// All existing connections are in use.
        case refused
    }

    let limit: Int
    private var all: Set<ConnectionID> = []
    private var unused = AgeQueue<ConnectionID>()

    init(limit: Int) { self.limit = limit }

    var count: Int { all.count }

    /// Admits an accepted connection, which counts as unused until `set` says otherwise.
    mutating func admit(_ connection: ConnectionID) -> Admission {
        var admission = Admission.admitted
        if all.count >= limit {
            guard let oldest = unused.popFirst() else { return .refused }
            all.remove(oldest)
            admission = .inPlaceOf(oldest)
        }
        all.insert(connection)
        unused.append(connection, at: 0)
        return admission
    }

    /// Marks a connection as used or unused.
    mutating func set(_ connection: ConnectionID, isUsed: Bool) {
        guard all.contains(connection) else { return }
        if isUsed { unused.remove(connection) } else { unused.append(connection, at: 0) }
    }

    mutating func remove(_ connection: ConnectionID) {
        all.remove(connection)
        unused.remove(connection)
    }
}
