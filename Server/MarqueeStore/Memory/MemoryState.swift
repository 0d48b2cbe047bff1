import MarqueeModel

/// Everything that a memory store holds.
struct MemoryState {
    struct LogEntry {
        var commit: CatalogueCommit
        /// Bytes of its changes as JSON, so that both engines mean the same by the history's bound.
        var bytes: Int
        /// Seconds since 1970.
        var made: UInt64
    }

    struct UserLog {
        var revision: UInt64 = 0
        /// Subjects and the revisions that set them.
        var favorites: [String: UInt64] = [:]
    }

    struct ClientLog {
        var last: UInt64 = 0
        var answers: [UInt64: KeptAnswer] = [:]
        /// When it made its last mutation: microseconds since 1970, made to rise with each mutation of any client.
        var used: UInt64 = 0
    }

    let limits: StoreLimits
    private(set) var records: [RecordName: CatalogueRecord] = [:]
    /// Movies that have changed since the search knew all titles.
    var unindexed: Set<UInt64> = []
    private(set) var revision: UInt64 = 0
    private(set) var log: [LogEntry] = []
    private var logBytes = 0
    /// Keys of commits, and the revisions that they led to.
    private var keys: [String: UInt64] = [:]
    private(set) var users: [String: UserLog] = [:]
    private var clients: [StoreLog: [[UInt8]: ClientLog]] = [:]
    private var lastUse: UInt64 = 0
    /// Milliseconds since 1970; set before each batch.
    var now: UInt64 = 0

    init(limits: StoreLimits) { self.limits = limits }
}

extension MemoryState: StoreTransaction {
    func record(_ name: RecordName) -> CatalogueRecord? {
        guard case .shelfItem(let id, let item) = name else { return records[name] }
        guard case .shelf(let shelf)? = records[.shelf(id)] else { return nil }
        return shelf.items.first { $0.id == item }.map { .shelfItem(shelf: id, $0) }
    }

    func chartSteps(of chart: String) -> [ChartStep] {
        records.keys.compactMap { if case .chartDay(chart, let step) = $0 { step } else { nil } }
    }

    func catalogueRevision() -> UInt64 { revision }

    func hasKey(_ key: String) -> Bool { keys[key] != nil }

    mutating func keep(key: String, revision: UInt64) {
        keys[key] = revision
        guard keys.count > limits.commitKeys else { return }
        let oldest = keys.sorted { a, b in
            a.value != b.value ? a.value < b.value : a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
        }
        for (key, _) in oldest.prefix(limits.commitKeysDropped) { keys[key] = nil }
    }

    mutating func append(_ planned: PlannedCommit) {
        for (name, record) in planned.records {
            if case .shelfItem(let id, let item)? = record {
                guard case .shelf(var shelf)? = records[.shelf(id)] else { continue }
                _ = shelf.replace(item)
                records[.shelf(id)] = .shelf(shelf)
                continue
            }
            records[name] = record
            if case .movie(let id) = name { unindexed.insert(id) }
        }
        revision = planned.commit.revision
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

    func userRevision(_ user: String) -> UInt64 { users[user]?.revision ?? 0 }

    func isFavorite(_ subject: String, of user: String) -> Bool { users[user]?.favorites[subject] != nil }

    func favoriteCount(of user: String) -> Int { users[user]?.favorites.count ?? 0 }

    mutating func setFavorite(_ subject: String, of user: String, on: Bool, revision: UInt64) {
        users[user, default: UserLog()].favorites[subject] = on ? revision : nil
        users[user, default: UserLog()].revision = revision
    }

    func lastMutation(of client: [UInt8], in log: StoreLog) -> UInt64? { clients[log]?[client]?.last }

    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) -> KeptAnswer? {
        clients[log]?[client]?.answers[number]
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
        while known.count > limits.clients, let silent = known.min(by: { $0.value.used < $1.value.used }) {
            known[silent.key] = nil
        }
        clients[log] = known
    }
}

extension UInt64 {
    /// Not below 0.
    func decreased(by other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}

extension RecordName {
    /// The order of a snapshot: what others refer to comes first, and within a kind by name.
    static func precedes(_ a: RecordName, _ b: RecordName) -> Bool {
        let (a, b) = (a.order, b.order)
        if a.kind != b.kind { return a.kind < b.kind }
        if a.id != b.id { return a.id < b.id }
        // By bytes, as SQLite orders.
        if a.name != b.name { return a.name.utf8.lexicographicallyPrecedes(b.name.utf8) }
        guard let one = a.step, let other = b.step else { return false }
        return one < other
    }

    private var order: (kind: Int, id: UInt64, name: String, step: ChartStep?) {
        switch self {
        case .genre(let id): (0, id, "", nil)
        case .person(let id): (1, id, "", nil)
        case .movie(let id): (2, id, "", nil)
        case .credits(let id): (3, id, "", nil)
        case .chartDay(let chart, let step): (4, 0, chart, step)
        case .shownDay(let chart): (5, 0, chart, nil)
        case .choice(let pool): (6, 0, pool, nil)
        case .shelf(let id), .shelfItem(let id, _): (7, 0, id, nil)
        case .page(let id): (8, 0, id, nil)
        case .programme: (9, 0, "", nil)
        }
    }
}
