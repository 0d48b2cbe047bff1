import GRDB
import MarqueeModel

// Searching, and the index for it, which can be rebuilt from the catalogue.

extension SQLiteStore {
    package func search(
        _ query: String, in scope: SearchScope, offset: Int, limit: Int
    ) throws(StoreError) -> SearchMatches {
        let epoch = epochs.catalogue
        return try reading(\.catalogue) { db in
            try SearchMatches(
                head: LogHead(epoch: epoch, revision: try StoreQueries.catalogueRevision(db)),
                found: try SearchIndex.find(query, in: scope.types, with: scope.filters, db.database),
                offset: offset, limit: limit, scope: scope,
                record: { try RecordTables.read($0, from: db) })
        }
    }

    /// Rebuilds the index of a file that was restored, or was written by a version that indexed differently or not at
    /// all.
    static func index(_ pool: DatabasePool, _ library: TypeLibrary) throws {
        guard try !pool.read(SearchIndex.isCurrent) else { return }
        try rebuildIndex(of: pool, library)
    }

    /// Rebuilds the search index from the catalogue, whatever the index holds.
    /// - Throws: `corrupt` when a record or the types are damaged; then nothing has changed.
    package func rebuildSearch() throws(StoreError) {
        let pool = try opened().catalogue
        try StoreError.translating(pool.path) { try SQLiteStore.rebuildIndex(of: pool, typeLibrary) }
    }

    private static func rebuildIndex(of pool: DatabasePool, _ library: TypeLibrary) throws {
        try pool.writing { tables in
            try SearchIndex.rebuild(
                in: tables.database, types: try RecordTables.typesInForce(from: tables, library),
                records: { try RecordTables.readAll(ofType: $0, from: tables, $1) })
            return .commit
        }
    }
}
