import Foundation
import GRDB
import MarqueeTypes
import Testing

@testable import MarqueeImport

/// An SQLite file that is read again once it has changed.
@Suite final class SQLiteFeedTests {
    private let folder: ImportFolder
    private let path: String
    private var writer: DatabaseQueue
    private let types = try? TypeSet(
        "types:\n  product: {fields: {sku: text, title: text}, id: sku}\n  shop: {fields: {sku: text}, id: sku}\n",
        file: "types.yaml", descriptors: [])

    init() throws {
        folder = try ImportFolder()
        path = "\(folder.path)/shop.db"
        writer = try Self.database(path)
    }

    private static func database(_ path: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE product (sku TEXT PRIMARY KEY, title TEXT, hidden INTEGER DEFAULT 0);
                    CREATE TABLE shop (sku TEXT);
                    INSERT INTO product (sku, title) VALUES ('a', 'Lamp'), ('b', 'Desk');
                    """)
        }
        return queue
    }

    private func write(_ sql: String) throws { try writer.write { try $0.execute(sql: sql) } }

    private func ids(_ pages: FeedPages?, table: String = "product: {type: product}") throws -> [String]? {
        guard let pages else { return nil }
        let source = try SourceFile(
            yaml: "source: s\nsqlite: {file: shop.db, every: 1s}\ntables: {\(table)}\n", file: "source.yaml")
        var ids: [String] = []
        _ = try FeedTable(#require(source.tables.first), #require(types)).each(of: pages, shouldContinue: { true }) {
            (row) throws(ImportError) in
            if case .record(let id, _) = row { ids.append(id) }
        }
        return ids.sorted()
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `Nothing is read while nothing has changed, and everything once something has`(mode: String) throws {
        _ = try writer.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = \(mode)") }
        let feed = SQLiteFeed(path: path)
        #expect(try ids(feed.look()) == ["a", "b"])
        for _ in 1...3 { #expect(try feed.look() == nil) }
        try write("INSERT INTO product (sku) VALUES ('c')")
        #expect(try ids(feed.look()) == ["a", "b", "c"])
        #expect(try feed.look() == nil)
        // A rolled-back change never was.
        try writer.write { db in
            try db.inSavepoint {
                try db.execute(sql: "DELETE FROM product")
                return .rollback
            }
        }
        try write("UPDATE product SET title = 'Lamp' WHERE sku = 'a'")
        #expect(
            try ids(feed.look(), table: "product: {type: product, where: \"sku <> 'b'\", omit: [hidden]}") == [
                "a", "c",
            ])
    }

    @Test func `What was handed out stays as it was, and nobody waits for it`() throws {
        let feed = SQLiteFeed(path: path)
        let pages = try feed.look()
        try write("DELETE FROM product WHERE sku = 'a'; INSERT INTO shop VALUES ('s')")
        #expect(try ids(pages) == ["a", "b"])
        #expect(try ids(pages, table: "shop: {type: shop}") == [])
        #expect(try ids(feed.look()) == ["b"])
    }

    @Test func `A file put in its place is another one, and one that is gone is awaited`() throws {
        let feed = SQLiteFeed(path: path)
        #expect(try ids(feed.look()) == ["a", "b"])
        let other = try Self.database("\(folder.path)/other.db")
        try other.write { try $0.execute(sql: "DELETE FROM product WHERE sku = 'a'") }
        try other.close()
        #expect(rename("\(folder.path)/other.db", path) == 0)
        #expect(try ids(feed.look()) == ["b"])
        #expect(try feed.look() == nil)
        unlink(path)
        #expect(throws: ImportError.self) { try feed.look() }
        writer = try Self.database(path)
        #expect(try ids(feed.look()) == ["a", "b"])
    }

    @Test func `A table that isn't there is told, with those that are`() throws {
        let pages = try SQLiteFeed(path: path).look()
        let error = #expect(throws: ImportError.self) { try self.ids(pages, table: "products: {type: product}") }
        #expect(error?.message == "\(path) has no table 'products'; did you mean 'product'?")
    }

    @Test func `The source file has the file, and how often to look`() throws {
        func source(_ origin: String) throws -> SourceFile {
            try SourceFile(yaml: "source: s\n\(origin)\ntables: {p: {type: product}}\n", file: "x/source.yaml")
        }
        #expect(try source("sqlite: {file: shop.db, every: 250ms}").interval == 250)
        #expect(try source("sqlite: {file: shop.db}").origin == source("sqlite: shop.db").origin)
        #expect(try source("sqlite: shop.db").origin == .database(.sqlite("x/shop.db")))
        for wrong in ["{every: 5s}", "{file: shop.db, every: 5}", "{file: shop.db, ever: 5s}"] {
            #expect(throws: FileMistakes.self) { try source("sqlite: \(wrong)") }
        }
    }
}
