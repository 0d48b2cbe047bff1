import GRDB
import MarqueeCatalogue
import Testing

@testable import MarqueeStore

/// The order in which full-text tables are written.
@Suite struct SearchEntriesTests {
    private typealias Entry = SearchEntries.Entry

    @Test func `Entries are written by label, and those of one label in the order in which they came`() {
        let added = [
            Entry(label: 5, text: "a", isRemoval: false), Entry(label: 2, text: "b", isRemoval: true),
            Entry(label: 5, text: "a", isRemoval: true), Entry(label: 2, text: "c", isRemoval: false),
            Entry(label: 5, text: "d", isRemoval: false),
        ]
        var entries = SearchEntries()
        for entry in added { entries.add(entry) }
        #expect(entries.take() == [added[1], added[3], added[0], added[2], added[4]])
        #expect(entries.take().isEmpty)
    }

    @Test func `Waiting entries are bounded in number and in bytes`() {
        var entries = SearchEntries()
        for label in 1...SearchEntries.maximumCount {
            #expect(!entries.isFull)
            entries.add(Entry(label: Int64(label), text: "a", isRemoval: false))
        }
        #expect(entries.isFull)
        _ = entries.take()
        #expect(!entries.isFull)
        entries.add(
            Entry(label: 1, text: String(repeating: "a", count: SearchEntries.maximumBytes), isRemoval: false))
        #expect(entries.isFull)
    }

    /// SQLite makes a segment whenever a label is smaller than the one before: half a thousand of these documents.
    @Test func `A commit of many records makes one segment of each full-text table`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.commit(Sample.types)
            try store.commit((1...1_000).map { .episode("\($0)", "Title \($0 % 7)") })
            try store.close()
            #expect(try segments(folder) == [1, 1])
        }
    }

    @Test func `A rebuilt index has one segment in each full-text table`() throws {
        try withFolder { folder throws in
            let store = try SQLiteStore(folder: folder)
            try store.commit([Sample.types] + (1...1_000).map { .episode("\($0)", "Title \($0 % 7)") })
            try store.rebuildSearch()
            #expect(try store.search("title 3", in: .podcasts, offset: 0, limit: 9).ids.count == 9)
            try store.close()
            #expect(try segments(folder) == [1, 1])
            #expect(try Verification(folder: folder).isSound)
        }
    }

    private func segments(_ folder: String) throws -> [Int] {
        let queue = try DatabaseQueue(path: "\(folder)/catalogue.sqlite")
        defer { try? queue.close() }
        return try queue.read { db in
            try ["title_trigram", "title_gram"].map {
                try Int.fetchOne(db, sql: "SELECT count(DISTINCT segid) FROM \($0)_idx") ?? 0
            }
        }
    }
}
