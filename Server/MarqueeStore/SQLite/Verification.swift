import Foundation
import GRDB
import MarqueeModel

/// What is wrong with a data folder.
package struct Verification: Hashable, Sendable {
    /// One thing that is damaged.
    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// The path of the file.
        package var file: String
        /// Such as `the favorites of 'mina'`.
        package var what: String

        package var description: String { "\(file): \(what)" }
    }

    /// Findings that are named; the rest is counted.
    package static let namedFindings = 1_000

    package fileprivate(set) var findings: [Finding] = []
    /// Those that are not named.
    package fileprivate(set) var more = 0
    /// Rows that were compared with their sums.
    package fileprivate(set) var rows = 0

    package var isSound: Bool { findings.isEmpty }

    /// Compares everything in a data folder with its sums, also while another process serves it. Changes nothing.
    /// Blocks.
    /// - Throws: `missing`, `foreignFile`, `forbidden` or `io` when a file can't be looked at.
    package init(folder: String) throws(StoreError) {
        let verifier = Verifier()
        for log in StoreLog.allCases {
            let path = log.path(in: folder)
            guard FileSystem.exists(path) else {
                throw StoreError(.missing, "\(folder) is no data folder: there is no \(log.fileName) in it")
            }
            guard access(path, R_OK) == 0 else { throw StoreError("\(path) can't be read", errno: errno) }
            do throws(StoreError) {
                try StoreError.translating(path) { try verifier.look(into: log, path) }
            } catch {
                guard error.code == .corrupt || error.isNoDatabase else { throw error }
                verifier.add(Finding(file: path, what: error.cause ?? error.message))
            }
        }
        self = verifier.result
    }

    fileprivate init() {}
}

/// Looks at both files and notes what is wrong.
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

    func look(into log: StoreLog, _ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        // One transaction: while the folder is served, all of it is of one moment.
        try queue.read { db in
            guard try StoreFile.isMade(db, log.schema, path) else { throw StoreDamage("it is empty") }
            for finding in try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Verification.namedFindings))")
            where finding != "ok" {
                add(Finding(file: path, what: finding))
            }
            collect(path) { try StoreFile.checkTables(db, log.schema) }
            for table in log.summedTables { collect(path) { try look(into: table, path, db) } }
            switch log {
            case .users: collect(path) { try lookIntoFavorites(path, db) }
            case .catalogue:
                collect(path) { _ = try RecordTables.readAll(from: db) { _ in } }
                collect(path) { try lookIntoTitles(path, db) }
            }
        }
    }

    /// Runs a look at something; what it throws is a finding.
    private func collect(_ path: String, _ look: () throws -> Void) {
        do throws(StoreError) {
            try StoreError.translating(path, look)
        } catch {
            let prefix = "\(path) is damaged: "
            let what = error.message.hasPrefix(prefix) ? String(error.message.dropFirst(prefix.count)) : "\(error)"
            let finding = Finding(file: path, what: what)
            if !result.findings.contains(finding) { add(finding) }
        }
    }

    private func look(into table: SummedTable, _ path: String, _ db: Database) throws {
        var total = TableTotal()
        let rows = try Row.fetchCursor(db, sql: table.select)
        while let row = try rows.next() {
            result.rows += 1
            collect(path) { try table.check(row) }
            total.add(try table.sum(of: row))
        }
        try table.check(total, in: db)
    }

    /// Whether each user has the favorites that were written.
    private func lookIntoFavorites(_ path: String, _ db: Database) throws {
        let names = try String.fetchAll(db, sql: "SELECT name FROM user_log UNION SELECT user FROM favorite ORDER BY 1")
        for name in names { collect(path) { _ = try StoreQueries.favorites(of: name, db) } }
    }

    /// Whether every movie can be found by its titles.
    private func lookIntoTitles(_ path: String, _ db: Database) throws {
        guard try TitleIndex.isCurrent(db) else { throw StoreDamage("the version of the search's index") }
        var known = 0
        try StoreTables.movie.rows("", in: db) { row in
            guard case .movie(let movie) = try RecordTables.movie(row) else { return }
            guard try TitleIndex.knows(movie, in: db) else {
                throw StoreDamage("the search's index, which does not know movie \(movie.id)")
            }
            known += 1
        }
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM title") == known else {
            throw StoreDamage("the search's index, which knows movies that are not there")
        }
    }
}

extension StoreError {
    /// SQLite found no database in the file at all.
    fileprivate var isNoDatabase: Bool { code == .foreignFile && cause?.hasPrefix("SQLite 26") == true }
}
