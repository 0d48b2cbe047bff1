import MarqueeCatalogue
import MarqueeModel

/// A batch of writes to the users' log: everything that they need is read, with its rows locked, in one round trip; the
/// rules are applied in memory; and the changes are written in a second round trip.
///
/// All nodes lock clients before users, and each kind in the order of their bytes, so that no two wait for each other.
struct PostgresUserBatch {
    private struct Key: Hashable {
        var user: String
        var name: MemberName
    }

    private struct CollectionKey: Hashable {
        var user: String
        var collection: CollectionName
    }

    let typeLibrary: TypeLibrary
    /// Milliseconds since 1970.
    let now: UInt64
    private let mark: Int64
    private(set) var mutations: PostgresMutations
    private var points: [String: LogPoint] = [:]
    /// Makes the chains of this transaction differ from those of any other.
    private let salt = UInt64.random(in: .min ... .max)
    private var members: [Key: StoredMember] = [:]
    private var counts: [String: [CollectionName: Int]] = [:]

    // Changes to be saved.
    private var changedUsers: Set<String> = []
    private var moves: [(move: UserMove, chain: UInt64)] = []
    private var changedMembers: Set<Key> = []
    private var changedCounts: Set<CollectionKey> = []
    private var observations = PostgresObservations()

    /// Begins the transaction and reads what the writes name. Names that the rules refuse are left out: not all of them
    /// can be sent to the server.
    /// - Parameters:
    ///   - mark: marks the moves that the batch makes.
    ///   - begin: the statements that begin the transaction.
    ///   - gate: judges whether the database has the history that this process has seen.
    ///   - wall: the time of day, in milliseconds since 1970; `nil` for the database's.
    ///   - now: derives the time by which ages are counted from the database's answer, in milliseconds since 1970.
    init(
        _ writes: [StoreWrite], mark: Int64, connection: PostgresConnection, begin: [PostgresStatement],
        gate: PostgresGate, limits: StoreLimits, library: TypeLibrary, counting: Bool, wall: UInt64?,
        now: (PostgresQuestion.Answer) -> UInt64
    ) throws {
        typeLibrary = library
        self.mark = mark
        var keys: Set<Key> = []
        var clients: Set<[UInt8]> = []
        var hasObservations = false
        for write in writes {
            switch write {
            case .catalogue, .draft: break
            case .member(let user, let change, let mutation):
                if mutation.hasClient { clients.insert(mutation.client) }
                if Self.areStorable(user, change.name) { keys.insert(Key(user: user, name: change.name)) }
            case .observed(_, let mutation):
                if mutation.hasClient { clients.insert(mutation.client) }
                hasObservations = true
            }
        }
        let ofObservations = hasObservations ? [PostgresObservations.loading] : []
        let loading = PostgresMutations.loading(clients, of: .users, limits: limits, counting: counting, now: wall)
        let question = gate.question()
        let results = try connection.run(begin + loading + Self.loading(keys) + ofObservations + question.statements)
        let answer = try question.answer(results.suffix(PostgresQuestion.count), of: connection, gate.durability)
        try gate.accept(answer, to: question)
        self.now = now(answer)
        mutations = PostgresMutations(log: .users, limits: limits, now: self.now)
        try mutations.load(results[begin.count...].prefix(loading.count), of: clients.count)
        let rest = results[(begin.count + loading.count)...].dropLast(PostgresQuestion.count)
        if hasObservations, let found = rest.last { try observations.load(found) }
        try load(Array(rest.dropLast(ofObservations.count)))
    }

    /// The user whose log moved last, with its newest point; `nil` if no log moved.
    var newest: (name: String, LogPoint)? {
        moves.last.map { ($0.move.user, LogPoint(revision: $0.move.move.revision, chain: $0.chain)) }
    }

    private static func areStorable(_ user: String, _ name: MemberName) -> Bool {
        CatalogueBounds.isIdentifier(user, limit: CatalogueBounds.userName)
            && CatalogueBounds.isIdentifier(name.collection.name, limit: CollectionName.maximumLength)
            && CatalogueBounds.isIdentifier(name.subject, limit: Subject.maximumLength)
    }

