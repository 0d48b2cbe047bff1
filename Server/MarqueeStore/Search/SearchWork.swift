import MarqueeCatalogue

/// The work of one search. It follows what matches, never how many records there are.
package struct SearchWork: Hashable, Sendable {
    /// Questions to the index: one for each pattern of the query.
    package var lookups: Int
    /// Documents that the index returned.
    package var documents: Int
    /// Records read: those whose facets are counted, those of the page, and those that these refer to.
    package var records: Int
    /// Rows that SQLite went through without an index, besides those found; 0 with PostgreSQL, which doesn't say.
    package var scanned: Int

    package init(lookups: Int = 0, documents: Int = 0, records: Int = 0, scanned: Int = 0) {
        self.lookups = lookups
        self.documents = documents
        self.records = records
        self.scanned = scanned
    }

    /// Counts one pattern's question, and its answers of each type.
    mutating func count(_ found: [[SearchCandidate]]) {
        lookups += 1
        documents += found.reduce(0) { $0 + $1.count }
    }
}

/// The records that match a query, in order.
struct FoundRecords {
    /// At most `SearchMatches.limit`.
    var ids: [RecordID] = []
    /// Whether there are more.
    var isCapped = false
    var work = SearchWork()
}
