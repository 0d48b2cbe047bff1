import MarqueeCatalogue
import MarqueeModel

/// Everything that a memory store holds.
struct MemoryState {
    struct LogEntry {
        var commit: CatalogueCommit
        /// Bytes of its changes as JSON, so that the history's bound means the same to all engines.
        var bytes: Int
        /// Seconds since 1970.
        var made: UInt64
    }

    struct UserLog {
        var revision: UInt64 = 0
        var chains = ChainLinks()
        var collections: [CollectionName: [String: StoredMember]] = [:]
    }

    struct ClientLog {
        var last: UInt64 = 0
        var answers: [UInt64: KeptAnswer] = [:]
        /// When the client made its last mutation: microseconds since 1970, adjusted to rise with each mutation of any
        /// client.
        var used: UInt64 = 0
    }

    let limits: StoreLimits
    let typeLibrary: TypeLibrary
    private(set) var records: [RecordName: CatalogueRecord] = [:]
    /// Records and types changed since the search index was last up to date.
    var unindexed: Set<RecordName> = []
    private(set) var revision: UInt64 = 0
    private(set) var chains = ChainLinks()
    /// Draws the salts that make the chains of this history differ from those of any other.
    var salts = StoreNames()
    private(set) var log: [LogEntry] = []
    private var logBytes = 0
    /// The commit keys that are remembered.
    private var keys: [String: KeptKey] = [:]
    private(set) var users: [String: UserLog] = [:]
    private var clients: [StoreLog: [[UInt8]: ClientLog]] = [:]
    private(set) var observations: [ObservedRow] = []
    /// Each draft with its summary, computed once, when the draft is stored: it counts the bytes of all changes.
    private var drafts: [String: (draft: Draft, summary: DraftSummary)] = [:]
    private var newestObservation: ObservationHead?
    private var lastUse: UInt64 = 0
    /// Milliseconds since 1970; set before each batch.
    var now: UInt64 = 0

    init(limits: StoreLimits, programmeCheck: ProgrammeCheck? = nil) {
        self.limits = limits
        typeLibrary = TypeLibrary(programmeCheck: programmeCheck)
    }
}

extension MemoryState: StoreTransaction {
    func record(_ name: RecordName) -> CatalogueRecord? {
        switch name {
        case .listEntry(let name, let key):
            return list(name)?.entries.first { $0.key == key }.map { .listEntry(name, $0) }
        default: return records[name]
        }
    }

    private func list(_ name: ListName) -> RecordList? {
        if case .list(let list)? = records[.list(name)] { list } else { nil }
    }

    func entryCount(of name: ListName) -> Int? { list(name)?.entries.count }

    func entryKey(of name: ListName, at rank: Int) -> String? {
        list(name).flatMap { $0.entries.indices.contains(rank - 1) ? $0.entries[rank - 1].key : nil }
    }

    func editions(of list: String) -> [String?] {
        records.keys.compactMap { if case .list(let name) = $0, name.list == list { .some(name.edition) } else { nil } }
    }

    func hasList(declaredAs name: String) -> Bool {
        records.keys.contains { if case .list(let list) = $0 { list.declared == name } else { false } }
    }

    func hasRecords(ofType alias: String) -> Bool {
        records.keys.contains { if case .typed(let id) = $0 { id.type == alias } else { false } }
    }

    func catalogueRevision() -> UInt64 { revision }

    func kept(_ key: String) -> KeptKey? { keys[key] }

    mutating func keep(_ kept: KeptKey, of key: String) {
        keys[key] = kept
        guard keys.count > limits.commitKeys else { return }
        let oldest = keys.sorted { a, b in
            a.value != b.value ? a.value < b.value : a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
        }
        for (key, _) in oldest.prefix(limits.commitKeysDropped) { keys[key] = nil }
    }

    mutating func append(_ planned: PlannedCommit) {
        for (name, record) in planned.records {
            records[name] = record
            switch name {
            case .typed, .types: unindexed.insert(name)
            default: break
            }
        }
        for (name, edits) in Dictionary(grouping: planned.listEdits, by: \.list) {
            guard case .list(let list)? = records[.list(name)] else { continue }
            records[.list(name)] = .list(list.applying(edits))
        }
        revision = planned.commit.revision
        chains.add(
            CommitChain.next(
                after: chains.newest, revision: revision, salt: salts.nextEpoch(), json: planned.json))
        log.append(LogEntry(commit: planned.commit, bytes: planned.json.count, made: now / 1_000))
        logBytes += planned.json.count
        var dropped = 0
        while dropped < log.count - 1,
            limits.dropsOldest(
                bytes: logBytes, commits: UInt64(log.count - dropped),
                seconds: (now / 1_000).decreased(by: log[dropped].made))
        {
            logBytes -= log[dropped].bytes
            dropped += 1
        }
        log.removeFirst(dropped)
    }

