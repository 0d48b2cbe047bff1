import Foundation
import GRDB
package import MarqueeModel
import MarqueeTypes

/// The result of checking a data folder for damage.
package struct Verification: Hashable, Sendable {
    /// One piece of damage.
    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// The path of the file.
        package var file: String
        /// Such as `the collections of 'mina'`.
        package var what: String

        package var description: String { "\(file): \(what)" }
    }

    /// The most findings that are listed; further ones are only counted.
    package static let namedFindings = 1_000

    package fileprivate(set) var findings: [Finding] = []
    /// The number of findings that are not listed.
    package fileprivate(set) var more = 0
    /// Rows compared with their sums.
    package fileprivate(set) var rows = 0
    /// The counts of the catalogue's content, as far as it can be counted.
    package fileprivate(set) var counts = CatalogueCounts()

    /// Whether the search index, which can be rebuilt from the catalogue, is damaged.
    package fileprivate(set) var isIndexDamaged = false

    package var isSound: Bool { findings.isEmpty }

    /// Checks everything in a data folder against its sums, even while another process serves it. Read-only. Blocks.
    /// - Throws: `missing`, `foreignFile`, `forbidden` or `io` when a file can't be read.
    package init(folder: String) throws(StoreError) {
        let verifier = Verifier()
        for log in StoreLog.allCases {
            let path = log.path(in: folder)
            guard FileSystem.exists(path) else {
                throw StoreError(.missing, "\(folder) is not a data folder: it has no \(log.fileName)")
            }
            guard access(path, R_OK) == 0 else { throw StoreError("\(path) can't be read", errno: errno) }
            do throws(StoreError) {
                try StoreError.translating(path) { try verifier.check(log, path) }
            } catch {
                guard error.code == .corrupt || error.isNoDatabase else { throw error }
                verifier.add(Finding(file: path, what: error.cause ?? error.message))
            }
        }
        self = verifier.result
    }

    fileprivate init() {}
}

/// Checks both files and notes what is wrong.
private final class Verifier {
    typealias Finding = Verification.Finding

    var result = Verification()

    func add(_ finding: Finding) {
        if result.findings.count < Verification.namedFindings {
            result.findings.append(finding)
        } else {
            result.more += 1
        }
    }

    func check(_ log: StoreLog, _ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let newest = WriteAheadLog(log, in: FileSystem.folder(of: path))
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        // One transaction, so that a folder in use is seen at one moment.
        try queue.read { db in
            let tables = TableReader(db)
            guard try StoreFile.isMade(db, log.schema, path) else { throw StoreDamage("it is empty") }
            collect(path) { try newest.check(db) }
            for finding in try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Verification.namedFindings))")
            where finding != "ok" {
                if SearchIndex.isNamed(in: finding) { result.isIndexDamaged = true }
                add(Finding(file: path, what: finding))
            }
            collect(path) { try StoreFile.checkTables(db, log.schema) }
            for table in log.summedTables { collect(path) { try check(table, path, tables) } }
            switch log {
            case .users: collect(path) { try checkCollections(path, tables) }
            case .catalogue:
                collect(path) { _ = try RecordTables.readAll(from: tables) { _ in } }
                collect(path) { result.counts = try StoreTables.counts(db) }
                let before = result.findings.count + result.more
                collect(path) { try checkSearch(path, tables) }
                if result.findings.count + result.more > before { result.isIndexDamaged = true }
            }
        }
    }

    /// Runs one check and turns what it throws into a finding.
    private func collect(_ path: String, _ check: () throws -> Void) {
        do throws(StoreError) {
            try StoreError.translating(path, check)
        } catch {
            let prefix = "\(path) is damaged: "
            let what = error.message.hasPrefix(prefix) ? String(error.message.dropFirst(prefix.count)) : "\(error)"
            let finding = Finding(file: path, what: what)
            if !result.findings.contains(finding) { add(finding) }
        }
    }

    private func check(_ table: SummedTable, _ path: String, _ tables: TableReader) throws {
        var total = TableTotal()
        try tables.rows(table.select) { row in
            result.rows += 1
            var damage: StoreDamage?
            do throws(StoreDamage) { try table.check(row) } catch { damage = error }
            if let damage { collect(path) { throw damage } }
            total.add(try table.sum(of: row))
        }
        try table.check(total, in: tables)
    }

    /// Checks that each user has the members that were written.
    private func checkCollections(_ path: String, _ tables: TableReader) throws {
        let names = try String.fetchAll(
            tables.database,
            sql: """
                SELECT name FROM user_log UNION SELECT user FROM member UNION SELECT user FROM user_collection
                ORDER BY 1
                """)
        for name in names { collect(path) { _ = try StoreQueries.members(of: name, tables) } }
    }

    /// Checks that every searched record can be found by its texts, and by nothing else. An index that is missing, as
    /// after a restore, or of another version isn't checked: the next process to open the folder rebuilds it.
    private func checkSearch(_ path: String, _ tables: TableReader) throws {
        let db = tables.database
        guard try SearchIndex.isCurrent(db) else { return }
        let types = try RecordTables.typesInForce(from: tables, TypeLibrary())?.types.filter(\.isSearched) ?? []
        let known = try SearchIndex.types(in: db)
        let expected = Dictionary(types.map { ($0.alias, $0.searchSignature) }) { first, _ in first }
        guard known.mapValues(\.fields) == expected else {
            throw StoreDamage("the search index, which has different types from those declared")
        }
        var (documents, check) = (0, try SearchIndexCheck())
        for declaration in types {
            guard let type = known[declaration.alias] else { continue }
            try RecordTables.readAll(ofType: declaration.alias, from: tables) { id, bytes in
                let document = SearchDocument(id, bytes, of: declaration)
                guard let label = try SearchIndex.label(of: document, type: type, in: db) else {
                    throw StoreDamage("the search index, which does not know \(id.subject.name)")
                }
                try check.add(document, label: label)
                documents += 1
            }
        }
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM title") == documents else {
            throw StoreDamage("the search index, which has records that don't exist")
        }
        try check.compare(with: db)
    }
}

extension StoreError {
    /// Whether SQLite found no database in the file at all.
    fileprivate var isNoDatabase: Bool { code == .foreignFile && cause?.hasPrefix("SQLite 26") == true }
}
