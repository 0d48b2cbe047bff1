import MarqueeModel

/// The mutations of some clients within one transaction: the answers kept so far, and the changes to them.
///
/// Loaded with the clients' rows locked, and written at the end of the transaction.
struct PostgresMutations {
    private struct Client {
        /// `nil` for a client without mutations in this log.
        var last: UInt64?
    }

    private struct AnswerKey: Hashable {
        var client: [UInt8]
        var number: UInt64
    }

    private let log: StoreLog
    private let limits: StoreLimits
    /// Microseconds since 1970.
    private let now: Int64
    private var clients: [[UInt8]: Client] = [:]
    private var answers: [StoreLog: [[UInt8]: [UInt64: KeptAnswer]]] = [:]
    private var newestUse: Int64 = 0
    /// How many clients this log knows; `nil` while they aren't counted.
    private var count: Int?
    /// The clients that have been silent for longest, in order, as they were when read.
    private var silent: ArraySlice<(client: [UInt8], used: Int64)> = []
    /// Whether `silent` has all other clients.
    private var knowsAllSilent = false

    // Changes to be saved.
    private var used: [[UInt8]: Int64] = [:]
    private var dropped: Set<AnswerKey> = []
    private var added: Set<AnswerKey> = []
    private var forgotten: [(client: [UInt8], used: Int64)] = []
    private var emptied: Set<[UInt8]> = []
    /// How many clients were new to this log.
    private(set) var newClients = 0
    /// Whether a new client was refused, so that the next batch counts again.
    private(set) var isFull = false

    /// How many silent clients to read: enough to forget one for each new client, even if all of the transaction's own
    /// clients are among them, and some left over from before.
    private static func silentClients(for clients: Int) -> Int { 2 * clients + 256 }

    /// - Parameter now: milliseconds since 1970.
    init(log: StoreLog, limits: StoreLimits, now: UInt64) {
        self.log = log
        self.limits = limits
        self.now = Self.microseconds(now)
    }

    private static func microseconds(_ milliseconds: UInt64) -> Int64 {
        Int64(clamping: milliseconds.multipliedReportingOverflow(by: 1_000).partialValue)
    }

    // MARK: - Loading

    /// How many statements `loading` returns.
    static let loadingStatements = 5

    /// The statements that lock the rows of some clients, in the order in which all nodes lock them, and read them.
    /// - Parameters:
    ///   - counting: whether clients beyond the limit on their number are to be forgotten, too.
    ///   - now: milliseconds since 1970, by which clients may be forgotten; `nil` for the database's clock.
    static func loading(
        _ ids: some Collection<[UInt8]>, of log: StoreLog, limits: StoreLimits, counting: Bool, now: UInt64?
    ) -> [PostgresStatement] {
        let ids = Set(ids).sorted { $0.lexicographicallyPrecedes($1) }
        let some = PostgresValue.blobs(ids)
        let column = "\(log.columnPrefix)_used"
        return [
            PostgresStatement(
                "INSERT INTO mutation_client (client) SELECT unnest($1) ON CONFLICT DO NOTHING", [some]),
            PostgresStatement(
                """
                SELECT client, \(log.columnPrefix)_last FROM mutation_client WHERE client = ANY($1)
                ORDER BY client FOR UPDATE
                """, [some]),
            PostgresStatement(
                "SELECT client, log, number, fingerprint, revision, changed FROM mutation_answer WHERE client = ANY($1)",
                [some]),
            PostgresStatement(
                """
                SELECT (SELECT coalesce(max(\(column)), 0) FROM mutation_client),
                    CASE WHEN $1 THEN (SELECT count(\(column)) FROM mutation_client) END
                """, [.flag(counting)]),
            PostgresStatement(
                """
                SELECT client, \(column) FROM mutation_client
                WHERE \(column) < CASE WHEN $1 THEN \(Int64.max)
                    ELSE coalesce($2::int8, (extract(epoch FROM now()) * 1000000)::int8) - $3 END
                ORDER BY \(column) LIMIT $4
                """,
                [
                    .flag(counting), now.map { PostgresValue.integer(microseconds($0)) } ?? .null,
                    .integer(Int64(clamping: limits.clientMicroseconds)),
                    .integer(Int64(silentClients(for: ids.count))),
                ]),
        ]
    }

