package import MarqueeCatalogue
import MarqueeModel

/// The newest position of one log.
package struct LogHead: Hashable, Sendable {
    /// Random, made when the log was created or restored.
    package var epoch: UInt64
    /// 0 for a log without commits.
    package var revision: UInt64

    package init(epoch: UInt64, revision: UInt64) {
        self.epoch = epoch
        self.revision = revision
    }
}

/// A commit of the catalogue, as stored in the log.
package struct CatalogueCommit: Hashable, Sendable {
    package var revision: UInt64
    package var key: String?
    package var changes: [Change]

    package init(revision: UInt64, key: String?, changes: [Change]) {
        self.revision = revision
        self.key = key
        self.changes = changes
    }
}

/// Names one mutation of one client, so that it takes effect once (G7).
package struct MutationID: Hashable, Sendable {
    /// Bytes of a client id.
    package static let clientLength = 16

    /// A client's id, followed by its user's name if it has one: an id belongs to its user, and others who know it have
    /// numbers of their own.
    package var client: [UInt8]
    /// Rises within a client; gaps are allowed.
    package var number: UInt64
    /// The client no longer needs answers to mutations up to this number.
    package var answeredThrough: UInt64
    /// Stands for the client's address, which may add a bounded number of new clients; `nil` if it isn't counted. Not
    /// the same after a restart.
    package var origin: UInt64?

    package init(client: [UInt8], number: UInt64, answeredThrough: UInt64, origin: UInt64? = nil) {
        self.client = client
        self.number = number
        self.answeredThrough = answeredThrough
        self.origin = origin
    }

    /// - Parameters:
    ///   - id: the client's id.
    ///   - user: `nil` for an anonymous client.
    package static func client(_ id: [UInt8], of user: String?) -> [UInt8] { id + (user ?? "").utf8 }

    /// Whether `client` has the form of a client's id.
    var hasClient: Bool {
        (Self.clientLength...Self.clientLength + CatalogueBounds.userName).contains(client.count)
    }
}

/// One write. The engine commits a batch of them durably together.
package enum StoreWrite: Hashable, Sendable {
    /// A commit with a key is made once: as long as the key is remembered, a second one with the same key changes
    /// nothing. Changes without effect are left out; a commit with no effect at all is not made.
    case catalogue(key: String?, changes: [Change], mutation: MutationID?)
    /// Changes a collection of a user; setting what is set to the same value changes nothing.
    case member(user: String, MemberChange, mutation: MutationID)
    /// Keeps observations of a client until they are collected; nothing is changed if there is no room for them.
    case observed(ObservationBatch, mutation: MutationID)
    /// Changes a draft, or commits it.
    case draft(DraftEdit, mutation: MutationID?)
}

/// The outcome of one write.
package enum StoreOutcome: Hashable, Sendable {
    /// `revision` contains the effect; `changed` is false if there was nothing to change.
    case done(revision: UInt64, changed: Bool)
    /// This mutation was applied before; this is the answer given then.
    case repeated(revision: UInt64, changed: Bool)
    /// The same client and number arrived with different content: two mirrors share one client id. If they are written
    /// to the two logs at the same moment, both may be done instead.
    case cloned
    /// The number is not above the last one applied, and its answer is no longer kept.
    case forgotten
    /// The commit's key was already used for a commit of other changes; nothing was changed.
    case keyReused
    /// Nothing was changed, because the client is new, and either its user or address has added too many clients, or
    /// all known clients are too recent to be forgotten.
    case tooManyClients
    /// The write's source is not at the position that it expects; nothing was changed.
    case elsewhere(source: String, stored: String?, expected: String?)
    /// The write itself is invalid; nothing was changed.
    case refused(String)
    /// This write could not be stored although others of its batch were; nothing was changed.
    case failed(StoreError)
}

/// The part of a store that an import needs.
package protocol CatalogueWriter {
    /// The whole catalogue at one revision, as changes that build it from nothing, passed to `receive` one by one.
    /// - Returns: the position of that revision.
    func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead

    /// Applies the writes, those of each log in order, and returns when all of them are durable. There is one outcome
    /// per write; it holds whatever the outcomes of the others.
    /// - Throws: when none was applied, such as on a full disk.
    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome]

    /// Signals that the work continues although nothing is being written. A database ends transactions that are silent
    /// for seconds, because all other writers wait for them. Cheap enough for every hundredth row.
    func keepAlive() throws(StoreError)
}

extension CatalogueWriter {
    package func keepAlive() throws(StoreError) {}

