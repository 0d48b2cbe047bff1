import Foundation
import GRDB
package import MarqueeModel
import Synchronization

/// A store in a folder of its own: `catalogue.sqlite`, which can be rebuilt, and `users.sqlite`, which can't.
/// `owner.lock` names the one process that has it open.
///
/// What `write` has returned as done survives the process and the power. Each write touches one file only, and a batch
/// is one transaction per file: where one file can't be written, such as on a full disk, the writes to it fail and
/// those to the other one stand.
///
/// Every row carries a sum that is compared when it is read. What is damaged is neither served nor written on: reading
/// it throws `corrupt`, and a write that builds on it fails. Nothing is confirmed once a file of the folder was
/// deleted, moved or replaced.
package final class SQLiteStore: TransactionalStore {
    private struct Files {
        let folder: DataFolder
        let catalogue: DatabasePool
        let users: DatabasePool
        let opened: OpenedFolder

        /// The file that a log is written to, and the other one.
        func pools(of log: StoreLog) -> (written: DatabasePool, other: DatabasePool) {
            switch log {
            case .catalogue: (catalogue, users)
            case .users: (users, catalogue)
            }
        }
    }

    package let cluster: String
    private let epochs: (catalogue: UInt64, users: UInt64)
    private let limits: StoreLimits
    private let clock: WallClock
    /// `nil` after `close`.
    private let files: Mutex<Files?>
    /// Changes with each batch.
    private let tally: Mutex<CatalogueTally>
    private let checkedUsers = CheckedUsers()
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    /// Opens the store of a data folder; what is missing is made.
    /// - Parameter clock: what ages are measured by; `nil` for the system's.
    /// - Throws: `ownedByOther`, `foreignFile`, `notDurable`, `corrupt`, `diskFull` or `io`, with a sentence that names
    ///   the folder or file.
    package init(
        folder: String, limits: StoreLimits = StoreLimits(), clock: WallClock? = nil
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
        let ofCatalogue = try StoreError.translating(catalogue.path) {
            try SQLiteStore.indexTitles(of: catalogue)
            return (epoch: try SQLiteStore.epoch(catalogue), tally: try catalogue.read(StoreQueries.tally))
        }
        let ofUsers = try StoreError.translating(users.path) {
            (epoch: try SQLiteStore.epoch(users), cluster: try SQLiteStore.meta(StoreSchema.Meta.cluster, users))
        }
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

    package func search(_ query: String, offset: Int, limit: Int) throws(StoreError) -> TitleMatches {
        let epoch = epochs.catalogue
        return try reading(\.catalogue) { db in
            let (found, isCapped) = try TitleIndex.find(query, in: db)
            let movies = try found.dropFirst(max(0, offset)).prefix(max(0, limit)).compactMap { id in
                if case .movie(let movie) = try RecordTables.read(.movie(id), from: db) { movie } else { nil }
            }
            let genres = try Set(movies.flatMap { $0.genres ?? [] }).sorted().compactMap { id in
                if case .genre(let genre) = try RecordTables.read(.genre(id), from: db) { genre } else { nil }
            }
            let head = LogHead(epoch: epoch, revision: try StoreQueries.catalogueRevision(db))
            return TitleMatches(head: head, total: found.count, isCapped: isCapped, movies: movies, genres: genres)
        }
    }

    /// Makes the titles of a file findable that was restored, or comes from a version which made them otherwise or not
    /// at all.
    private static func indexTitles(of pool: DatabasePool) throws {
        guard try !pool.read(TitleIndex.isCurrent) else { return }
        try pool.inTransaction { db in
            try TitleIndex.rebuild(in: db) { receive in
                try StoreTables.movie.allRows(order: "id", in: db) { row in
                    if case .movie(let movie) = try RecordTables.movie(row) { try receive(movie) }
                }
            }
        }
    }

    package func userHead(_ user: String) throws(StoreError) -> LogHead {
        LogHead(epoch: epochs.users, revision: try reading(\.users) { try StoreQueries.userLog(user, $0).revision })
    }

    package func favorites(of user: String) throws(StoreError) -> (head: LogHead, favorites: [Favorite]) {
        let (revision, favorites) = try reading(\.users) { try StoreQueries.favorites(of: user, $0) }
        return (LogHead(epoch: epochs.users, revision: revision), favorites)
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

    /// Days of charts beyond the limit that are stored already are removed, in one commit.
    /// - Returns: how many.
    package func dropOldChartDays() throws(StoreError) -> Int {
        guard let limit = limits.chartDays else { return 0 }
        let removals = try reading(\.catalogue) { db in
            var plan = CommitPlan()
            let charts = try String.fetchAll(db, sql: "SELECT DISTINCT chart FROM chart_day")
            try plan.dropDays(
                beyond: limit, of: Set(charts), stored: { try RecordTables.read($0, from: db) },
                days: { try StoreQueries.chartSteps(of: $0, db) })
            return plan.changes
        }
        guard !removals.isEmpty else { return 0 }
        for start in stride(from: 0, to: removals.count, by: CatalogueBounds.changesPerCommit) {
            let changes = Array(removals[start...].prefix(CatalogueBounds.changesPerCommit))
            _ = try write([.catalogue(key: nil, changes: changes, mutation: nil)])
        }
        return removals.count
    }

    /// Whether what is written still goes to the folder that was opened.
    /// - Throws: `lost`, or `closed`.
    package func checkFolder() throws(StoreError) { try opened().opened.check() }

    /// One transaction on one file.
    /// - Throws: when nothing of it was applied, or it went to a file that is no longer in the folder.
    private func commit(
        _ writes: [StoreWrite], to log: StoreLog, _ files: Files
    ) throws(StoreError) -> [StoreOutcome] {
        let (pool, other) = files.pools(of: log)
        try files.opened.check()
        var outcomes: [StoreOutcome] = []
        var tally = tally.withLock { $0 }
        try StoreError.translating(pool.path) {
            try pool.inTransaction { written in
                try other.read { seen in
                    var transaction = SQLiteTransaction(
                        catalogue: log == .catalogue ? written : seen, users: log == .users ? written : seen,
                        checkedUsers: checkedUsers, limits: limits, tally: tally, now: clock())
                    for write in writes { outcomes.append(try transaction.apply(write, limits: limits)) }
                    tally = transaction.tally
                }
            }
        }
        self.tally.withLock { $0 = tally }
        // Once more: it may have gone meanwhile.
        try files.opened.check()
        return outcomes
    }

    package func transaction(_ body: (any CatalogueWriter) -> Bool) throws(StoreError) {
        let files = try opened()
        let (pool, other) = files.pools(of: .catalogue)
        try files.opened.check()
        var tally = tally.withLock { $0 }
        var isKept = false
        try StoreError.translating(pool.path) {
            try pool.writeWithoutTransaction { written in
                try other.read { seen in
                    try written.inTransaction(.immediate) {
                        let writer = SQLiteWriter(
                            SQLiteTransaction(
                                catalogue: written, users: seen, checkedUsers: checkedUsers, limits: limits,
                                tally: tally, now: clock()),
                            path: pool.path, epoch: epochs.catalogue)
                        isKept = body(writer)
                        tally = writer.end() ?? tally
                        return isKept ? .commit : .rollback
                    }
                }
            }
        }
        guard isKept else { return }
        self.tally.withLock { $0 = tally }
        // Once more: it may have gone meanwhile.
        try files.opened.check()
        wake.withLock { $0 }?()
    }

    package func onWake(_ wake: @escaping @Sendable () -> Void) {
        self.wake.withLock { $0 = wake }
    }

    package func close() throws(StoreError) {
        guard let files = files.withLock({ $0.take() }) else { return }
        // GRDB closes the reading connections last, and those can't empty the write-ahead log. A copy of the .sqlite
        // file alone should be whole. What can't be moved now, because something still reads, is moved when the store
        // is opened again.
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

    private func opened() throws(StoreError) -> Files {
        guard let files = files.withLock({ $0 }) else { throw .closed }
        return files
    }

    /// One consistent read of one file.
    private func reading<Value>(
        _ file: KeyPath<Files, DatabasePool>, _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        let pool = try opened()[keyPath: file]
        return try StoreError.translating(pool.path) { try pool.read(body) }
    }

    private static func meta(_ name: String, _ pool: DatabasePool) throws -> String {
        guard let value = try pool.read({ try StoreQueries.meta(name, $0) }) else {
            throw StoreError(.corrupt, "\(pool.path) does not name its \(name)")
        }
        return value
    }

    private static func epoch(_ pool: DatabasePool) throws -> UInt64 {
        guard let epoch = UInt64(try meta(StoreSchema.Meta.epoch, pool), radix: 16) else {
            throw StoreError(.corrupt, "\(pool.path) has an epoch that is no number")
        }
        return epoch
    }
}

extension DatabasePool {
    /// Runs `body` in a transaction that is committed unless it throws.
    fileprivate func inTransaction(_ body: (Database) throws -> Void) throws {
        try writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                try body(db)
                return .commit
            }
        }
    }
}
