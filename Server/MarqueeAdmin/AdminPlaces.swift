/// The open connections of an address, limited to a maximum. When another one arrives, the one that has kept the server
/// waiting for longest is closed.
///
/// A client that holds connections open, or sends single bytes, thus keeps nobody else from being answered.
struct AdminPlaces<ID: Hashable> {
    /// The verdict on a new connection.
    enum Admission: Hashable {
        case admitted
        /// The connection that has kept the server waiting for longest must be closed.
        case insteadOf(ID)
        /// All other connections are being answered.
        case refused
    }

    let maximum: Int
    /// When each began to keep the server waiting, in nanoseconds of a monotonic clock: for a request, or for its
    /// client to read the answer. `nil` while its answer is being prepared.
    private var waiting: [ID: UInt64?] = [:]

    init(maximum: Int) { self.maximum = maximum }

    var count: Int { waiting.count }

    mutating func add(_ id: ID, now: UInt64) -> Admission {
        guard waiting.count >= maximum else {
            waiting[id] = .some(now)
            return .admitted
        }
        let longest = waiting.compactMap { id, since in since.map { (id, $0) } }.min { $0.1 < $1.1 }
        guard let longest else { return .refused }
        waiting[longest.0] = nil
        waiting[id] = .some(now)
        return .insteadOf(longest.0)
    }

    /// A whole request has arrived.
    mutating func asked(_ id: ID) { if waiting[id] != nil { waiting[id] = .some(nil) } }

    /// The answer is ready, and the client has to read it.
    mutating func answered(_ id: ID, now: UInt64) { if waiting[id] != nil { waiting[id] = .some(now) } }

    mutating func remove(_ id: ID) { waiting[id] = nil }
}
