/// Whether a node should be sent clients, whether it can store what they change, and why not.
struct Readiness: Encodable, Hashable {
    /// The clients that are served in spite of a problem.
    enum Served: Hashable {
        case nobody
        /// Clients see stored content; their changes are refused, and they keep them.
        case readers
        /// It is for people to know: all other nodes have the same problem.
        case everybody
    }

    struct Problem: Hashable {
        var reason: String
        var served: Served
        /// Since when.
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

    /// A node that serves.
    /// - Parameter problems: what is wrong, by the name of the check.
    init(problems: [String: Problem], of origin: AdminNode.Origin = .store) {
        ready = problems.values.allSatisfy { $0.served != .nobody }
        writable = problems.values.allSatisfy { $0.served == .everybody }
        let fine = ["accepting", "hub", "state", "writes", origin.rawValue].map { ($0, Check(ok: true)) }
        checks = problems.mapValues { Check(ok: false, reason: $0.reason, seconds: $0.seconds) }
            .merging(fine) { problem, _ in problem }
    }

    /// A node that doesn't serve: nothing else is looked at.
    /// - Parameters:
    ///   - state: what it does instead.
    ///   - seconds: for how long.
    init(state: String, seconds: UInt64? = nil) {
        (ready, writable) = (false, false)
        checks = ["state": Check(ok: false, reason: state, seconds: seconds)]
    }
}
