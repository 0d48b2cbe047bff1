/// A failure, and what must hold in spite of it.
struct Fault: Sendable {
    let name: String
    /// Its actions, in a sentence.
    let summary: String
    /// Beyond the laws that always hold.
    let promise: String
    /// Whether a server that is to end, or lose its database, may refuse changes that were on their way.
    var mayRefuse = false
    /// The longest wait of those who publish at other servers, in seconds; `nil` where all have to wait.
    var patience: Double?
    /// Whether the primary has a small disk of its own.
    var needsDisk = false
    /// Why it can't be tried on this machine; `nil` if it can.
    var obstacle: @Sendable () -> String? = { nil }
    let act: @Sendable (FaultScene) async throws -> Void

    /// The longest wait for a server that isn't one's own: 10 s, and the time until the writer tries again.
    static let othersWait = 10.0 + Bounds.call / .seconds(1)

    static let all = [quiet] + processes + cuts + databases + failovers + operations

    private static let quiet = Fault(
        name: "quiet", summary: "nothing", promise: "nobody waits", patience: othersWait
    ) { _ in
        try await Task.sleep(for: .seconds(5))
    }
}
