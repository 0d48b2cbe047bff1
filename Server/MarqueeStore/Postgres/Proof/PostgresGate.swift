import Synchronization

/// Makes a store's connections, and lets none be used whose database hasn't been proven to have the history that this
/// process has seen. Thread safe.
final class PostgresGate: Sendable {
    let url: PostgresURL
    let witness: StoreWitness
    let durability: PostgresDurability
    let stop: PostgresStop
    let timeouts: PostgresTimeouts
    /// Why nothing is read or written any more.
    private let end = Mutex<StoreError?>(nil)

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
    var failure: StoreError? { end.withLock { $0 } }

    // MARK: - Connections

    /// A connection for reads or looks, proven.
    /// - Parameter use: what the server's operator sees it is for.
    func connection(for use: String, _ timeouts: PostgresTimeouts? = nil) throws -> PostgresConnection {
        try chosen { try PostgresConnection(url, timeouts: timeouts ?? self.timeouts, use: use, host: $0, stop: stop) }
    }

    /// A connection for writes, proven and durable.
    /// - Returns: the connection, and what its transactions set.
    func writingConnection(for use: String) throws -> (PostgresConnection, setting: PostgresStatement?) {
        let connection = try connection(for: use)
        // Settings can differ from user to user, and a failover leads to a server with its own.
        return (connection, try durability.prepare(connection))
    }

    /// A former primary that has come back may be the first of several hosts that takes writes.
    private func chosen(_ connect: (PostgresURL.Host?) throws -> PostgresConnection) throws -> PostgresConnection {
        do {
            let connection = try connect(nil)
            try prove(connection)
            return connection
        } catch let refusal as FormerPrimary {
            for host in url.hosts {
                guard !stop.isSet, let connection = try? connect(host) else { continue }
                do {
                    try prove(connection)
                    return connection
                } catch is FormerPrimary {
                    continue
                }
            }
            throw refusal.error
        }
    }

    private struct FormerPrimary: Error {
        var error: StoreError
    }

    private func prove(_ connection: PostgresConnection) throws {
        let question = question()
        let answer = try question.answer(
            try connection.run(question.statements)[...], of: connection,
            PostgresDurability(allowsLostCommits: true))
        let proof = witness.judge(answer.found, asked: question.seen)
        guard let error = refusal(proof) else { return }
        if case .olderTimeline = proof { throw FormerPrimary(error: error) }
        throw error
    }

    // MARK: - Proofs

    /// What is to be asked now. What is known before a statement begins has to be there when it is answered.
    func question() -> PostgresQuestion { PostgresQuestion(seen: witness.seen) }

    /// Judges what a connection's database has answered, within the transaction that asked.
    /// - Throws: if it is not the history that this process has seen.
    func accept(_ answer: PostgresQuestion.Answer, to question: PostgresQuestion) throws {
        if let error = refusal(witness.judge(answer.found, asked: question.seen)) { throw error }
    }

    private func refusal(_ proof: HistoryProof) -> StoreError? {
        guard let error = StoreError(proof, at: "\(url)") else { return nil }
        if error.code.isFinal { end.withLock { if $0 == nil { $0 = error } } }
        return error
    }

    /// Whether a connection leads where this process last found its history.
    func leadsToPresent(_ connection: PostgresConnection) -> Bool {
        witness.seen.place.map { $0 == connection.place } ?? true
    }
}