    private static func loading(_ keys: Set<Key>) -> [PostgresStatement] {
        let users = Set(keys.map(\.user)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let keys = Array(keys)
        return [
            PostgresStatement(
                "INSERT INTO user_log (name, revision) SELECT unnest($1), 0 ON CONFLICT DO NOTHING", [.texts(users)]),
            PostgresStatement(
                "SELECT name, revision, chain FROM user_log WHERE name = ANY($1) ORDER BY name FOR UPDATE",
                [.texts(users)]),
            PostgresStatement(
                """
                SELECT m.user_name, m.collection, m.subject, m.value, m.revision FROM member m
                JOIN unnest($1, $2, $3) AS d (user_name, collection, subject)
                ON m.user_name = d.user_name AND m.collection = d.collection AND m.subject = d.subject
                """,
                [
                    .texts(keys.map(\.user)), .texts(keys.map(\.name.collection.name)),
                    .texts(keys.map(\.name.subject)),
                ]),
            PostgresStatement(
                "SELECT user_name, collection, members FROM user_collection WHERE user_name = ANY($1)",
                [.texts(users)]),
        ]
    }

    private mutating func load(_ results: [PostgresRows]) throws {
        guard results.count == 4 else { throw MalformedRow() }
        try results[1].each { row in
            points[try row.text(0)] = LogPoint(
                revision: try row.unsigned(1), chain: UInt64(bitPattern: try row.integer(2)))
        }
        try results[2].each { row in
            let member = try StoredMember(row, at: 1)
            members[Key(user: try row.text(0), name: member.name)] = member
        }
        try results[3].each { row in
            counts[try row.text(0), default: [:]][CollectionName(try row.text(1))] = try row.count(2)
        }
    }

    // MARK: - Saving

    /// The statements that write the changes, however many writes there were; none if nothing has changed.
    var saving: [PostgresStatement] {
        var statements = mutations.saving
        if !changedUsers.isEmpty { statements += savingUsers }
        if !changedMembers.isEmpty { statements += savingMembers }
        if !changedCounts.isEmpty { statements += savingCounts }
        statements += observations.saving
        let unchanged = points.filter { $0.value.revision == 0 }.map(\.key)
        if !unchanged.isEmpty, !statements.isEmpty {
            // Rows that were created only to be locked.
            statements.append(
                PostgresStatement("DELETE FROM user_log WHERE name = ANY($1) AND revision = 0", [.texts(unchanged)]))
        }
        return statements
    }

    private var savingUsers: [PostgresStatement] {
        let users = Array(changedUsers)
        let values: [PostgresValue] = [
            .texts(users), .integers(users.map { Int64(clamping: points[$0]?.revision ?? 0) }),
            .integers(users.map { Int64(bitPattern: points[$0]?.chain ?? 0) }),
        ]
        return [
            PostgresStatement(
                """
                UPDATE user_log u SET revision = d.revision, chain = d.chain
                FROM unnest($1, $2, $3) AS d (name, revision, chain) WHERE u.name = d.name
                """, values),
            PostgresStatement(
                """
                INSERT INTO user_move (node, user_name, collection, subject, value, revision, chain)
                SELECT $1, * FROM unnest($2, $3, $4, $5, $6, $7)
                """,
                [
                    .integer(mark), .texts(moves.map(\.move.user)),
                    .texts(moves.map(\.move.move.change.collection.name)),
                    .texts(moves.map(\.move.move.change.subject)), .blobs(moves.map(\.move.move.member?.value)),
                    .integers(moves.map { Int64(clamping: $0.move.move.revision) }),
                    .integers(moves.map { Int64(bitPattern: $0.chain) }),
                ]),
        ]
    }

    private var savingMembers: [PostgresStatement] {
        let kept = changedMembers.compactMap { key in members[key].map { (key.user, $0) } }
        let removed = changedMembers.filter { members[$0] == nil }
        let removing = PostgresStatement(
            """
            DELETE FROM member m USING unnest($1, $2, $3) AS d (user_name, collection, subject)
            WHERE m.user_name = d.user_name AND m.collection = d.collection AND m.subject = d.subject
            """,
            [
                .texts(removed.map(\.user)), .texts(removed.map(\.name.collection.name)),
                .texts(removed.map(\.name.subject)),
            ])
        let putting = PostgresStatement(
            """
            INSERT INTO member (user_name, collection, subject, value, revision)
            SELECT * FROM unnest($1, $2, $3, $4, $5)
            ON CONFLICT (user_name, collection, subject)
            DO UPDATE SET value = EXCLUDED.value, revision = EXCLUDED.revision
            """,
            [
                .texts(kept.map(\.0)), .texts(kept.map(\.1.collection.name)), .texts(kept.map(\.1.subject)),
                .blobs(kept.map(\.1.value)), .integers(kept.map { Int64(clamping: $0.1.revision) }),
            ])
        return (removed.isEmpty ? [] : [removing]) + (kept.isEmpty ? [] : [putting])
    }

    private var savingCounts: [PostgresStatement] {
        let changed = changedCounts.map { ($0, counts[$0.user]?[$0.collection] ?? 0) }
        let (kept, emptied) = (changed.filter { $0.1 > 0 }, changed.filter { $0.1 == 0 })
        let removing = PostgresStatement(
            """
            DELETE FROM user_collection c USING unnest($1, $2) AS d (user_name, collection)
            WHERE c.user_name = d.user_name AND c.collection = d.collection
            """, [.texts(emptied.map(\.0.user)), .texts(emptied.map(\.0.collection.name))])
        let putting = PostgresStatement(
            """
            INSERT INTO user_collection (user_name, collection, members) SELECT * FROM unnest($1, $2, $3)
            ON CONFLICT (user_name, collection) DO UPDATE SET members = EXCLUDED.members
            """,
            [
                .texts(kept.map(\.0.user)), .texts(kept.map(\.0.collection.name)),
                .integers(kept.map { Int64($0.1) }),
            ])
        return (emptied.isEmpty ? [] : [removing]) + (kept.isEmpty ? [] : [putting])
    }
}

// MARK: - Questions of the rules

extension PostgresUserBatch: StoreTransaction {
    func userRevision(_ user: String) -> UInt64 { points[user]?.revision ?? 0 }

