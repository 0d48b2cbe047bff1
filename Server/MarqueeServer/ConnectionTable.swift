/// Which connections there are, up to a limit. At the limit a new one takes the place of the one that has been of no
/// use for longest: it shows nothing and waits for no answer.
struct ConnectionTable {
    enum Admission: Hashable {
        case admitted
        /// This one has to go.
        case inPlaceOf(ConnectionID)
        /// All that are there are in use.
        case refused
    }

    let limit: Int
    private var all: Set<ConnectionID> = []
    private var unused = AgeQueue<ConnectionID>()

    init(limit: Int) { self.limit = limit }

    var count: Int { all.count }

    /// A connection has come; it is unused until something else is said.
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

    /// A connection begins to show something or to wait for an answer, or ends to.
    mutating func set(_ connection: ConnectionID, isUsed: Bool) {
        guard all.contains(connection) else { return }
        if isUsed { unused.remove(connection) } else { unused.append(connection, at: 0) }
    }

    mutating func remove(_ connection: ConnectionID) {
        all.remove(connection)
        unused.remove(connection)
    }
}