    /// Reads the results of the statements from `loading`.
    /// - Parameter expected: how many clients the statements named.
    /// - Throws: also when another node forgot one of the clients between two of the statements; then the batch has to
    ///   be tried again.
    mutating func load(_ results: ArraySlice<PostgresRows>, of expected: Int) throws {
        let results = Array(results)
        guard results.count == Self.loadingStatements else { throw MalformedRow() }
        try results[1].each { row in clients[try row.blob(0)] = Client(last: try row.optionalUnsigned(1)) }
        guard clients.count == expected else { throw PostgresError.conflict("a client was forgotten meanwhile") }
        try results[2].each { row in
            guard let log = StoreLog.allCases.first(where: { $0.number == (try? row.integer(1)) }) else {
                throw MalformedRow()
            }
            answers[log, default: [:]][try row.blob(0), default: [:]][try row.unsigned(2)] = KeptAnswer(
                fingerprint: UInt64(bitPattern: try row.integer(3)), revision: try row.unsigned(4),
                changed: try row.flag(5))
        }
        newestUse = max(newestUse, try results[3].first?.integer(0) ?? 0)
        count = try results[3].first?.optionalInteger(1).map { Int(clamping: $0) }
        silent = try results[4].map { (client: try $0.blob(0), used: try $0.integer(1)) }[...]
        knowsAllSilent = count != nil && silent.count < Self.silentClients(for: expected)
    }

    // MARK: - Questions of the rules

