import Foundation
import GRDB
package import MarqueeCatalogue
import MarqueeModel
import Synchronization

/// A store in a folder of its own: `catalogue.sqlite`, which can be rebuilt, and `users.sqlite`, which can't.
/// `owner.lock` names the one process that has it open.
///
/// Writes that `write` returned as done survive a crash and a power cut. Each write touches one file only, and a batch
/// is one transaction per file: if one file can't be written, for example on a full disk, the writes to it fail and
/// those to the other one stand.
///
/// Every row carries a sum that is checked when it is read. Damaged data is neither served nor built on: reading it
/// throws `corrupt`, and a write that depends on it fails. Nothing is confirmed once a file of the folder has been
/// deleted, moved or replaced.
package final class SQLiteStore: TransactionalStore {
    struct Files {
        let folder: DataFolder
        let catalogue: DatabasePool
        let users: DatabasePool
        let opened: OpenedFolder

        /// The file that a log is written to, and the other file.
        func pools(of log: StoreLog) -> (written: DatabasePool, other: DatabasePool) {
            switch log {
            case .catalogue: (catalogue, users)
            case .users: (users, catalogue)
            }
        }
    }

    package let cluster: String
    let epochs: (catalogue: UInt64, users: UInt64)
    private let limits: StoreLimits
    private let clock: WallClock
    /// `nil` after `close`.
    private let files: Mutex<Files?>
    /// Updated with each batch.
    private let tally: Mutex<CatalogueTally>
    /// Updated once a batch is durable.
    private let recent = Mutex(RecentCommits())
    private let checkedUsers = CheckedUsers()
    let typeLibrary: TypeLibrary
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    /// Opens the store in a data folder; missing files are created.
    /// - Parameters:
    ///   - clock: the clock that ages are measured by; `nil` for the system's.
    ///   - programmeCheck: keeps types from replacing those that the programme needs; `nil` where nothing is shown.
    /// - Throws: `ownedByOther`, `foreignFile`, `notDurable`, `corrupt`, `diskFull` or `io`, with a sentence that names
    ///   the folder or file.
    package init(
        folder: String, limits: StoreLimits = StoreLimits(), clock: WallClock? = nil,
        programmeCheck: ProgrammeCheck? = nil
    ) throws(StoreError) {
        let clock = clock ?? { systemWallClock() }
        let owned = try DataFolder(folder)
        try RestoredFiles(folder: folder).settle()
        DiskReserve(folder: folder).settle()
        var names = StoreNames()
        let (catalogueEpoch, usersEpoch) = (names.nextEpoch(), names.nextEpoch())
        let catalogue = try StoreFile(path: StoreLog.catalogue.path(in: folder), schema: .catalogue).open(
            fileBytes: limits.fileBytes,
            firstMeta: [StoreSchema.Meta.epoch: StoreNames.hexadecimal(catalogueEpoch)])
        let users = try StoreFile(path: StoreLog.users.path(in: folder), schema: .users).open(
            fileBytes: limits.fileBytes,
            firstMeta: [
                StoreSchema.Meta.epoch: StoreNames.hexadecimal(usersEpoch),
                StoreSchema.Meta.cluster: names.nextCluster(),
            ])
        try owned.synchronize()
        let library = TypeLibrary(programmeCheck: programmeCheck)
        let ofCatalogue = try StoreError.translating(catalogue.path) {
            try SQLiteStore.index(catalogue, library)
            return (
                epoch: try SQLiteStore.epoch(catalogue),
                tally: try catalogue.read { try StoreQueries.tally(TableReader($0)) }
            )
        }
        let ofUsers = try StoreError.translating(users.path) {
            (epoch: try SQLiteStore.epoch(users), cluster: try SQLiteStore.meta(StoreSchema.Meta.cluster, users))
        }
        self.typeLibrary = library
        self.cluster = ofUsers.cluster
        self.epochs = (ofCatalogue.epoch, ofUsers.epoch)
        self.limits = limits
        self.clock = clock
        self.files = Mutex(
            Files(folder: owned, catalogue: catalogue, users: users, opened: OpenedFolder(folder)))
        self.tally = Mutex(ofCatalogue.tally)
    }

    deinit { try? close() }

    package func catalogueHead() throws(StoreError) -> LogHead {
        LogHead(epoch: epochs.catalogue, revision: try reading(\.catalogue, StoreQueries.catalogueRevision))
    }

    package func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        guard limit > 0 else { return [] }
        _ = try opened()
        if let recent = recent.withLock({ $0.commits(after: revision, limit: limit) }) { return recent }
        return try reading(\.catalogue) { try StoreQueries.commits(after: revision, limit: limit, $0) }
    }

    package func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead {
        let revision = try reading(\.catalogue) { db in
            let revision = try StoreQueries.catalogueRevision(db)
            try RecordTables.readAll(from: db) { receive($0.change) }
            return revision
        }
        return LogHead(epoch: epochs.catalogue, revision: revision)
    }

    /// The types of records in force; `nil` if there are none.
    package func types() throws(StoreError) -> TypesDocument? {
        try reading(\.catalogue) { db in
            if case .types(let types)? = try RecordTables.read(.types, from: db) { types } else { nil }
        }
    }

    /// Whether a folder holds a catalogue.
    package static func isThere(_ folder: String) -> Bool { FileSystem.exists(StoreLog.catalogue.path(in: folder)) }

    package func userHead(_ user: String) throws(StoreError) -> LogHead {
        LogHead(epoch: epochs.users, revision: try reading(\.users) { try StoreQueries.userLog(user, $0).revision })
    }

    package func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember]) {
        let (log, members) = try reading(\.users) { try StoreQueries.members(of: user, $0) }
        return (LogHead(epoch: epochs.users, revision: log.revision), members)
    }

    package func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64? {
        let inCatalogue = try reading(\.catalogue) { try StoreQueries.lastMutation(of: client, $0) }
        let inUsers = try reading(\.users) { try StoreQueries.lastMutation(of: client, $0) }
        return [inCatalogue, inUsers].compactMap { $0 }.max()
    }

    package func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        let files = try opened()
        var outcomes: [Int: StoreOutcome] = [:]
        var failure: (error: StoreError, writes: Int)?
        for log in StoreLog.allCases {
            let indices = writes.indices.filter { writes[$0].log == log }
            if indices.isEmpty { continue }
            do throws(StoreError) {
                let done = try commit(indices.map { writes[$0] }, to: log, files)
                for (index, outcome) in zip(indices, done) { outcomes[index] = outcome }
            } catch {
                for index in indices { outcomes[index] = .failed(error) }
                failure = (error, (failure?.writes ?? 0) + indices.count)
            }
        }
        if let failure, failure.writes == writes.count { throw failure.error }
        if outcomes.values.contains(where: \.hasChanged) { wake.withLock { $0 }?() }
        return writes.indices.compactMap { outcomes[$0] }
    }

    /// Removes stored editions of lists beyond the limit, in one commit.
    /// - Returns: how many.
    package func dropOldEditions() throws(StoreError) -> Int {
        guard let limit = limits.listEditions else { return 0 }
        let removals = try reading(\.catalogue) { db in
            try ListTables.withEditions(db).sorted().flatMap { list in
                var shown: String?
                if case .shownEdition(_, let edition)? = try RecordTables.read(.shownEdition(list: list), from: db) {
                    shown = edition
                }
                return CommitPlan.surplus(
                    of: try ListTables.editions(of: list, db).compactMap { $0 }, shown: shown, keeping: limit
                ).map { Change.removeList(ListName(list, edition: $0)) }
            }
        }
        guard !removals.isEmpty else { return 0 }
        for start in stride(from: 0, to: removals.count, by: CatalogueBounds.changesPerCommit) {
            let changes = Array(removals[start...].prefix(CatalogueBounds.changesPerCommit))
            _ = try write([.catalogue(key: nil, changes: changes, mutation: nil)])
        }
        return removals.count
    }

    /// Whether writes still reach the folder that was opened.
    /// - Throws: `lost`, or `closed`.
    package func checkFolder() throws(StoreError) { try opened().opened.check() }

    /// Publishes the address at which the folder is served, for processes that find it in use: `HOST:PORT`.
    package func announce(address: String) { files.withLock { $0?.folder.announce(address) } }

    /// One transaction on one file.
    /// - Throws: when nothing was applied, or the file it went to is no longer in the folder.
    private func commit(
        _ writes: [StoreWrite], to log: StoreLog, _ files: Files
    ) throws(StoreError) -> [StoreOutcome] {
        let (pool, other) = files.pools(of: log)
        try files.opened.check()
        var outcomes: [StoreOutcome] = []
        var tally = tally.withLock { $0 }
        var appended = RecentCommits()
        try StoreError.translating(pool.path) {
            try pool.writing { written in
                try other.read { seen in
                    var transaction = transaction(on: log, written, seen, tally)
                    for write in writes { outcomes.append(try transaction.apply(write, limits: limits)) }
                    (tally, appended) = (transaction.tally, transaction.appended)
                }
                return .commit
            }
        }
        try keep(tally, appended, files)
        return outcomes
    }

    /// A transaction is durable.
    private func keep(
        _ tally: CatalogueTally, _ appended: RecentCommits, _ files: Files
    ) throws(StoreError) {
        self.tally.withLock { $0 = tally }
        recent.withLock { $0.append(appended) }
        // Check again: the file may have gone in the meantime.
        try files.opened.check()
    }

    private func transaction(
        on log: StoreLog, _ written: TableWriter, _ seen: Database, _ tally: CatalogueTally
    ) -> SQLiteTransaction {
        SQLiteTransaction(
            log: log, written: written, other: TableReader(seen), checkedUsers: checkedUsers, typeLibrary: typeLibrary,
            limits: limits, tally: tally, now: clock())
    }

    package func transaction(_ body: (any CatalogueWriter) -> Bool) throws(StoreError) {
        let files = try opened()
        let (pool, other) = files.pools(of: .catalogue)
        try files.opened.check()
        let tally = tally.withLock { $0 }
        var ended: (tally: CatalogueTally, appended: RecentCommits)?
        try StoreError.translating(pool.path) {
            try pool.writing { written in
                try other.read { seen in
                    let writer = SQLiteWriter(
                        transaction(on: .catalogue, written, seen, tally), path: pool.path, epoch: epochs.catalogue)
                    let isKept = body(writer)
                    ended = isKept ? writer.end() : nil
                    return isKept ? .commit : .rollback
                }
            }
        }
        guard let ended else { return }
        try keep(ended.tally, ended.appended, files)
        wake.withLock { $0 }?()
    }

    package func onWake(_ wake: @escaping @Sendable () -> Void) {
        self.wake.withLock { $0 = wake }
    }

    package func close() throws(StoreError) {
        guard let files = files.withLock({ $0.take() }) else { return }
        // GRDB closes the reading connections last, and those can't empty the write-ahead log. A copy of the .sqlite
        // file alone should be complete. Pages that can't be moved now, because a reader still needs them, are moved
        // when the store is next opened.
        for pool in [files.users, files.catalogue] {
            try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }
        try StoreError.translating(files.folder.path) {
            try files.users.close()
            try files.catalogue.close()
        }
    }

    /// Reads the durability settings back from both writers.
    /// - Throws: `notDurable` when a commit could be lost.
    package func checkDurable() throws(StoreError) {
        let files = try opened()
        try StoreError.translating(files.folder.path) {
            try StoreFile.checkDurable(files.catalogue, files.catalogue.path)
            try StoreFile.checkDurable(files.users, files.users.path)
        }
    }

    func opened() throws(StoreError) -> Files {
        guard let files = files.withLock({ $0 }) else { throw .closed }
        return files
    }

    /// A consistent read of one file.
    func reading<Value>(
        _ file: KeyPath<Files, DatabasePool>, _ body: (TableReader) throws -> Value
    ) throws(StoreError) -> Value {
        let pool = try opened()[keyPath: file]
        return try StoreError.translating(pool.path) { try pool.read { try body(TableReader($0)) } }
    }

    private static func meta(_ name: String, _ pool: DatabasePool) throws -> String {
        guard let value = try pool.read({ try StoreQueries.meta(name, TableReader($0)) }) else {
            throw StoreError(.corrupt, "\(pool.path) does not name its \(name)")
        }
        return value
    }

    private static func epoch(_ pool: DatabasePool) throws -> UInt64 {
        guard let epoch = UInt64(try meta(StoreSchema.Meta.epoch, pool), radix: 16) else {
            throw StoreError(.corrupt, "\(pool.path) has an epoch that is not a number")
        }
        return epoch
    }
}
