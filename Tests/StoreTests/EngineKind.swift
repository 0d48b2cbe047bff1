import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import PostgresSupport

/// The engines that the conformance suite runs over.
enum EngineKind: CaseIterable, CustomStringConvertible, Sendable {
    case memory, sqlite, postgres

    /// Without PostgreSQL where it isn't installed; `PostgresTests` are skipped then, and say so.
    static let allCases: [EngineKind] = [.memory, .sqlite] + (PostgresServer.isFound ? [.postgres] : [])

    var description: String {
        switch self {
        case .memory: "memory"
        case .sqlite: "SQLite"
        case .postgres: "PostgreSQL"
        }
    }

    /// Runs `body` with a new, empty store, which is closed and removed afterwards.
    func withStore(
        limits: StoreLimits = StoreLimits(), clock: WallClock? = nil, steady: WallClock? = nil,
        _ body: (any TransactionalStore) throws -> Void
    ) throws {
        switch self {
        case .memory: try body(MemoryStore(limits: limits, clock: clock, steady: steady))
        case .sqlite:
            try withFolder { folder in
                let store = try SQLiteStore(folder: folder, limits: limits, clock: clock, steady: steady)
                try body(store)
                try store.close()
            }
        case .postgres:
            try PostgresServer.shared().withSchema { url in
                let store = try PostgresStore(url: PostgresURL(url), limits: limits, clock: clock, steady: steady)
                try body(store)
                try store.close()
            }
        }
    }
}

/// Runs `body` with the path of a folder that does not exist yet and is removed afterwards.
/// - Parameter place: the parent folder; `nil` for the usual place of temporary files.
func withFolder(in place: URL? = nil, _ body: (String) throws -> Void) throws {
    let place = place ?? FileManager.default.temporaryDirectory
    let folder = place.appending(path: "marquee-store-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
}

/// Changes a file of a data folder behind the store's back.
func tamper(_ folder: String, _ file: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: "\(folder)/\(file)")
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
}

extension StoreEngine {
    /// Writes one commit without a mutation.
    @discardableResult
    func commit(_ changes: Change..., key: String? = nil) throws -> StoreOutcome? {
        try commit(changes, key: key)
    }

    @discardableResult
    func commit(_ changes: [Change], key: String? = nil, mutation: MutationID? = nil) throws -> StoreOutcome? {
        try write([.catalogue(key: key, changes: changes, mutation: mutation)]).first
    }

    @discardableResult
    func setFavorite(
        _ subject: String, of user: String = "mina", on: Bool = true, _ mutation: MutationID
    ) throws -> StoreOutcome? {
        try write([.favorite(user: user, subject: subject, on: on, mutation: mutation)]).first
    }

    func snapshotChanges() throws -> [Change] {
        var changes: [Change] = []
        _ = try snapshot { changes.append($0) }
        return changes
    }

    func favoriteSubjects(of user: String = "mina") throws -> Set<String> {
        Set(try members(of: user).members.map(\.subject))
    }
}

extension MutationID {
    /// A mutation of a client whose id is one byte repeated.
    static func of(_ client: UInt8 = 1, _ number: UInt64, answeredThrough: UInt64 = 0) -> MutationID {
        MutationID(
            client: [UInt8](repeating: client, count: MutationID.clientLength), number: number,
            answeredThrough: answeredThrough)
    }
}
