/// The connections, up to a limit. At the limit, a new one takes the place of the one that has been unused for longest:
/// it shows nothing and waits for no answer.
struct ConnectionTable {
    enum Admission: Hashable {
        case admitted
        /// This connection must be closed for it.
        case inPlaceOf(ConnectionID)
        /// All existing connections are in use.
        case refused
    }

    let limit: Int
    private var all: Set<ConnectionID> = []
    private var unused = AgeQueue<ConnectionID>()

    init(limit: Int) { self.limit = limit }

    var count: Int { all.count }

    /// A connection was accepted; it counts as unused until `set` says otherwise.
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

    /// A connection starts or stops showing something or waiting for an answer.
    mutating func set(_ connection: ConnectionID, isUsed: Bool) {
        guard all.contains(connection) else { return }
        if isUsed { unused.remove(connection) } else { unused.append(connection, at: 0) }
    }

    mutating func remove(_ connection: ConnectionID) {
        all.remove(connection)
        unused.remove(connection)
    }
}
