/// Makes a store's connections, and has each one's database prove that it has the history that this process has seen.
/// Thread safe.
final class PostgresGate: Sendable {
    let url: PostgresURL
    let witness: StoreWitness
    let durability: PostgresDurability
    let stop: PostgresStop
    let timeouts: PostgresTimeouts

    init(
        _ url: PostgresURL, witness: StoreWitness = StoreWitness(), durability: PostgresDurability, stop: PostgresStop,
        timeouts: PostgresTimeouts = .ordinary
    ) {
        self.url = url
        self.witness = witness
        self.durability = durability
        self.stop = stop
        self.timeouts = timeouts
    }

    /// Why the database can never be used again by this process; `nil` if it can.
    var failure: StoreError? { witness.end.flatMap(refusal) }

    // MARK: - Connections

    /// A connection for reads or looks, proven.
    /// - Parameter use: the purpose, as the server's operator sees it.
    func connection(for use: String, _ timeouts: PostgresTimeouts? = nil) throws -> PostgresConnection {
        var choice = PostgresHostChoice(hosts: url.hosts.count)
        var host: Int?
        var refusal: (any Error)?
        while true {
            do {
                let connection = try PostgresConnection(
                    url, timeouts: timeouts ?? self.timeouts, use: use, host: host.map { url.hosts[$0] }, stop: stop)
                choice.connected()
                try prove(connection)
                return connection
            } catch {
                let former = (error as? FormerPrimary)?.error
                refusal = refusal ?? former
                switch choice.failed(isFormerPrimary: former != nil, isStopped: stop.isSet) {
                case .connect(let next): host = next
                case .fail: throw error
                case .refuse: throw refusal ?? error
                }
            }
        }
    }

    /// A connection for writes, to be proven before anything else is done with it.
    /// - Parameter host: its index among the hosts of the address; `nil` for the first that takes writes.
    func unprovenConnection(for use: String, host: Int?) throws -> PostgresConnection {
        try PostgresConnection(url, timeouts: timeouts, use: use, host: host.map { url.hosts[$0] }, stop: stop)
    }

    /// Judges whether a connection's database has the history that this process has seen.
    /// - Throws: `FormerPrimary`, or the reason why the database can't be used.
    func prove(_ connection: PostgresConnection) throws {
        let question = question()
        let answer = try question.answer(
            try connection.run(question.statements)[...], of: connection,
            PostgresDurability(allowsLostCommits: true))
        let proof = witness.judge(answer.found, asked: question.seen)
        guard let error = refusal(proof) else { return }
        if case .olderTimeline = proof { throw FormerPrimary(error: error) }
        throw error
    }

    /// A connection leads to a former primary.
    struct FormerPrimary: Error {
        var error: StoreError
    }

    // MARK: - Proofs

    /// The question to ask now. The answer has to cover each commit that was known before the statements began.
    func question() -> PostgresQuestion { PostgresQuestion(seen: witness.seen) }

    /// Judges the answer of a connection's database; call it within the transaction that asked.
    /// - Throws: if the database doesn't have the history that this process has seen.
    func accept(_ answer: PostgresQuestion.Answer, to question: PostgresQuestion) throws {
        if let error = refusal(witness.judge(answer.found, asked: question.seen)) { throw error }
    }

    /// The reason why a database can't be used, given the verdict on its history; `nil` if it can.
    func refusal(_ proof: HistoryProof) -> StoreError? { StoreError(proof, at: "\(url)") }

    /// Whether a connection leads to where this process last found its history.
    func leadsToCurrentPrimary(_ connection: PostgresConnection) -> Bool { witness.seen.isFound(at: connection.place) }
}
