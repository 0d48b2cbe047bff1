/// Which of an address's connections there is room for: the most that may be open, of whom one that keeps the server
/// waiting goes when another one comes.
///
/// So somebody who holds connections open, or sends single bytes, keeps nobody else from being answered.
struct AdminPlaces<ID: Hashable> {
    /// The verdict on a new connection.
    enum Admission: Hashable {
        case admitted
        /// The one that has kept the server waiting for longest has to go.
        case insteadOf(ID)
        /// All others are being answered.
        case refused
    }

    let maximum: Int
    /// Since when each has kept the server waiting, in nanoseconds of a monotonic clock: for a request, or for room to
    /// send the answer. `nil` for those whose answers are being worked out.
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

    /// A whole request has come.
    mutating func asked(_ id: ID) { if waiting[id] != nil { waiting[id] = .some(nil) } }

    /// The answer is there, and the client has to take it.
    mutating func answered(_ id: ID, now: UInt64) { if waiting[id] != nil { waiting[id] = .some(now) } }

    mutating func remove(_ id: ID) { waiting[id] = nil }
}
