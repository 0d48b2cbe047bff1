package import MarqueeModel

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

/// A commit of the catalogue as it stands in the log.
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

/// A favorite of one user.
package struct Favorite: Hashable, Sendable {
    package var subject: String
    /// The user revision that set it.
    package var revision: UInt64

    package init(subject: String, revision: UInt64) {
        self.subject = subject
        self.revision = revision
    }
}

/// One step of a user's log: a favorite that was set or unset.
package struct FavoriteMove: Hashable, Sendable {
    package var subject: String
    package var isSet: Bool
    /// The user revision that it led to.
    package var revision: UInt64

    package init(subject: String, isSet: Bool, revision: UInt64) {
        self.subject = subject
        self.isSet = isSet
        self.revision = revision
    }
}

/// Names one mutation of one client, so that it takes effect once (G7).
package struct MutationID: Hashable, Sendable {
    /// Bytes of a client id.
    package static let clientLength = 16

    package var client: [UInt8]
    /// Rises within a client; gaps are allowed.
    package var number: UInt64
    /// The client needs no answer of mutations up to here any more.
    package var answeredThrough: UInt64

    package init(client: [UInt8], number: UInt64, answeredThrough: UInt64) {
        self.client = client
        self.number = number
        self.answeredThrough = answeredThrough
    }
}

/// One write. The engine commits a batch of them durably together.
package enum StoreWrite: Hashable, Sendable {
    /// With a key, a commit is made once: a second one of the same key changes nothing, as long as the key is
    /// remembered. Changes that change nothing are left out; a commit of which nothing is left is not made.
    case catalogue(key: String?, changes: [Change], mutation: MutationID?)
    /// Sets or unsets a favorite; setting what is set changes nothing.
    case favorite(user: String, subject: String, on: Bool, mutation: MutationID)
}

/// What became of one write.
package enum StoreOutcome: Hashable, Sendable {
    /// `revision` contains the effect; `changed` is false where nothing had to change.
    case done(revision: UInt64, changed: Bool)
    /// This mutation was applied before; the answer is the one given then.
    case repeated(revision: UInt64, changed: Bool)
    /// The same client and number came with other content: two mirrors share one client id.
    case cloned
    /// The number is not above the last one applied, and its answer is no longer kept.
    case forgotten
    /// The write itself is wrong; nothing was changed.
    case refused(String)
    /// This write could not be stored, while others of its batch were; nothing was changed.
    case failed(StoreError)
}

/// What an import needs of a store.
package protocol CatalogueWriter {
    /// The whole catalogue at one revision, as changes that build it from nothing, handed out one by one.
    /// - Returns: the position that the changes stand for.
    func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead

    /// Applies the writes, those of each log in order, and returns when all of them are durable. One outcome each: it
    /// is true of that write, whatever becomes of the others.
    /// - Throws: when none was applied, such as on a full disk.
    func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome]
}

/// A store that can take a long piece of work as one transaction.
package protocol TransactionalStore: StoreEngine {
    /// Runs `body` as one transaction of the catalogue: all of its writes take effect when it returns `true`. When it
    /// returns `false`, or the process ends meanwhile, none does. Nobody else can write until it returns.
    ///
    /// - Parameter body: gets the writer to use, which is of no use after it returned. What it reads there contains
    ///   what it wrote.
    /// - Throws: when nothing was applied.
    func transaction(_ body: (any CatalogueWriter) -> Bool) throws(StoreError)
}

/// The truth: the catalogue, every user's favorites, and their logs.
///
/// All engines pass one conformance suite. Calls block; the caller brings its own thread. `write` is called by one
/// thread at a time; reads may come from any thread.
package protocol StoreEngine: CatalogueWriter, AnyObject, Sendable {
    /// Random name made with the store; a mirror belongs to one.
    var cluster: String { get }

    /// The catalogue's newest position.
    func catalogueHead() throws(StoreError) -> LogHead

    /// Commits of the catalogue after `revision`, ascending, at most `limit`.
    /// - Throws: `StoreError.Code.historyCut` when the log no longer reaches back to `revision + 1`.
    func commits(after revision: UInt64, limit: Int) throws(StoreError) -> [CatalogueCommit]

    /// The newest position of a user's log. A user who was never heard of has revision 0.
    func userHead(_ user: String) throws(StoreError) -> LogHead

    /// A user's favorites with the position that they stand for, in no particular order.
    func favorites(of user: String) throws(StoreError) -> (head: LogHead, favorites: [Favorite])

    /// Highest mutation number that was applied for a client; `nil` for a client never heard of or forgotten.
    func lastMutation(of client: [UInt8]) throws(StoreError) -> UInt64?

    /// Movies of which a title, in whatever language, contains the query, without regard to case, accents, widths and
    /// punctuation.
    ///
    /// - Parameters:
    ///   - query: text, nothing in it is syntax. One without characters finds nothing.
    ///   - offset: matches before the page.
    ///   - limit: movies of the page, at most.
    func search(_ query: String, offset: Int, limit: Int) throws(StoreError) -> TitleMatches

    /// Calls `wake` after every batch that changed something, from the writing thread. Replaces an earlier one.
    func onWake(_ wake: @escaping @Sendable () -> Void)

    /// Flushes and closes. Later calls throw.
    func close() throws(StoreError)
}