    /// The newest time noted with a mutation or commit, in milliseconds.
    var newest: UInt64 { max(lastUse / 1_000, (log.last?.made ?? 0) * 1_000) }

    func userRevision(_ user: String) -> UInt64 { users[user]?.revision ?? 0 }

    func member(_ name: MemberName, of user: String) -> StoredMember? {
        users[user]?.collections[name.collection]?[name.subject]
    }

    func memberCount(of user: String, in collection: CollectionName) -> Int {
        users[user]?.collections[collection]?.count ?? 0
    }

    func collectionCount(of user: String) -> Int { users[user]?.collections.count ?? 0 }

    func hasMembers(in collection: CollectionName) -> Bool {
        users.values.contains { $0.collections[collection] != nil }
    }

    mutating func keep(_ move: MemberMove, of user: String) {
        let name = move.change.name
        users[user, default: UserLog()].collections[name.collection, default: [:]][name.subject] = move.member
        if users[user]?.collections[name.collection]?.isEmpty == true {
            users[user]?.collections[name.collection] = nil
        }
        users[user]?.revision = move.revision
        let newest = users[user]?.chains.newest ?? LogPoint(revision: 0, chain: 0)
        users[user]?.chains.add(CommitChain.next(after: newest, move, salt: salts.nextEpoch()))
    }

    func draft(_ name: String) -> Draft? { drafts[name]?.draft }

    func draftSummaries() -> [DraftSummary] { drafts.values.map(\.summary).sorted { $0.name < $1.name } }

    mutating func keep(_ draft: Draft) { drafts[draft.name] = (draft, draft.summary) }

    mutating func removeDraft(_ name: String) { drafts[name] = nil }

    func observationHead() -> ObservationHead { newestObservation ?? ObservationHead(madeAt: now) }

    mutating func keep(_ rows: [ObservedRow], head: ObservationHead) {
        observations += rows
        newestObservation = head
    }

    /// - Returns: how many observations were removed.
    mutating func forgetObservations(through position: UInt64) -> Int {
        let gone = observations.prefix { $0.position <= position }
        newestObservation?.bytes -= gone.reduce(0) { $0 + $1.bytes }
        observations.removeFirst(gone.count)
        return gone.count
    }

    func lastMutation(of client: [UInt8], in log: StoreLog) -> UInt64? { clients[log]?[client]?.last }

    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) -> KeptAnswer? {
        clients[log]?[client]?.answers[number]
    }

    func hasRoomForClient(in log: StoreLog) -> Bool {
        guard let known = clients[log], known.count >= limits.clients,
            let oldest = known.values.lazy.map(\.used).min()
        else { return true }
        return !limits.isRecent(oldest, now: now * 1_000)
    }

    mutating func keep(_ answer: KeptAnswer, to mutation: MutationID, in log: StoreLog) {
        var known = clients[log] ?? [:]
        clients[log] = nil
        lastUse = max(lastUse + 1, now * 1_000)
        let isNew = known[mutation.client] == nil
        var client = known[mutation.client] ?? ClientLog()
        client.last = mutation.number
        client.used = lastUse
        client.answers[mutation.number] = answer
        client.answers = client.answers.filter { $0.key > mutation.answeredThrough || $0.key == mutation.number }
        while client.answers.count > limits.answersPerClient, let oldest = client.answers.keys.min() {
            client.answers[oldest] = nil
        }
        known[mutation.client] = client
        if isNew {
            let silent = (now * 1_000).decreased(by: limits.clientMicroseconds)
            known = known.filter { $0.value.used >= silent }
        }
        while known.count > limits.clients, let silent = known.min(by: { $0.value.used < $1.value.used }),
            !limits.isRecent(silent.value.used, now: now * 1_000)
        {
            known[silent.key] = nil
        }
        clients[log] = known
    }
}

extension UInt64 {
    /// The difference, but not below 0.
    func decreased(by other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}

extension RecordName {
    /// The order of a snapshot: records that others refer to come first; within a kind, by the bytes of the name, as
    /// SQLite orders.
    static func precedes(_ a: RecordName, _ b: RecordName) -> Bool {
        let (a, b) = (a.order, b.order)
        return a.kind != b.kind ? a.kind < b.kind : a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }

    private var order: (kind: Int, name: String) {
        switch self {
        case .types: (0, "")
        // By type, then by id: neither contains a control character.
        case .typed(let id): (1, "\(id.type)\u{0}\(id.id)")
        case .list(let name), .listEntry(let name, _): (2, "\(name.list)\u{0}\(name.edition ?? "")")
        case .shownEdition(let list): (3, list)
        case .choice(let pool): (4, pool)
        case .page(let id): (5, id)
        case .programme: (6, "")
        case .time: (7, "")
        case .source(let name): (8, name)
        }
    }
}
