import Foundation
import MarqueeCatalogue
import MarqueeModel
import PostgresSupport
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// Backups of databases and of data folders, restored into either.
    @Suite struct PostgresBackupTests {
        private static let kinds: [EngineKind] = [.sqlite, .postgres]

        /// A place for a store that is closed between uses.
        private enum Place {
            case folder(String)
            case database(PostgresURL)

            static func with(_ kind: EngineKind, _ body: (Place) throws -> Void) throws {
                if case .postgres = kind {
                    try PostgresServer.shared().withSchema { try body(.database(PostgresURL($0))) }
                } else {
                    try withFolder { try body(.folder($0)) }
                }
            }

            func open<Value>(_ body: (any TransactionalStore) throws -> Value) throws -> Value {
                let store: any TransactionalStore =
                    switch self {
                    case .folder(let folder): try SQLiteStore(folder: folder)
                    case .database(let url): try PostgresStore(url: url)
                    }
                let value = try body(store)
                try store.close()
                return value
            }

            func save(to file: String, observer: @escaping BackupProgress.Observer = { _ in true }) throws
                -> BackupSummary
            {
                switch self {
                case .folder(let folder): try Backup.save(folder, to: file, observer: observer)
                case .database(let url): try Backup.save(url, to: file, observer: observer)
                }
            }

            func restore(
                _ file: String, replacing: Bool = false, observer: @escaping BackupProgress.Observer = { _ in true }
            ) throws -> BackupSummary {
                switch self {
                case .folder(let folder):
                    try Backup.restore(file, into: folder, replacing: replacing, observer: observer)
                case .database(let url): try Backup.restore(file, into: url, replacing: replacing, observer: observer)
                }
            }
        }

        private struct Content: Equatable {
            var cluster: String
            var revision: UInt64
            var userRevisions: [UInt64]
            var changes: [Change]
            var commits: [CatalogueCommit]
            var members: [[StoredMember]]

            init(_ store: any TransactionalStore) throws {
                cluster = store.cluster
                revision = try store.catalogueHead().revision
                userRevisions = try ["mina", "jun", "left"].map { try store.userHead($0).revision }
                changes = try store.snapshotChanges()
                commits = try store.commits(after: 0, limit: 1_000)
                members = try ["mina", "jun", "left"].map { user in
                    try store.members(of: user).members
                        .sorted { ($0.collection.name, $0.subject) < ($1.collection.name, $1.subject) }
                }
            }
        }

        private func fill(_ store: any TransactionalStore) throws {
            try store.commit(Sample.everything, key: "all", mutation: .of(1, 1))
            try store.commit((1...1_200).map { .episode("\($0)", "Tide \($0)") })
            try store.commit(
                [.listItem(EntryEdit(ListName("top"), putting: ListEntry(.episode("7")), at: 1))], mutation: .of(9, 1))
            try store.setFavorite("episode/1", .of(1, 2))
            try store.setFavorite("episode/2", of: "jun", .of(2, 7))
            try store.setFavorite("episode/3", of: "left", .of(3, 1))
            try store.setFavorite("episode/3", of: "left", on: false, .of(3, 2))
            _ = try store.write([
                .member(
                    user: "jun",
                    MemberChange(collection: "ratings", subject: "episode/5", effect: .set(value: [8, 9])),
                    mutation: .of(2, 8))
            ])
        }

        @Test(arguments: kinds, kinds)
        func `A backup of either kind restores everything into the other`(from: EngineKind, to: EngineKind) throws {
            try Place.with(from) { source throws in
                let (content, epoch) = try source.open { store throws in
                    try fill(store)
                    return (try Content(store), try store.catalogueHead().epoch)
                }
                let file = NSTemporaryDirectory() + "backup-\(UUID().uuidString)"
                defer { unlink(file) }
                let summary = try source.save(to: file)
                #expect(summary.revision == 3 && summary.users == 3 && summary.favorites == 2 && summary.members == 1)
                try Place.with(to) { target throws in
                    #expect(try target.restore(file) == summary)
                    try target.open { store throws in
                        #expect(try Content(store) == content)
                        #expect(try store.catalogueHead().epoch != epoch)
                        #expect(try store.search("tide 1199", in: .podcasts, offset: 0, limit: 9).total == 1)
                        #expect(try store.lastMutation(of: MutationID.of(2, 0).client) == 8)
                        #expect(try store.setFavorite("episode/1", .of(1, 2)) == .repeated(revision: 1, changed: true))
                        #expect(try store.commit(Sample.page(7), key: "all") == .keyReused)
                        #expect(try store.setFavorite("episode/4", .of(1, 3)) == .done(revision: 2, changed: true))
                        #expect(try store.commit(Sample.page(7)) == .done(revision: 4, changed: true))
                    }
                    let second = file + "-second"
                    defer { unlink(second) }
                    #expect(try target.save(to: second).favorites == 3)
                }
            }
        }

        @Test(arguments: kinds)
        func `Drafts are in no backup, and none is left where a store is replaced`(_ kind: EngineKind) throws {
            try Place.with(kind) { place throws in
                let file = NSTemporaryDirectory() + "backup-\(UUID().uuidString)"
                defer { unlink(file) }
                func draft(_ name: String, _ store: any TransactionalStore) throws {
                    let edit = DraftEdit(name, .add([.episode("1", "Draft")], key: nil))
                    try #expect(store.write([.draft(edit, mutation: nil)]).count == 1)
                }
                try place.open { store throws in
                    try store.commit(Sample.types, .episode("1"))
                    try draft("saved", store)
                    #expect(try (store as? any DraftStore)?.drafts().map(\.name) == ["saved"])
                }
                _ = try place.save(to: file)
                try place.open { try draft("later", $0) }
                _ = try place.restore(file, replacing: true)
                try place.open { store throws in
                    #expect(try (store as? any DraftStore)?.drafts().isEmpty == true)
                    #expect(try store.catalogueHead().revision == 1)
                }
            }
        }

        @Test func `A database that holds a store is replaced only on request`() throws {
            try Place.with(.postgres) { place throws in
                try place.open { try $0.setFavorite("episode/1", .of(1, 1)) }
                let file = NSTemporaryDirectory() + "backup-\(UUID().uuidString)"
                defer { unlink(file) }
                _ = try place.save(to: file)
                try place.open { store throws in
                    try store.setFavorite("episode/2", .of(1, 2))
                    try store.commit(Sample.page(1))
                }
                let refused = #expect(throws: StoreError.self) { try place.restore(file) }
                #expect(refused?.code == .exists)
                #expect(try place.open { try $0.favoriteSubjects().count } == 2)
                _ = try place.restore(file, replacing: true)
                try place.open { store throws in
                    #expect(try store.favoriteSubjects() == ["episode/1"])
                    #expect(try store.catalogueHead().revision == 0)
                }
            }
        }

        @Test func `A stopped backup or restore leaves nothing behind`() throws {
            try Place.with(.postgres) { place throws in
                try place.open(fill)
                let folder = NSTemporaryDirectory() + "backups-\(UUID().uuidString)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let file = folder + "/backup"
                for step in [BackupProgress.Step.database, .checking] {
                    let stopped = #expect(throws: StoreError.self) {
                        try place.save(to: file) { $0.step != step || $0.rows == 0 }
                    }
                    #expect(stopped?.code == .cancelled)
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
                }
                _ = try place.save(to: file)
                try Place.with(.postgres) { target throws in
                    let stopped = #expect(throws: StoreError.self) {
                        try target.restore(file) { $0.step != .catalogue || $0.rows == 0 }
                    }
                    #expect(stopped?.code == .cancelled)
                    #expect(try target.open { try $0.catalogueHead().revision } == 0)
                }
            }
        }

        @Test func `A database without a store is not saved`() throws {
            try Place.with(.postgres) { place throws in
                let file = NSTemporaryDirectory() + "backup-\(UUID().uuidString)"
                let error = #expect(throws: StoreError.self) { try place.save(to: file) }
                #expect(error?.code == .missing)
                #expect(!FileManager.default.fileExists(atPath: file))
            }
        }
    }
}
