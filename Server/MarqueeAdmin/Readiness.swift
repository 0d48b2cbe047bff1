/// Whether a node should be sent clients, and why not.
struct Readiness: Encodable, Hashable {
    /// What a node that serves is judged by.
    private static let judged = ["accepting", "hub", "state", "store"]

    struct Check: Encodable, Hashable {
        var ok: Bool
        /// What is wrong.
        var reason: String?
    }

    let ready: Bool
    let checks: [String: Check]

    /// A node that serves.
    /// - Parameter problems: what is wrong, by what it is wrong with.
    init(problems: [String: String]) {
        ready = problems.isEmpty
        let fine = Self.judged.map { ($0, Check(ok: true)) }
        checks = problems.mapValues { Check(ok: false, reason: $0) }.merging(fine) { problem, _ in problem }
    }

    /// A node that doesn't serve: nothing else is looked at.
    /// - Parameter state: what it does instead.
    init(state: String) {
        ready = false
        checks = ["state": Check(ok: false, reason: state)]
    }
}
