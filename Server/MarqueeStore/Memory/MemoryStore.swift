package import MarqueeCatalogue
import MarqueeModel
import Synchronization

/// A store that lives as long as its object: for tests, simulations, and dry runs of imports.
package final class MemoryStore: TransactionalStore, ObservationLog, DraftStore {
    package let cluster: String
    private let epochs: LogEpochs
    /// The server and timeline that the store reports, as if it were a database.
    package let place: HistoryPlace
    private let limits: StoreLimits
    private let clock: StoreClock
    private let ages = Mutex(StoreAge())
    /// `nil` after `close`.
    private let state: Mutex<MemoryState?>
    private let newClients = NewClients()
    /// Made by the first search, and kept up to date by the later ones.
    private let index = Mutex<MemorySearch?>(nil)
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameters:
    ///   - seed: makes the cluster's name and the epochs repeatable; `nil` for random ones.
    ///   - clock: the time of day, by which ages are counted; `nil` for the system's.
    ///   - steady: a monotonic clock in milliseconds; `nil` for the system's, or for a given `clock`.
    ///   - programmeCheck: keeps types from replacing those that the programme needs; `nil` where nothing is shown.
    package init(
        limits: StoreLimits = StoreLimits(), seed: UInt64? = nil, clock: WallClock? = nil, steady: WallClock? = nil,
        programmeCheck: ProgrammeCheck? = nil
    ) {
        var names = seed.map(StoreNames.init(seed:)) ?? StoreNames()
        self.cluster = names.nextCluster()
        self.epochs = LogEpochs(catalogue: names.nextEpoch(), users: names.nextEpoch())
        self.limits = limits
        self.clock = StoreClock(wall: clock, steady: steady)
        place = HistoryPlace(system: names.nextEpoch(), timeline: 1)
        var state = MemoryState(limits: limits, programmeCheck: programmeCheck)
        state.salts = names
        self.state = Mutex(state)
    }

    /// A store as it would be after restoring a backup of `other` made now: the same content and cluster, logs with new
    /// epochs.
    ///
    /// - Throws: `closed`.
    package init(restoring other: MemoryStore, seed: UInt64) throws(StoreError) {
        var names = StoreNames(seed: seed)
        var copy = try other.withState { $0 }
        self.cluster = other.cluster
        self.epochs = LogEpochs(catalogue: names.nextEpoch(), users: names.nextEpoch())
        place = other.place
        copy.salts = names
        self.limits = other.limits
        self.clock = other.clock
        self.state = Mutex(copy)
    }

    /// The store that a standby of `other` would be if promoted now: the same content, in the same logs.
    ///
    /// - Throws: `closed`.
    package init(standbyOf other: MemoryStore, seed: UInt64) throws(StoreError) {
        var copy = try other.withState { $0 }
        self.cluster = other.cluster
        self.epochs = other.epochs
        place = HistoryPlace(system: other.place.system, timeline: other.place.timeline + 1)
        copy.salts = StoreNames(seed: seed)
        self.limits = other.limits
        self.clock = other.clock
        self.state = Mutex(copy)
    }

    /// A store with the present content of `other`: what remains when `other` crashes later and loses every commit
    /// since.
    ///
    /// - Throws: `closed`.
    package init(crashed other: MemoryStore, seed: UInt64) throws(StoreError) {
        var copy = try other.withState { $0 }
        self.cluster = other.cluster
        self.epochs = other.epochs
        place = other.place
        copy.salts = StoreNames(seed: seed)
        self.limits = other.limits
        self.clock = other.clock
        self.state = Mutex(copy)
    }

    /// A copy of the catalogue in a data folder, which another process may have open. Users are left out.
    /// - Parameter programmeCheck: keeps types from replacing those that the programme needs.
    /// - Throws: as `StoredCatalogue.read`.
    package convenience init(
        copying folder: String, programmeCheck: ProgrammeCheck? = nil
    ) throws(StoreError) {
        self.init(programmeCheck: programmeCheck)
        var changes: [Change] = []
        try StoredCatalogue.read(folder) { changes.append($0) }
        while !changes.isEmpty {
            let batch = Array(changes.prefix(MemoryStore.copiedAtOnce))
            changes.removeFirst(batch.count)
            let outcomes = try write([.catalogue(key: nil, changes: batch, mutation: nil)])
            if case .refused(let reason)? = outcomes.first {
                throw StoreError(.corrupt, "\(folder) holds data that no catalogue accepts: \(reason)")
            }
        }
    }

    /// Changes per commit while a folder is copied.
    private static let copiedAtOnce = 10_000

    package func catalogueHead() throws(StoreError) -> LogHead {
        LogHead(epoch: epochs.catalogue, revision: try withState { $0.revision })
    }

    package func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        guard limit > 0 else { return [] }
        return try withState { state throws(StoreError) in
            guard revision < state.revision else { return [] }
            guard let oldest = state.log.first?.commit.revision, revision + 1 >= oldest else {
                throw .historyCut(after: revision)
            }
            return state.log.lazy.map(\.commit).drop { $0.revision <= revision }.prefix(limit).map { $0 }
        }
    }

    package func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead {
        let (revision, records) = try withState { ($0.revision, $0.records) }
        for name in records.keys.sorted(by: RecordName.precedes) {
            if let record = records[name] { receive(record.change) }
        }
        return LogHead(epoch: epochs.catalogue, revision: revision)
    }

    package func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches {
        let epoch = epochs.catalogue
        return try withState { state throws(StoreError) in
            let result: Result<FoundRecords, StoreError> = index.withLock { index in
                do throws(StoreError) {
                    let search: MemorySearch
                    if let index { search = index } else { search = try MemorySearch(&state) }
                    index = search
                    try search.update(&state)
                    return .success(try search.find(query, in: scope))
                } catch {
                    return .failure(error)
                }
            }
            let records = state.records
            return SearchMatches(
                head: LogHead(epoch: epoch, revision: state.revision), found: try result.get(), offset: offset,
                limit: limit, scope: scope, records: { ids in ids.compactMap { records[.typed($0)] } },
                record: { records[$0] })
        }
    }

    package func userHead(_ user: String) throws(StoreError) -> LogHead {
        LogHead(epoch: epochs.users, revision: try withState { $0.users[user]?.revision ?? 0 })
    }

    package func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        let log = try withState { $0.users[user] ?? MemoryState.UserLog() }
        return (
            LogHead(epoch: epochs.users, revision: log.revision), log.collections.values.flatMap(\.values)
        )
    }

    package func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? {
        try withState { state in
            StoreLog.allCases.compactMap { state.lastMutation(of: client, in: $0) }.max()
        }
    }

    package func observations(after position: UInt64, limit: Int) throws(StoreError) -> [ObservedRow] {
        guard limit > 0 else { return [] }
        return try withState { Array($0.observations.drop { $0.position <= position }.prefix(limit)) }
    }

    package func forgetObservations(through position: UInt64) throws(StoreError) -> Int {
        try withState { $0.forgetObservations(through: position) }
    }

    package func drafts() throws(StoreError) -> [DraftSummary] { try withState { $0.draftSummaries() } }

    package func draft(_ name: String) throws(StoreError) -> Draft? { try withState { $0.draft(name) } }

    package func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        let newest = try newestTime()
        let now = ages.withLock { $0.now(wall: clock.wall(), steady: clock.steady(), newest: newest) }
        return try write(writes, now: now)
    }

    /// Writes at a given time instead of the clock's.
    /// - Parameter now: the time by which ages are counted, in milliseconds since 1970.
    package func write(_ writes: [StoreWrite], now: UInt64) throws(StoreError) -> [StoreOutcome] {
        let outcomes: [StoreOutcome] = try withState { state throws(StoreError) in
            // On a copy, so that an error leaves nothing behind.
            var trial = state
            trial.now = now
            var outcomes = writes.map { _ in StoreOutcome.forgotten }
            do {
                for log in StoreLog.allCases {
                    for (index, write) in writes.enumerated() where write.log == log {
                        outcomes[index] = try trial.apply(write, limits: limits, newClients: newClients)
                    }
                }
            } catch {
                throw StoreError(.invalid, "the batch can't be written", cause: "\(error)")
            }
            state = trial
            return outcomes
        }
        if zip(writes, outcomes).contains(where: { $0.log == .catalogue && $1.hasChanged }) { wake.withLock { $0 }?() }
        return outcomes
    }

    package func transaction(_ body: (any CatalogueWriter) -> Bool) throws(StoreError) {
        let before = try withState { $0 }
        guard !body(self) else { return }
        state.withLock { $0 = before }
        index.withLock { $0 = nil }
    }

    package func onWake(_ wake: @escaping @Sendable () -> Void) {
        self.wake.withLock { $0 = wake }
    }

    package func close() throws(StoreError) {
        state.withLock { $0 = nil }
    }

    /// The answer that a database with this content gives about the history that a process has seen.
    /// - Throws: `closed`.
    package func history(asked seen: SeenHistory) throws(StoreError) -> FoundHistory {
        try withState { state in
            var found = FoundHistory(
                place: place, epochs: epochs, catalogue: state.chains.newest,
                chain: seen.catalogue.flatMap { state.chains.chain(at: $0.revision) })
            for user in seen.users {
                let chains = state.users[user.name]?.chains
                found.users[user.name] = FoundHistory.User(
                    newest: chains?.newest, chain: chains?.chain(at: user.point.revision))
            }
            return found
        }
    }

    /// The newest time noted with a mutation or commit, in milliseconds since 1970.
    /// - Throws: `closed`.
    package func newestTime() throws(StoreError) -> UInt64 { try withState { $0.newest } }

    /// The newest point of a user's log.
    /// - Throws: `closed`.
    package func point(of user: String) throws(StoreError) -> LogPoint? {
        try withState { $0.users[user]?.chains.newest }
    }

    private func withState<Value>(_ body: (inout MemoryState) throws(StoreError) -> Value) throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = state.withLock { state in
            guard var open = state.take() else { return .failure(.closed) }
            defer { state = open }
            do throws(StoreError) {
                return .success(try body(&open))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
