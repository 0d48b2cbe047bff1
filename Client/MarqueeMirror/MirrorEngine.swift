package import MarqueeDiff
package import MarqueeModel

/// The operations that a client needs from its mirror. `Mirror` is the real implementation; simulations use another
/// with the same guarantees.
///
/// Used from one thread. A call that returns has taken effect, one that throws has not; for power cuts see
/// `Mirror.durable`.
package protocol MirrorEngine: AnyObject {
    /// See `Mirror.recovery`.
    var recovery: MirrorRecovery? { get }
    /// The mirror's owner.
    var identity: MirrorIdentity { get }
    /// The newest position that a commit stored.
    var seen: Cut? { get }
    /// See `Mirror.proven`.
    var proven: Cut? { get }
    /// See `Mirror.durable`.
    var durable: Cut? { get }
    /// Every mutation up to this number was answered or will never be sent.
    var answeredThrough: UInt64 { get }
    /// The highest number given to a mutation so far.
    var lastNumber: UInt64 { get }
    /// The highest number whose answer was recorded under this client id.
    var lastAnswered: UInt64 { get }

    /// See `Mirror.bind`.
    func bind(cluster: String, user: String?) throws(MirrorError)
    /// See `Mirror.close`.
    func close()
    /// See `Mirror.suspend`.
    func suspend()
    /// See `Mirror.resume`.
    func resume(newClientID: () -> [UInt8]) throws(MirrorError)
    /// See `Mirror.erase`.
    func erase() throws(MirrorError)
    /// See `Mirror.forgetUser`.
    func forgetUser(keeping shared: [ViewID], newClientID: [UInt8]) throws(MirrorError)
    /// See `Mirror.adopt`.
    func adopt(user: String, newClientID: [UInt8]) throws(MirrorError)
    /// See `Mirror.whenRecovered`.
    func whenRecovered(_ handler: @escaping (MirrorRecovery) -> Void)
    /// See `Mirror.checkStructure`.
    func checkStructure(_ found: @escaping @Sendable (MirrorError) -> Void)
    /// See `Mirror.recover`.
    func recover(because problem: MirrorError) throws(MirrorError)

    /// See `Mirror.isCompanion`.
    var isCompanion: Bool { get }
    /// See `Mirror.isShared`.
    var isShared: Bool { get }
    /// See `Mirror.hasChangedElsewhere`.
    func hasChangedElsewhere() throws(MirrorError) -> Bool
    /// See `Mirror.takeInbox`.
    func takeInbox() throws(MirrorError) -> [OutboxEntry]

    /// See `Mirror.commit`.
    func commit(_ transaction: MirrorTransaction) throws(MirrorError)
    /// See `Mirror.forgetUnproven`.
    func forgetUnproven() throws(MirrorError)
    /// See `Mirror.sync`.
    func sync() throws(MirrorError)
    /// See `Mirror.view`.
    func view(_ id: ViewID) throws(MirrorError) -> StoredView?
    /// See `Mirror.content`.
    func content(of id: ViewID) throws(MirrorError) -> StoredContent?
    /// See `Mirror.rewrite`.
    func rewrite(_ view: ViewID, _ versions: [String: Version]) throws(MirrorError)
    /// See `Mirror.scrub`.
    func scrub(_ cursor: inout ScrubCursor) throws(MirrorError) -> [ScrubFinding]
    /// See `Mirror.views`.
    func views() throws(MirrorError) -> [ViewSummary]

    /// See `Mirror.setMember`.
    func setMember(
        _ subject: String, of collection: CollectionName, on: Bool, value: CollectionValue?, at: Double
    ) throws(MirrorError) -> OutboxEntry
    /// All entries by number.
    func outbox() throws(MirrorError) -> [OutboxEntry]
    /// The first unanswered entry: the one to send next.
    func firstWaiting() throws(MirrorError) -> OutboxEntry?
    /// See `Mirror.markSent`.
    func markSent(_ numbers: [UInt64]) throws(MirrorError)
    /// See `Mirror.answered`.
    func answered(number: UInt64, cut: Cut, changed: Bool) throws(MirrorError)
    /// See `Mirror.rejected`.
    func rejected(number: UInt64, code: String?, reason: String) throws(MirrorError)
    /// The last refused mutations, oldest first.
    func rejections() throws(MirrorError) -> [RejectedMutation]
    /// Forgets the refused mutations. Called once the person has seen them.
    func forgetRejections() throws(MirrorError)
    /// See `Mirror.note`.
    func note(_ incident: Incident) throws(MirrorError)
    /// Recent problems, oldest first.
    func incidents() throws(MirrorError) -> [Incident]
    /// See `Mirror.finished`.
    func finished(containedIn cut: Cut) throws(MirrorError) -> [UInt64]
    /// See `Mirror.renumber`.
    func renumber(
        _ scope: RenumberScope, above: UInt64, newClientID: [UInt8]?
    ) throws(MirrorError) -> Renumbering
    /// See `Mirror.takeNumber`.
    func takeNumber() throws(MirrorError) -> UInt64
    /// See `Mirror.add`.
    func add(_ observations: [ObservationEntry]) throws(MirrorError) -> Int
    /// See `Mirror.waitingReports`.
    func waitingReports() throws(MirrorError) -> (any: Bool, first: UInt64?)
    /// See `Mirror.freezeReport`.
    func freezeReport() throws(MirrorError) -> FrozenReport?
    /// See `Mirror.reportAnswered`.
    func reportAnswered(number: UInt64, kept: Bool) throws(MirrorError)
    /// See `Mirror.dropReport`.
    func dropReport(number: UInt64) throws(MirrorError) -> Int
    /// See `Mirror.bestBody`.
    func bestBody(of subject: String) throws(MirrorError) -> Item?
}

