import MarqueeModel

/// Which file a thing belongs to. Each remembers the mutations whose effect it holds, so that both are durable
/// together.
///
/// In the order in which they are written and saved: what people did comes first.
enum StoreLog: Hashable, Sendable, CaseIterable {
    case users, catalogue
}

extension StoreWrite {
    /// Where its effect goes.
    var log: StoreLog {
        switch self {
        case .catalogue: .catalogue
        case .favorite: .users
        }
    }
}

/// What is remembered of an applied mutation.
struct KeptAnswer: Hashable, Sendable {
    /// Of the mutation's content.
    var fingerprint: UInt64
    var revision: UInt64
    var changed: Bool
}

/// A commit that is about to be written.
struct PlannedCommit {
    var commit: CatalogueCommit
    /// The changes as they stand in the log.
    var json: [UInt8]
    var records: [RecordName: CatalogueRecord?]
}

/// What the rules for writes need of an engine, within one batch. Later calls see the effects of earlier ones.
protocol StoreTransaction {
    func record(_ name: RecordName) throws -> CatalogueRecord?
    func catalogueRevision() throws -> UInt64
    /// The stored days of a chart, in any order.
    func chartSteps(of chart: String) throws -> [ChartStep]
    func hasKey(_ key: String) throws -> Bool
    /// Remembers a commit key for good.
    mutating func keep(key: String, revision: UInt64) throws
    mutating func append(_ planned: PlannedCommit) throws

    /// 0 for a user never heard of.
    func userRevision(_ user: String) throws -> UInt64
    func isFavorite(_ subject: String, of user: String) throws -> Bool
    func favoriteCount(of user: String) throws -> Int
    /// Sets or removes a favorite and raises the user's revision to `revision`.
    mutating func setFavorite(_ subject: String, of user: String, on: Bool, revision: UInt64) throws

    func lastMutation(of client: [UInt8], in log: StoreLog) throws -> UInt64?
    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) throws -> KeptAnswer?
    /// Remembers a mutation, forgets the client's answers that are no longer needed, and clients beyond the limit.
    mutating func keep(_ answer: KeptAnswer, to mutation: MutationID, in log: StoreLog) throws
}