    /// Removes pieces of the catalogue, in as many commits as needed.
    func remove(_ removals: [Change]) throws(StoreError) {
        for start in stride(from: 0, to: removals.count, by: CatalogueBounds.changesPerCommit) {
            let changes = Array(removals[start...].prefix(CatalogueBounds.changesPerCommit))
            _ = try write([.catalogue(key: nil, changes: changes, mutation: nil)])
        }
    }
}

/// A store that can run a long piece of work as one transaction.
package protocol TransactionalStore: StoreEngine {
    /// Runs `body` as one transaction of the catalogue. If it returns `true`, all of its writes take effect; if it
    /// returns `false`, or the process ends first, none does. Nobody else can write until it returns.
    ///
    /// - Parameter body: receives the writer to use, which is valid only until it returns. Reads through the writer see
    ///   its own writes.
    /// - Throws: when nothing was applied.
    func transaction(_ body: (any CatalogueWriter) -> Bool) throws(StoreError)
}

/// The source of truth: the catalogue, every user's collections, and their logs.
///
/// All engines pass one conformance suite. Calls block; callers bring their own thread. Each log is written by one
/// thread at a time, and the two logs may be written at the same time; reads may come from any thread.
package protocol StoreEngine: CatalogueWriter, AnyObject, Sendable {
    /// A random name given when the store is created; a mirror belongs to one cluster.
    var cluster: String { get }

    /// The catalogue's newest position.
    func catalogueHead() throws(StoreError) -> LogHead

    /// Commits of the catalogue after `revision`, ascending, at most `limit`.
    /// - Throws: `StoreError.Code.historyCut` when the log no longer reaches back to `revision + 1`.
    func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit]

    /// The same commits, if they are in memory. Never blocks.
    func recentCommits(after revision: UInt64, limit: Int) -> [CatalogueCommit]?

    /// The newest position of a user's log. An unknown user has revision 0.
    func userHead(_ user: String) throws(StoreError) -> LogHead

    /// The members of all collections of a user with the position at which they were read, in no particular order.
    func members(of user: String) throws(StoreError) -> (head: LogHead, members: [StoredMember])

    /// The highest mutation number applied for a client; `nil` for a client that is unknown or forgotten.
    func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64?

    /// The positions of all sources, by name.
    func sources() throws(StoreError) -> [SourcePosition]

    /// Records of a type, by the bytes of their ids.
    /// - Parameters:
    ///   - after: only those whose ids follow this one; `nil` for all.
    ///   - limit: the most records.
    func records(ofType alias: String, after id: String?, limit: Int) throws(StoreError) -> [StoredRecord]

    /// Records that have a text with the query in it, in whatever language, without regard to case, accents,
    /// widths and punctuation. Those of one type are ordered by rank, the largest first, then by id; types take turns.
    ///
    /// - Parameters:
    ///   - query: the text of a query, see `SearchQuery`. One without characters finds nothing.
    ///   - scope: which types; those that declare nothing to be searched have no matches.
    ///   - offset: matches before the page.
    ///   - limit: the most matches on the page.
    func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches

    /// Calls `wake` on the writing thread after every batch that changed the catalogue. Replaces an earlier `wake`.
    func onWake(_ wake: @escaping @Sendable () -> Void)

    /// Bytes of a log's durable commits that are yet to be moved into its file; `nil` for an engine without such files.
    /// They grow while a reader, such as a backup, keeps them from being moved.
    func writeAheadBytes(of log: StoreLog) -> Int?

    /// Flushes and closes. Later calls throw.
    func close() throws(StoreError)
}

/// A record of a type, as it is stored.
package struct StoredRecord: Hashable, Sendable {
    package var id: String
    /// The canonical bytes.
    package var bytes: [UInt8]
}

extension StoreEngine {
    package func recentCommits(after revision: UInt64, limit: Int) -> [CatalogueCommit]? { nil }

    /// Reads the whole catalogue; engines that can do better override this.
    package func sources() throws(StoreError) -> [SourcePosition] {
        var found: [SourcePosition] = []
        _ = try snapshot { if case .source(let position) = $0 { found.append(position) } }
        return found.sorted { $0.source.utf8.lexicographicallyPrecedes($1.source.utf8) }
    }

    /// Reads the whole catalogue; engines that can do better override this.
    package func records(
        ofType alias: String, after id: String?, limit: Int
    ) throws(StoreError) -> [StoredRecord] {
        var found: [StoredRecord] = []
        _ = try snapshot { change in
            guard case .put(let name, .bytes(let bytes)) = change, name.type == alias,
                id.map({ $0.utf8.lexicographicallyPrecedes(name.id.utf8) }) ?? true
            else { return }
            found.append(StoredRecord(id: name.id, bytes: bytes))
        }
        return Array(found.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }.prefix(limit))
    }

    package func writeAheadBytes(of log: StoreLog) -> Int? { nil }
}
