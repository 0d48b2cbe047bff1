import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeStore

/// The rows of an import that go to a server, held until all of them have been judged.
struct PublishedRows {
    /// A row and the documents of its changes.
    struct Entry {
        /// Without its changes, which the documents contain.
        var row: ImportedRow
        var documents: [[UInt8]]
    }

    /// The most bytes of documents in one import.
    static let maximumBytes = 512 << 20

    private(set) var entries: [Entry] = []
    /// Changes for a server without types, to be made together with the first rows.
    private(set) var groundwork: [Change] = []
    private var bytes = 0

    /// - Returns: why the row can't be published; `nil` if it can.
    /// - Throws: when there is too much to hold.
    mutating func add(_ row: ImportedRow) throws(ImportError) -> String? {
        if row.isGroundwork {
            groundwork = row.changes
            return nil
        }
        let documents: [[UInt8]]
        do throws(StoreError) {
            documents = try PublishedRows.documents(of: row.changes)
        } catch {
            return error.description
        }
        if let reason = PublicationSize.refusal(of: documents) { return reason }
        bytes += documents.reduce(0) { $0 + $1.count }
        guard bytes <= PublishedRows.maximumBytes else {
            throw ImportError(
                .refused,
                "\(row.place): an import into a running server has at most \(PublishedRows.maximumBytes >> 20) MiB of "
                    + "changes; split the file")
        }
        var entry = Entry(row: row, documents: documents)
        entry.row.changes = []
        entries.append(entry)
        return nil
    }

    static func documents(of changes: [Change]) throws(StoreError) -> [[UInt8]] {
        var documents: [[UInt8]] = []
        for change in changes { documents.append(try change.document()) }
        return documents
    }

    /// The rows from `start` on that fit one publication.
    /// - Parameter first: documents that are part of it.
    func next(from start: Int, behind first: [[UInt8]]) -> Range<Int> {
        var size = PublicationSize()
        _ = size.add(first)
        var end = start
        while end < entries.count, size.add(entries[end].documents) { end += 1 }
        return start..<end
    }
}
