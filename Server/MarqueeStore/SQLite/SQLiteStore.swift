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
        /// The users' file, as the thread that writes the catalogue sees it.
        let usersSeen: DatabaseQueue
        let opened: OpenedFolder
    }

    package let cluster: String
    let epochs: LogEpochs
    private let limits: StoreLimits
    private let clock: StoreClock
    private let ages = Mutex<[StoreLog: StoreAge]>([:])
    /// `nil` after `close`.
    private let files: Mutex<Files?>
    /// Updated by the catalogue's writing thread, as each of its batches ends.
    private let tally: Mutex<CatalogueTally>
    /// Updated once a batch is durable.
    private let recent = Mutex(RecentCommits())
    private let checkedUsers = CheckedUsers()
    private let newClients = NewClients()
    private let newest: NewestCommits
    let typeLibrary: TypeLibrary
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    /// Opens the store in a data folder; missing files are created.
    /// - Parameters:
    ///   - clock: the time of day, by which ages are counted; `nil` for the system's.
    ///   - steady: a monotonic clock in milliseconds; `nil` for the system's, or for a given `clock`.
    ///   - programmeCheck: keeps types from replacing those that the programme needs; `nil` where nothing is shown.
    /// - Throws: `ownedByOther`, `foreignFile`, `notDurable`, `corrupt`, `diskFull` or `io`, with a sentence that names
    ///   the folder or file.
    package init(
        folder: String, limits: StoreLimits = StoreLimits(), clock: WallClock? = nil, steady: WallClock? = nil,
        programmeCheck: ProgrammeCheck? = nil
    ) throws(StoreError) {
        let owned = try DataFolder(folder)
        try RestoredFiles(folder: folder).settle()
        DiskReserve(folder: folder).settle()
        var names = StoreNames()
        let (catalogueEpoch, usersEpoch) = (names.nextEpoch(), names.nextEpoch())
        let catalogue = try StoreFile(.catalogue, in: folder).open(
            fileBytes: limits.fileBytes,
            firstMeta: [StoreSchema.Meta.epoch: StoreNames.hexadecimal(catalogueEpoch)])
        let users = try StoreFile(.users, in: folder).open(
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
        newest = NewestCommits(in: folder)
        for (log, pool) in [(StoreLog.catalogue, catalogue), (.users, users)] {
            newest.note(log, try StoreError.translating(pool.path) { try pool.read(log.newestStamp) })
        }
        self.typeLibrary = library
        self.cluster = ofUsers.cluster
        self.epochs = LogEpochs(catalogue: ofCatalogue.epoch, users: ofUsers.epoch)
        self.limits = limits
        self.clock = StoreClock(wall: clock, steady: steady)
        self.files = Mutex(
            Files(
                folder: owned, catalogue: catalogue, users: users,
                usersSeen: try StoreFile(.users, in: folder).openForReading(), opened: OpenedFolder(folder)))
        self.tally = Mutex(ofCatalogue.tally)
    }

    deinit { try? close() }

    package func catalogueHead() throws(StoreError) -> LogHead {
        LogHead(epoch: epochs.catalogue, revision: try reading(\.catalogue, StoreQueries.catalogueRevision))
    }

    package func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit] {
        guard limit > 0 else { return [] }
        _ = try opened()
        if let recent = recentCommits(after: revision, limit: limit) { return recent }
        return try reading(\.catalogue) { try StoreQueries.commits(after: revision, limit: limit, $0) }
    }

    package func recentCommits(after revision: UInt64, limit: Int) -> [CatalogueCommit]? {
        recent.withLock { $0.commits(after: revision, limit: limit) }
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

    package func sources() throws(StoreError) -> [SourcePosition] {
        try reading(\.catalogue) { db in
            var found: [SourcePosition] = []
            try RecordTables.readSources(from: db) { found.append($0) }
            return found
        }
    }

    package func records(
        ofType alias: String, after id: String?, limit: Int
    ) throws(StoreError) -> [StoredRecord] {
        try reading(\.catalogue) { db in
            var found: [StoredRecord] = []
            try RecordTables.read(ofType: alias, after: id, limit: limit, from: db) {
                found.append(StoredRecord(id: $0.id, bytes: $1))
            }
            return found
        }
    }

    /// Whether a folder holds a catalogue.
    package static func exists(_ folder: String) -> Bool { FileSystem.exists(StoreLog.catalogue.path(in: folder)) }

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
        let (outcomes, hasChanged) = try writes.committed { (writes, log) throws(StoreError) in
            try commit(writes, to: log, files)
        }
        if hasChanged { wake.withLock { $0 }?() }
        return outcomes
    }

    /// Removes stored editions of lists beyond the limit.
    /// - Returns: how many were removed.
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
        try remove(removals)
        return removals.count
    }

    package func writeAheadBytes(of log: StoreLog) -> Int? {
        (try? opened()).flatMap { WriteAheadLog(log, in: $0.folder.path).bytes }
    }

    /// Checks that writes still reach the folder that was opened.
    /// - Throws: `lost`, or `closed`.
    package func checkFolder() throws(StoreError) { try opened().opened.check() }

    /// Publishes the address at which the folder is served, for processes that find it in use: `HOST:PORT`.
    package func announce(address: String) { files.withLock { $0?.folder.announce(address) } }

    /// One transaction on one file.
    /// - Throws: when nothing was applied, or the file it went to is no longer in the folder.
    private func commit(
        _ writes: [StoreWrite], to log: StoreLog, _ files: Files
    ) throws(StoreError) -> [StoreOutcome] {
        try files.opened.check()
        var outcomes: [StoreOutcome] = []
        var stamp: Int64 = 0
        switch log {
        case .catalogue:
            try inCatalogue(files) { transaction in
                for write in writes { outcomes.append(try transaction.apply(write, limits: limits)) }
                return transaction
            }
        case .users:
            try StoreError.translating(files.users.path) {
                try files.users.writing { written in
                    // Such a transaction is short, so one view of the other file serves all of it.
                    try files.catalogue.read { seen in
                        var transaction = try transaction(on: .users, written, .view(TableReader(seen)))
                        for write in writes {
                            outcomes.append(try transaction.apply(write, limits: limits, newClients: newClients))
                        }
                    }
                    stamp = try StoreLog.users.newestStamp(written.database)
                    return .commit
                }
            }
            newest.note(.users, stamp)
        }
        // Check again: the file may have disappeared in the meantime.
        try files.opened.check()
        return outcomes
    }

    /// A transaction on the catalogue's file.
    ///
    /// It may take seconds, during which collections are written too. A view of the users' file that is held for so
    /// long would keep SQLite from reusing that file's write-ahead log, so each read has a view of its own.
    /// - Parameter body: returns the transaction as it ends, or `nil` to roll it back.
    private func inCatalogue(
        _ files: Files, _ body: (inout SQLiteTransaction) throws -> SQLiteTransaction?
    ) throws(StoreError) {
        var ended: SQLiteTransaction?
        var stamp: Int64 = 0
        try StoreError.translating(files.catalogue.path) {
            try files.catalogue.writing { written in
                var transaction = try transaction(on: .catalogue, written, .file(files.usersSeen))
                ended = try body(&transaction)
                if ended != nil { stamp = try StoreLog.catalogue.newestStamp(written.database) }
                return ended == nil ? .rollback : .commit
            }
        }
        guard let ended else { return }
        newest.note(.catalogue, stamp)
        tally.withLock { $0 = ended.tally }
        recent.withLock { $0.append(ended.appended) }
    }

    private func transaction(
        on log: StoreLog, _ written: TableWriter, _ other: SQLiteTransaction.Other
    ) throws -> SQLiteTransaction {
        let newest = try StoreQueries.newestTime(of: log, written)
        let now = ages.withLock { ages in
            ages[log, default: StoreAge()].now(wall: clock.wall(), steady: clock.steady(), newest: newest)
        }
        return SQLiteTransaction(
            log: log, written: written, other: other, checkedUsers: checkedUsers, typeLibrary: typeLibrary,
            limits: limits, tally: tally.withLock { $0 }, now: now)
    }

    package func transaction(_ body: (any CatalogueWriter) -> Bool) throws(StoreError) {
        let files = try opened()
        try files.opened.check()
        var isKept = false
        try inCatalogue(files) { transaction in
            let writer = SQLiteWriter(transaction, path: files.catalogue.path, epoch: epochs.catalogue)
            isKept = body(writer)
            let ended = writer.end()
            return isKept ? ended : nil
        }
        try files.opened.check()
        if isKept { wake.withLock { $0 }?() }
    }

    package func onWake(_ wake: @escaping @Sendable () -> Void) {
        self.wake.withLock { $0 = wake }
    }

    package func close() throws(StoreError) {
        guard let files = files.withLock({ $0.take() }) else { return }
        // GRDB closes the reading connections last, and those can't empty the write-ahead log. A copy of the .sqlite
        // file alone should be complete.
        for (log, pool) in [(StoreLog.users, files.users), (.catalogue, files.catalogue)] {
            try? WriteAheadLog(log, in: files.folder.path).end(pool)
        }
        try StoreError.translating(files.folder.path) {
            try files.usersSeen.close()
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

    /// Runs `body` on a consistent view of one file.
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
