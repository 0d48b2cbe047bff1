/// Whether a node should be sent clients, whether it can store their changes, and if not, why.
struct Readiness: Encodable, Hashable {
    /// The clients that are still served in spite of a problem.
    enum Served: Hashable {
        case nobody
        /// Clients see stored content; their changes are refused, and they keep them until they can send them.
        case readers
        /// It is for people to know: all other nodes have the same problem.
        case everybody
    }

    struct Problem: Hashable {
        var reason: String
        var served: Served
        /// The problem's age in seconds.
        var seconds: UInt64?

        init(_ reason: String, _ served: Served, seconds: UInt64? = nil) {
            self.reason = reason
            self.served = served
            self.seconds = seconds
        }
    }

    struct Check: Encodable, Hashable {
        var ok: Bool
        /// The problem, and its age in seconds.
        var reason: String?
        var seconds: UInt64?
    }

    let ready: Bool
    let writable: Bool
    let checks: [String: Check]

    /// The readiness of a node that serves.
    /// - Parameter problems: the problems, by the name of the check.
    init(problems: [String: Problem], of origin: AdminNode.Origin = .store) {
        ready = problems.values.allSatisfy { $0.served != .nobody }
        writable = problems.values.allSatisfy { $0.served == .everybody }
        let fine = ["accepting", "hub", "state", "writes", origin.rawValue].map { ($0, Check(ok: true)) }
        checks = problems.mapValues { Check(ok: false, reason: $0.reason, seconds: $0.seconds) }
            .merging(fine) { problem, _ in problem }
    }

    /// The readiness of a node that doesn't serve, for which nothing else is checked.
    /// - Parameters:
    ///   - state: what the node is doing instead.
    ///   - seconds: how long it has been doing that.
    init(state: String, seconds: UInt64? = nil) {
        (ready, writable) = (false, false)
        checks = ["state": Check(ok: false, reason: state, seconds: seconds)]
    }
}