/// Defaults for a mirror without a file: its bytes can't be damaged, and no other process reads it.
extension MirrorEngine {
    /// 0 if it is not recorded: then a forgotten client is detected only from the server's answers.
    package var lastAnswered: UInt64 { 0 }

    package func suspend() {}

    package func resume(newClientID: () -> [UInt8]) throws(MirrorError) {}

    package func erase() throws(MirrorError) { close() }

    package func forgetUser(keeping shared: [ViewID], newClientID: [UInt8]) throws(MirrorError) {}

    package func adopt(user: String, newClientID: [UInt8]) throws(MirrorError) {
        throw MirrorError(.belongsToOtherUser, "this mirror can't be assigned to a user")
    }

    package var isCompanion: Bool { false }

    package var isShared: Bool { false }

    package func hasChangedElsewhere() throws(MirrorError) -> Bool { false }

    package func takeInbox() throws(MirrorError) -> [OutboxEntry] { [] }

    /// The newest stored position, because everything stored is durable at once.
    package var durable: Cut? { seen }

    package func sync() throws(MirrorError) {}

    package func whenRecovered(_ handler: @escaping (MirrorRecovery) -> Void) {}

    package func checkStructure(_ found: @escaping @Sendable (MirrorError) -> Void) {}

    package func recover(because problem: MirrorError) throws(MirrorError) { throw problem }

    package func content(of id: ViewID) throws(MirrorError) -> StoredContent? {
        try view(id).map { StoredContent(shown: $0, bases: [:]) }
    }

    package func rewrite(_ view: ViewID, _ versions: [String: Version]) throws(MirrorError) {}

    package func scrub(_ cursor: inout ScrubCursor) throws(MirrorError) -> [ScrubFinding] { [] }

    package func setFavorite(subject: String, on: Bool, at: Double) throws(MirrorError) -> OutboxEntry {
        try setMember(subject, of: .favorites, on: on, value: nil, at: at)
    }

    package func firstWaiting() throws(MirrorError) -> OutboxEntry? {
        try outbox().first { entry in
            if case .answered = entry.state { false } else { true }
        }
    }

    package func add(_ observations: [ObservationEntry]) throws(MirrorError) -> Int { observations.count }

    package func waitingReports() throws(MirrorError) -> (any: Bool, first: UInt64?) { (false, nil) }

    package func freezeReport() throws(MirrorError) -> FrozenReport? { nil }

    package func reportAnswered(number: UInt64, kept: Bool) throws(MirrorError) {}

    package func dropReport(number: UInt64) throws(MirrorError) -> Int { 0 }

    package func rejections() throws(MirrorError) -> [RejectedMutation] { [] }

    package func forgetRejections() throws(MirrorError) {}

    package func note(_ incident: Incident) throws(MirrorError) {}

    package func incidents() throws(MirrorError) -> [Incident] { [] }

    package func renumber(_ scope: RenumberScope, above: UInt64) throws(MirrorError) -> Renumbering {
        try renumber(scope, above: above, newClientID: nil)
    }

    package func renumber(_ scope: RenumberScope, newClientID: [UInt8]) throws(MirrorError) -> Renumbering {
        try renumber(scope, above: 0, newClientID: newClientID)
    }
}

extension Mirror: MirrorEngine {}
