import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import SeededRandom
import Testing

@testable import MarqueeStore

/// Damage in the search index that SQLite takes for content.
@Suite struct SearchIndexDamageTests {
    private static let titles = ["Heat", "Alien", "Ran", "Up", "기생충", "E.T.", "Spider-Man", "The Thin Red Line"]

    private func fill(_ folder: String) throws {
        let store = try SQLiteStore(folder: folder)
        try store.commit([Sample.types] + Self.titles.enumerated().map { .episode("\($0)", $1) })
        try store.close()
    }

    @Test(arguments: [
        // Found by a word that is in no title.
        "INSERT INTO title_gram (rowid, grams) SELECT label, 'zq' FROM title WHERE id = '0'",
        "INSERT INTO title_trigram (rowid, text) SELECT label, 'zqx' FROM title WHERE id = '0'",
        // No longer found by a part of its title, but still by the whole.
        "INSERT INTO title_gram (title_gram, rowid, grams) SELECT 'delete', label, 'ea' FROM title WHERE id = '0'",
        // A word that no lookup reaches any more.
        "UPDATE title_gram_idx SET term = CAST('zzzz' AS BLOB) WHERE term <> x''",
    ])
    func `An extra or missing word is found, and the index rebuilt`(_ sql: String) throws {
        try withFolder { folder throws in
            try fill(folder)
            #expect(try Verification(folder: folder).isSound)
            try tamper(folder, "catalogue.sqlite", sql)
            let damaged = try Verification(folder: folder)
            if sql.hasPrefix("INSERT") {
                // Only the comparison with the catalogue notices.
                #expect(
                    damaged.findings.map(\.what) == [
                        "the search index, which has different words from the catalogue"
                    ])
            }
            #expect(damaged.isIndexDamaged == !damaged.isSound)
            #expect(!damaged.isSound || sql.hasPrefix("UPDATE"))

            let store = try SQLiteStore(folder: folder)
            try store.rebuildSearch()
            #expect(try store.search("ea", in: .podcasts, offset: 0, limit: 9).ids == [.episode("0")])
            #expect(try store.search("zq", in: .podcasts, offset: 0, limit: 9).ids.isEmpty)
            try store.close()
            #expect(try Verification(folder: folder).isSound)
        }
    }

    /// If any bit of the index's pages flips, either verification finds it, or every search has the same result as
    /// before.
    @Test func `A flipped bit in the index is found or harmless`() throws {
        try withFolder { folder throws in
            try fill(folder)
            let path = "\(folder)/catalogue.sqlite"
            let whole = try #require(FileManager.default.contents(atPath: path))
            let queries = Set(
                Self.titles.flatMap { title in
                    let characters = Array(SearchText.fold(title))
                    return characters.indices.flatMap { start in
                        (1...4).map { String(characters[start...].prefix($0)) }
                    }
                }
            ).sorted()
            func found() throws -> [[RecordID]] {
                let queue = try DatabaseQueue(path: path)
                defer { try? queue.close() }
                return try queue.read { db in
                    try queries.map { try SearchIndex.find($0, in: ["episode"], db).ids }
                }
            }
            let before = try found()
            var random = SeededGenerator(seed: 11)
            var (damaging, unnoticed) = (0, 0)
            for table in ["title_trigram_data", "title_gram_data", "title_trigram_idx", "title_gram_idx"] {
                for _ in 0..<15 {
                    try whole.write(to: URL(filePath: path))
                    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
                    let queue = try DatabaseQueue(path: path)
                    try queue.write { db in
                        let column = table.hasSuffix("_data") ? "block" : "term"
                        let key = table.hasSuffix("_data") ? "id" : "pgno"
                        let rows = try Row.fetchAll(db, sql: "SELECT \(key), \(column) FROM \(table)")
                            .filter { ($0[1] as Data?)?.isEmpty == false }
                        guard let row = rows.randomElement(using: &random), var block = row[1] as Data? else { return }
                        let byte = try #require(block.indices.randomElement(using: &random))
                        block[byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                        try db.execute(
                            sql: "UPDATE \(table) SET \(column) = ? WHERE \(key) = ?",
                            arguments: [block, row[0] as Int64])
                    }
                    try queue.close()
                    let isNamed = try !Verification(folder: folder).isSound
                    let after = try? found()
                    guard after != before else { continue }
                    damaging += 1
                    if !isNamed { unnoticed += 1 }
                }
            }
            #expect(unnoticed == 0)
            #expect(damaging > 5, "otherwise the flips prove nothing")
        }
    }
}
