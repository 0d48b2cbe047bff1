import MarqueeModel
import MarqueeStore
import MarqueeTypes

/// The place of a row in the order of publication: transactions by their last rows, each with its rows by id.
///
/// Of two transactions that change the same thing, the one that has to wait for the other writes its last row later. So
/// this is the order of commits wherever that matters.
package struct OutboxPlace: Hashable, Sendable {
    package var id: Int64
    /// The id of the last row of its transaction.
    package var last: Int64

    package init(id: Int64, last: Int64) { (self.id, self.last) = (id, last) }
}

/// A row of an outbox: what one call of its function has handed over.
package struct OutboxRow: Hashable, Sendable {
    /// The most bytes of its text. A publication has less.
    static let bytes = 16 << 20

    package var id: Int64
    /// The changes, each as JSON.
    package var documents: [[UInt8]]

    package init(id: Int64, documents: [[UInt8]]) { (self.id, self.documents) = (id, documents) }

    /// - Parameter text: a change, or a list of them; `nil` if it is too long.
    /// - Throws: why it can't be published.
    init(id: Int64, text: String?) throws(RecordError) {
        guard let text else { throw RecordError("it has more than \(Self.bytes) bytes") }
        let value = try JSONValue(parsing: Array(text.utf8), atMost: Self.bytes)
        let changes = if case .list(let list) = value { list } else { [value] }
        let documents = changes.map { Array($0.sortedText.utf8) }
        // Each is about a whole publication, which has changes of other transactions here.
        if documents.contains(where: { Undo.isUndo($0) || DraftOrder.isOrder($0) }) {
            throw RecordError("neither 'undo' nor 'draft' can be published by an outbox")
        }
        self.init(id: id, documents: documents)
    }
}
