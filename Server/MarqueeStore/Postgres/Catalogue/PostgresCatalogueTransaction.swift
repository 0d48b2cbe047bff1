import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// A transaction of the catalogue's log. It holds the lock of the log's head, so that revisions have no gaps and become
/// visible in order, whichever node makes them.
///
/// Statements that only write wait until something is read or the transaction ends, and are sent together.
final class PostgresCatalogueTransaction {
    /// The row of the head, as it will be written.
    struct Head {
        var point = LogPoint(revision: 0, chain: 0)
        var keys = 0
        /// Drawn again whenever types are stored.
        var typesVersion: Int64 = 0
    }

    let connection: PostgresConnection
    let limits: StoreLimits
    let typeLibrary: TypeLibrary
    /// Milliseconds since 1970.
    var now: UInt64 = 0
    /// Makes the chains of this transaction differ from those of any other.
    let salt = UInt64.random(in: .min ... .max)
    /// Whether it has made any commits.
    var hasCommits = false
    var mutations: PostgresMutations
    private var pending: [PostgresStatement] = []
    var head = Head() {
        didSet { hasChangedHead = true }
    }
    private var hasChangedHead = false
    var history = PostgresHistory()
    /// The part of the catalogue that was read for the current write.
    var known = PostgresPrefetch()
    /// The searched fields of the types in the search index, by alias; `nil` while they aren't known.
    var searchedTypes: [String: String]?

    /// - Parameter connection: one without a transaction, or with one that has just begun.
    init(_ connection: PostgresConnection, limits: StoreLimits, library: TypeLibrary) {
        self.connection = connection
        self.limits = limits
        self.typeLibrary = library
        mutations = PostgresMutations(log: .catalogue, limits: limits, now: 0)
    }

    /// Takes the lock, and reads what every commit needs.
    /// - Parameter questions: statements to run once it has the lock.
    /// - Returns: their rows.
    @discardableResult
    func lockHead(asking questions: [PostgresStatement] = []) throws -> [PostgresRows] {
        let rows = try run(
            [
                PostgresStatement(
                    """
                    SELECT revision, log_bytes, commit_keys, types_version, chain FROM catalogue_head WHERE id = 1
                    FOR UPDATE
                    """),
                PostgresHistory.reading(from: 0),
            ] + questions)
        guard rows.count == 2 + questions.count, let row = rows[0].first else { throw MalformedRow() }
        head = Head(
            point: LogPoint(revision: try row.unsigned(0), chain: UInt64(bitPattern: try row.integer(4))),
            keys: try row.count(2), typesVersion: try row.integer(3))
        hasChangedHead = false
        history = try PostgresHistory(bytes: try row.count(1), rows[1])
        return Array(rows[2...])
    }

    /// Moves the head to a commit.
    func advance(to commit: PlannedCommit) {
        head.point = CommitChain.next(
            after: head.point, revision: commit.commit.revision, salt: salt, json: commit.json)
        hasCommits = true
        let revision = PostgresValue.integer(Int64(clamping: head.point.revision))
        enqueue([
            PostgresStatement(
                "INSERT INTO commit_chain (revision, chain) VALUES ($1, $2)",
                [revision, .integer(Int64(bitPattern: head.point.chain))])
        ])
        guard head.point.revision.isMultiple(of: Self.chainsCutEvery) else { return }
        enqueue([
            PostgresStatement(
                "DELETE FROM commit_chain WHERE revision <= $1 - $2", [revision, .integer(Self.chainsKept)])
        ])
    }

    /// More commits than others make while a server is cut off from its database but can still resume from its own
    /// state.
    private static let chainsKept: Int64 = 65_536
    private static let chainsCutEvery: UInt64 = 256

    /// Locks and reads what the mutations of some writes need.
    /// - Parameter counting: whether clients beyond the limits are to be forgotten.
    func load(mutationsOf writes: [StoreWrite], counting: Bool) throws {
        var clients: Set<[UInt8]> = []
        for case .catalogue(_, _, let mutation?) in writes where mutation.hasClient {
            clients.insert(mutation.client)
        }
        for case .draft(_, let mutation?) in writes where mutation.hasClient { clients.insert(mutation.client) }
        mutations = PostgresMutations(log: .catalogue, limits: limits, now: now)
        if clients.isEmpty { return }
        let results = try run(
            PostgresMutations.loading(clients, of: .catalogue, limits: limits, counting: counting, now: now))
        try mutations.load(results[...], of: clients.count)
    }

    /// Reads the records that a write names, so that planning it doesn't read them one by one.
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

    /// Adds statements whose results aren't needed.
    func enqueue(_ statements: [PostgresStatement]) { pending += statements }

    /// Runs statements after the pending ones.
    func run(_ statements: [PostgresStatement]) throws -> [PostgresRows] {
        let waiting = pending
        pending = []
        return Array(try connection.run(waiting + statements).dropFirst(waiting.count))
    }

    func run(_ sql: String, _ values: [PostgresValue]) throws -> PostgresRows {
        guard let rows = try run([PostgresStatement(sql, values)]).first else { throw MalformedRow() }
        return rows
    }

    /// Sends everything that is pending, the head and the mutations included.
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
                    UPDATE catalogue_head SET revision = $1, log_bytes = $2, commit_keys = $3, types_version = $4,
                        chain = $5
                    WHERE id = 1
                    """,
                    [
                        .integer(Int64(clamping: head.point.revision)), .integer(Int64(history.bytes)),
                        .integer(Int64(head.keys)), .integer(head.typesVersion),
                        .integer(Int64(bitPattern: head.point.chain)),
                    ]))
        }
        hasChangedHead = false
        return statements
    }
}
