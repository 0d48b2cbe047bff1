import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// A transaction of the catalogue's log. It holds the lock of the log's head, so that revisions have no gaps and become
/// visible in order, whichever node makes them.
///
/// Statements that only write wait until something is read or the transaction ends, and travel together.
final class PostgresCatalogueTransaction {
    /// The row of the head, as it will be written.
    struct Head {
        var revision: UInt64 = 0
        var keys = 0
        /// Drawn anew whenever types are put.
        var typesVersion: Int64 = 0
    }

    let connection: PostgresConnection
    let limits: StoreLimits
    let typeLibrary: TypeLibrary
    /// Milliseconds since 1970.
    let now: UInt64
    var mutations: PostgresMutations
    private var pending: [PostgresStatement] = []
    var head = Head() {
        didSet { hasChangedHead = true }
    }
    private var hasChangedHead = false
    var history = PostgresHistory()
    /// What was read for the write at hand.
    var known = PostgresPrefetch()
    /// What the search index holds; `nil` while it isn't known.
    var searchedTypes: [String: String]?

    /// - Parameters:
    ///   - connection: one without a transaction, or with one that has just begun.
    ///   - now: milliseconds since 1970.
    init(_ connection: PostgresConnection, limits: StoreLimits, library: TypeLibrary, now: UInt64) {
        self.connection = connection
        self.limits = limits
        self.typeLibrary = library
        self.now = now
        mutations = PostgresMutations(log: .catalogue, limits: limits, now: now)
    }

    /// Takes the lock, and reads what every commit needs.
    func lockHead() throws {
        let rows = try run([
            PostgresStatement(
                "SELECT revision, log_bytes, commit_keys, types_version FROM catalogue_head WHERE id = 1 FOR UPDATE"),
            PostgresHistory.reading(from: 0),
        ])
        guard let row = rows.first?.first, let entries = rows.last else { throw MalformedRow() }
        head = Head(revision: try row.unsigned(0), keys: try row.count(2), typesVersion: try row.integer(3))
        hasChangedHead = false
        history = try PostgresHistory(bytes: try row.count(1), entries)
    }

    /// Locks and reads what the mutations of some writes need.
    /// - Parameter counting: whether clients beyond the limits are to be forgotten.
    func load(mutationsOf writes: [StoreWrite], counting: Bool) throws {
        var clients: Set<[UInt8]> = []
        for case .catalogue(_, _, let mutation?) in writes where mutation.hasClient {
            clients.insert(mutation.client)
        }
        mutations = PostgresMutations(log: .catalogue, limits: limits, now: now)
        if clients.isEmpty { return }
        let results = try run(mutations.loading(clients, counting: counting))
        try mutations.load(results[...], of: clients.count)
    }

    /// Reads what a write names, so that planning it needn't ask for one record after the other.
    func prefetch(for write: StoreWrite) throws {
        known = PostgresPrefetch()
        guard case .catalogue(let key, let changes, _) = write, changes.count <= CatalogueBounds.changesPerCommit else {
            return
        }
        let prefetch = PostgresPrefetch.reading(changes, key: key)
        if prefetch.statements.isEmpty { return }
        known = try prefetch.take(try run(prefetch.statements))
    }

    // MARK: - Statements

    /// Adds statements whose rows don't matter.
    func enqueue(_ statements: [PostgresStatement]) { pending += statements }

    /// Runs statements after those that wait.
    func run(_ statements: [PostgresStatement]) throws -> [PostgresRows] {
        let waiting = pending
        pending = []
        return Array(try connection.run(waiting + statements).dropFirst(waiting.count))
    }

    func run(_ sql: String, _ values: [PostgresValue]) throws -> PostgresRows {
        guard let rows = try run([PostgresStatement(sql, values)]).first else { throw MalformedRow() }
        return rows
    }

    /// Sends everything that waits, the head and the mutations included.
    func flush() throws {
        let statements = takeSaving()
        if !statements.isEmpty { _ = try connection.run(statements) }
    }

    /// The statements that write what has changed; none if nothing has.
    func takeSaving() -> [PostgresStatement] {
        var statements = pending + mutations.saving
        pending = []
        mutations = PostgresMutations(log: .catalogue, limits: limits, now: now)
        if hasChangedHead {
            statements.append(
                PostgresStatement(
                    """
                    UPDATE catalogue_head SET revision = $1, log_bytes = $2, commit_keys = $3, types_version = $4
                    WHERE id = 1
                    """,
                    [
                        .integer(Int64(clamping: head.revision)), .integer(Int64(history.bytes)),
                        .integer(Int64(head.keys)), .integer(head.typesVersion),
                    ]))
        }
        hasChangedHead = false
        return statements
    }
}