    func lastMutation(of client: [UInt8], in log: StoreLog) -> UInt64? {
        precondition(log == self.log, "a transaction judges the mutations of its own log")
        return clients[client]?.last
    }

    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) -> KeptAnswer? {
        answers[log]?[client]?[number]
    }

    mutating func keep(_ answer: KeptAnswer, to mutation: MutationID) {
        let client = mutation.client
        let isNew = clients[client]?.last == nil
        newestUse = max(newestUse.addingReportingOverflow(1).partialValue, now)
        clients[client] = Client(last: mutation.number)
        used[client] = newestUse
        emptied.remove(client)
        answers[log, default: [:]][client, default: [:]][mutation.number] = answer
        added.insert(AnswerKey(client: client, number: mutation.number))
        dropAnswers(of: client, through: min(mutation.answeredThrough, mutation.number - 1))
        guard isNew else { return }
        newClients += 1
        if let known = count { count = known + 1 }
        forgetSilentClients()
    }

    /// Drops the answers that a client has received, and its oldest ones beyond the limit.
    private mutating func dropAnswers(of client: [UInt8], through answered: UInt64) {
        let numbers = (answers[log]?[client] ?? [:]).keys.sorted()
        let surplus = numbers.count - limits.answersPerClient
        for (index, number) in numbers.enumerated() where number <= answered || index < surplus {
            drop(AnswerKey(client: client, number: number))
        }
    }

    private mutating func drop(_ key: AnswerKey) {
        answers[log]?[key.client]?[key.number] = nil
        added.remove(key)
        dropped.insert(key)
    }

    /// Clients whose last mutation was before this may be forgotten.
    private var oldestUse: Int64 {
        now.subtractingReportingOverflow(Int64(clamping: limits.clientMicroseconds)).partialValue
    }

    private mutating func forgetSilentClients() {
        while let next = mostSilent(),
            next.used < oldestUse || ((count ?? 0) > limits.clients && !isRecent(next.used))
        {
            if let known = count { count = known - 1 }
            guard clients[next.client] != nil else {
                silent = silent.dropFirst()
                forgotten.append(next)
                continue
            }
            clients[next.client]?.last = nil
            used[next.client] = nil
            emptied.insert(next.client)
            for number in (answers[log]?[next.client] ?? [:]).keys {
                drop(AnswerKey(client: next.client, number: number))
            }
        }
    }

    private func isRecent(_ used: Int64) -> Bool {
        limits.isRecent(UInt64(max(0, used)), now: UInt64(max(0, now)))
    }

    /// Whether a new client may make a mutation. While clients aren't counted, any may.
    mutating func hasRoomForClient() -> Bool {
        guard let count, count >= limits.clients, let next = mostSilent(), isRecent(next.used) else { return true }
        isFull = true
        return false
    }

    /// The client silent for longest. Clients heard from in this transaction come after all others.
    private mutating func mostSilent() -> (client: [UInt8], used: Int64)? {
        while let first = silent.first, used[first.client] != nil || emptied.contains(first.client) {
            silent = silent.dropFirst()
        }
        if let first = silent.first { return first }
        guard knowsAllSilent else { return nil }
        return used.min { $0.value < $1.value }.map { ($0.key, $0.value) }
    }

    /// How many clients were new to this log; `nil` if there was no room for some, so that the next batch counts again.
    var counted: Int? { isFull ? nil : newClients }

    // MARK: - Saving

    /// The statements that write the changes, however many mutations there were.
    var saving: [PostgresStatement] {
        let prefix = log.columnPrefix
        var statements: [PostgresStatement] = []
        let changed = Array(used.keys) + emptied
        if !changed.isEmpty {
            statements.append(
                PostgresStatement(
                    """
                    UPDATE mutation_client c SET \(prefix)_last = d.last, \(prefix)_used = d.used
                    FROM unnest($1, $2, $3) AS d (client, last, used) WHERE c.client = d.client
                    """,
                    [
                        .blobs(changed), .integers(changed.map { clients[$0]?.last.map { Int64(clamping: $0) } }),
                        .integers(changed.map { used[$0] }),
                    ]))
        }
        if !dropped.isEmpty {
            statements.append(
                PostgresStatement(
                    """
                    DELETE FROM mutation_answer a USING unnest($1, $2) AS d (client, number)
                    WHERE a.client = d.client AND a.log = $3 AND a.number = d.number
                    """,
                    [
                        .blobs(dropped.map(\.client)), .integers(dropped.map { Int64(clamping: $0.number) }),
                        .integer(log.number),
                    ]))
        }
        if !added.isEmpty { statements.append(savingAnswers) }
        if !forgotten.isEmpty {
            statements.append(
                PostgresStatement(
                    """
                    WITH gone AS (
                        SELECT c.client FROM mutation_client c
                        JOIN unnest($1, $2) AS d (client, used) ON c.client = d.client AND c.\(prefix)_used = d.used
                        FOR UPDATE OF c SKIP LOCKED
                    ), unanswered AS (
                        DELETE FROM mutation_answer a USING gone WHERE a.client = gone.client AND a.log = $3
                    )
                    UPDATE mutation_client c SET \(prefix)_last = NULL, \(prefix)_used = NULL FROM gone
                    WHERE c.client = gone.client
                    """,
                    [
                        .blobs(forgotten.map(\.client)), .integers(forgotten.map(\.used)), .integer(log.number),
                    ]))
        }
        // Rows that were created only to be locked, and those of clients that neither log knows any longer.
        let idle = clients.filter { $0.value.last == nil }.map(\.key) + forgotten.map(\.client)
        if !idle.isEmpty {
            statements.append(
                PostgresStatement(
                    """
                    DELETE FROM mutation_client
                    WHERE client = ANY($1) AND users_last IS NULL AND catalogue_last IS NULL
                    """, [.blobs(idle)]))
        }
        return statements
    }

    private var savingAnswers: PostgresStatement {
        let kept = added.compactMap { key in answers[log]?[key.client]?[key.number].map { (key, $0) } }
        return PostgresStatement(
            """
            INSERT INTO mutation_answer (client, log, number, fingerprint, revision, changed)
            SELECT client, $6, number, fingerprint, revision, changed
            FROM unnest($1, $2, $3, $4, $5) AS d (client, number, fingerprint, revision, changed)
            """,
            [
                .blobs(kept.map(\.0.client)), .integers(kept.map { Int64(clamping: $0.0.number) }),
                .integers(kept.map { Int64(bitPattern: $0.1.fingerprint) }),
                .integers(kept.map { Int64(clamping: $0.1.revision) }), .flags(kept.map(\.1.changed)),
                .integer(log.number),
            ])
    }
}
