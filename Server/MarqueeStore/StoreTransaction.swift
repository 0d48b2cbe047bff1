import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// The log that something belongs to, and its file. Each file remembers the mutations whose effect it holds, so that
/// both become durable together.
///
/// The cases are in the order in which the files are saved: what people did comes first.
package enum StoreLog: String, Hashable, Sendable, CaseIterable {
    case users, catalogue
}

extension StoreWrite {
    /// The log that the write goes to.
    package var log: StoreLog {
        switch self {
        case .catalogue, .draft: .catalogue
        case .member, .observed: .users
        }
    }
}

/// The remembered outcome of an applied mutation.
struct KeptAnswer: Hashable, Sendable {
    /// The hash of the mutation's content.
    var fingerprint: UInt64
    var revision: UInt64
    var changed: Bool
}

/// A commit that is about to be written.
struct PlannedCommit {
    var commit: CatalogueCommit
    /// The changes as the log stores them.
    var json: [UInt8]
    /// In the order of their keys.
    var records: [PlannedRecords.Row]
    /// The types in force after it; `nil` if it puts neither records nor types.
    var types: TypeSet?
    /// In the order in which to apply them; the edited lists are not among `records`.
    var listEdits: [EntryEdit]
}

/// The questions that a commit's plan asks about stored lists, none of which requires reading a whole list.
protocol StoredLists {
    /// How many entries a list has; `nil` if there is no such list.
    func entryCount(of list: ListName) throws -> Int?
    /// The key of the entry at a rank, from 1; `nil` beyond the end.
    func entryKey(of list: ListName, at rank: Int) throws -> String?
    /// The stored editions of a list, in any order; `nil` among them for a list without editions.
    func editions(of list: String) throws -> [String?]
    /// Whether a list declared under that name is stored.
    func hasList(declaredAs name: String) throws -> Bool
}

/// The operations that the rules for writes need from an engine, within one batch. Later calls see the effects of
/// earlier ones.
protocol StoreTransaction: StoredLists {
    func record(_ name: RecordName) throws -> CatalogueRecord?
    func catalogueRevision() throws -> UInt64
    var typeLibrary: TypeLibrary { get }
    func hasRecords(ofType alias: String) throws -> Bool
    func kept(_ key: String) throws -> KeptKey?
    /// Remembers a commit key, within the limit on keys.
    mutating func keep(_ kept: KeptKey, of key: String) throws
    mutating func append(_ planned: PlannedCommit) throws

    func draft(_ name: String) throws -> Draft?
    func draftSummaries() throws -> [DraftSummary]
    /// Stores a draft, in place of the one with the same name if there is one.
    mutating func keep(_ draft: Draft) throws
    mutating func removeDraft(_ name: String) throws

    /// 0 for an unknown user.
    mutating func userRevision(_ user: String) throws -> UInt64
    mutating func member(_ name: MemberName, of user: String) throws -> StoredMember?
    mutating func memberCount(of user: String, in collection: CollectionName) throws -> Int
    /// How many collections of a user have members.
    func collectionCount(of user: String) throws -> Int
    /// Whether any user has a member in the collection.
    func hasMembers(in collection: CollectionName) throws -> Bool
    /// Sets or removes a member and raises the user's revision to the move's.
    mutating func keep(_ move: MemberMove, of user: String) throws

    /// The end of the log of observations.
    func observationHead() throws -> ObservationHead
    /// Adds observations, and sets the log's end.
    mutating func keep(_ rows: [ObservedRow], head: ObservationHead) throws

    mutating func lastMutation(of client: [UInt8], in log: StoreLog) throws -> UInt64?
    func answer(to number: UInt64, of client: [UInt8], in log: StoreLog) throws -> KeptAnswer?
    /// Whether a client without mutations in the log may make one: there is room, or a client that may be forgotten.
    mutating func hasRoomForClient(in log: StoreLog) throws -> Bool
    /// Milliseconds since 1970.
    var now: UInt64 { get }
    /// Remembers a mutation with its answer. Forgets answers that the client no longer needs, and clients beyond the
    /// limit.
    mutating func keep(_ answer: KeptAnswer, to mutation: MutationID, in log: StoreLog) throws
}