    func member(_ name: MemberName, of user: String) -> StoredMember? { members[Key(user: user, name: name)] }

    func memberCount(of user: String, in collection: CollectionName) -> Int { counts[user]?[collection] ?? 0 }

    func collectionCount(of user: String) -> Int { counts[user]?.count ?? 0 }

    mutating func keep(_ move: MemberMove, of user: String) throws {
        let key = Key(user: user, name: move.change.name)
        let growth = (move.member == nil ? 0 : 1) - (members[key] == nil ? 0 : 1)
        if growth != 0 {
            let count = memberCount(of: user, in: key.name.collection) + growth
            // A negative count means that the stored count was too low.
            guard count >= 0 else { throw StoreDamage(membersOf: user) }
            counts[user, default: [:]][key.name.collection] = count == 0 ? nil : count
            changedCounts.insert(CollectionKey(user: user, collection: key.name.collection))
        }
        members[key] = move.member
        changedMembers.insert(key)
        let point = CommitChain.next(after: points[user] ?? LogPoint(revision: 0, chain: 0), move, salt: salt)
        points[user] = point
        changedUsers.insert(user)
        moves.append((UserMove(user: user, move: move), point.chain))
    }

    func observationHead() throws -> ObservationHead {
        guard let head = observations.head else { throw MalformedRow() }
        return head
    }

    mutating func keep(_ rows: [ObservedRow], head: ObservationHead) { observations.keep(rows, head: head) }

    func lastMutation(of client: [UInt8], in log: StoreLog) -> UInt64? { mutations.lastMutation(of: client, in: log) }

    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) -> KeptAnswer? {
        mutations.answer(to: number, of: client, in: log)
    }

    mutating func hasRoomForClient(in log: StoreLog) -> Bool { mutations.hasRoomForClient() }

    mutating func keep(_ answer: KeptAnswer, to mutation: MutationID, in log: StoreLog) {
        mutations.keep(answer, to: mutation)
    }

    // The rules ask these about the catalogue only when they commit to it.
    private func refuse() -> Never { preconditionFailure("a batch of the users' log leaves the catalogue alone") }

    func record(_ name: RecordName) -> CatalogueRecord? { refuse() }
    func catalogueRevision() -> UInt64 { refuse() }
    func hasRecords(ofType alias: String) -> Bool { refuse() }
    func kept(_ key: String) -> KeptKey? { refuse() }
    func keep(_ kept: KeptKey, of key: String) { refuse() }
    func append(_ planned: PlannedCommit) { refuse() }
    func hasMembers(in collection: CollectionName) -> Bool { refuse() }
    func draft(_ name: String) -> Draft? { refuse() }
    func draftSummaries() -> [DraftSummary] { refuse() }
    func keep(_ draft: Draft) { refuse() }
    func removeDraft(_ name: String) { refuse() }
    func entryCount(of list: ListName) -> Int? { refuse() }
    func entryKey(of list: ListName, at rank: Int) -> String? { refuse() }
    func editions(of list: String) -> [String?] { refuse() }
    func hasList(declaredAs name: String) -> Bool { refuse() }
}

extension StoredMember {
    /// - Parameter column: the column of the collection; subject, value and revision follow.
    init(_ row: PostgresRow, at column: Int) throws {
        self.init(
            collection: CollectionName(try row.text(column)), subject: try row.text(column + 1),
            value: try row.blob(column + 2), revision: try row.unsigned(column + 3))
    }
}
