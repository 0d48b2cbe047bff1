import MarqueeCatalogue
import MarqueeModel
import Testing

@testable import MarqueeStore

/// The index of records in a data folder: damage is found and can be repaired; a restore or another version builds it
/// again.
@Suite struct RecordSearchDamageTests {
    private func fill(_ folder: String) throws {
        let store = try SQLiteStore(folder: folder)
        try store.commit(
            Sample.types, .show("tide", ["en": "High-Tide", "ko": "밀물"], author: "Ada", followers: 9),
            .episode("e1", "Tidal", topics: ["sea"], plays: 3), .episode("e2", "Ebb", topics: ["tide"], plays: 7))
        try store.close()
    }

    private func found(_ query: String, in folder: String) throws -> [String] {
        let store = try SQLiteStore(folder: folder)
        defer { try? store.close() }
        return try store.search(query, in: .podcasts, offset: 0, limit: 9).ids.map(\.id)
    }

    @Test(arguments: [
        ("DELETE FROM title WHERE id = 'e1'", "which does not know episode/e1"),
        ("UPDATE title SET rank = 1 WHERE id = 'tide'", "which does not know show/tide"),
        ("UPDATE title SET label = label + (1 << 57) WHERE id = 'e2'", "which does not know episode/e2"),
        ("UPDATE title_type SET fields = '9' WHERE alias = 'show'", "which has different types from those declared"),
        ("DELETE FROM title_type WHERE alias = 'episode'", "which has different types from those declared"),
        (
            "INSERT INTO title (label, type, id, rank, text) VALUES (5, 1, 'gone', 0, 'gone')",
            "which has records that don't exist"
        ),
        (
            "INSERT INTO title_gram (rowid, grams) SELECT label, 'zq' FROM title WHERE id = 'e1'",
            "which has different words from the catalogue"
        ),
    ])
    func `Damage to the index is named, and a rebuild repairs it`(_ sql: String, _ finding: String) throws {
        try withFolder { folder throws in
            try fill(folder)
            #expect(try Verification(folder: folder).isSound)
            try tamper(folder, "catalogue.sqlite", sql)
            let damaged = try Verification(folder: folder)
            #expect(damaged.findings.map(\.what) == ["the search index, \(finding)"])
            #expect(damaged.isIndexDamaged)
            let store = try SQLiteStore(folder: folder)
            try store.rebuildSearch()
            try store.close()
            #expect(try Verification(folder: folder).isSound)
            #expect(try found("tid", in: folder) == ["tide", "e2", "e1"])
        }
    }

    @Test(arguments: [
        """
        DROP TABLE title; DROP TABLE title_type; DROP TABLE title_trigram; DROP TABLE title_gram;
        UPDATE title_version SET version = '2'; CREATE TABLE title (label INTEGER PRIMARY KEY) STRICT;
        """, "UPDATE title_version SET version = '0'",
        """
        DROP TABLE title; DROP TABLE title_type; DROP TABLE title_trigram; DROP TABLE title_gram;
        DROP TABLE title_version;
        """,
    ])
    func `An index that is missing or of another version is built again with its types`(_ sql: String) throws {
        try withFolder { folder in
            try fill(folder)
            try tamper(folder, "catalogue.sqlite", sql)
            #expect(try Verification(folder: folder).isSound, "the next start makes it, so nothing is lost")
            #expect(try found("tid", in: folder) == ["tide", "e2", "e1"])
            #expect(try Verification(folder: folder).isSound)
        }
    }

    @Test func `Search finds records in a restored backup`() throws {
        try withFolder { folder in
            try fill("\(folder)/old")
            _ = try Backup.save("\(folder)/old", to: "\(folder)/backup") { _ in true }
            _ = try Backup.restore("\(folder)/backup", into: "\(folder)/new") { _ in true }
            #expect(try found("밀", in: "\(folder)/new") == ["tide"])
            #expect(try found("sea", in: "\(folder)/new") == ["e1"])
            #expect(try Verification(folder: "\(folder)/new").isSound)
        }
    }

    @Test func `A restored folder is sound before anything has opened it`() throws {
        try withFolder { folder in
            try fill("\(folder)/old")
            _ = try Backup.save("\(folder)/old", to: "\(folder)/backup") { _ in true }
            _ = try Backup.restore("\(folder)/backup", into: "\(folder)/new") { _ in true }
            let verified = try Verification(folder: "\(folder)/new")
            #expect(verified.findings.isEmpty)
            #expect(verified.rows > 0)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A discarded transaction leaves the index as it was`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types, .episode("e1", "Tidal", topics: [], plays: 3))
            #expect(try store.search("tid", in: .podcasts, offset: 0, limit: 9).total == 1)
            try store.transaction { writer in
                _ = try? writer.write([
                    .catalogue(
                        key: nil,
                        changes: [
                            Sample.types(show: nil, episode: "[topics]"),
                            .episode("e2", "Tide", topics: ["tide"], plays: 1),
                        ], mutation: nil)
                ])
                return false
            }
            let found = try store.search("tid", in: .podcasts, offset: 0, limit: 9)
            #expect(found.ids == [RecordID(type: "episode", id: "e1")])
        }
    }
}
