import MarqueeImport
import MarqueePublisher

/// Decides which rows of an outbox are published together, and what becomes of those that the server refuses: a value.
///
/// Whole transactions are published in their order, several at once while they are small. One that doesn't fit into a
/// publication is published in pieces.
struct OutboxCourse {
    enum Step: Hashable {
        /// All rows that were known are dealt with.
        case lookForRows
        case read([Int64])
        case setAside(Int64, reason: String)
        case publish(Publication)
    }

    struct Publication: Hashable {
        var ids: [Int64]
        var documents: [[UInt8]]
        /// Whether it is a part, but for the last, of a transaction that doesn't fit.
        var isPiece = false
    }

    private struct Row {
        var place: OutboxPlace
        var documents: [[UInt8]]
    }

    /// The bytes of changes with which it waits for no further transaction.
    static let gatheredBytes = 1 << 20
    /// The most transactions of a publication.
    static let most = 4_096
    /// How many rows are read at once: more while they are small. A row has 16 MiB at most.
    static let reads = 16...1_024

    /// Rows that aren't read yet, in order.
    private var places: ArraySlice<OutboxPlace> = []
    private var rows: ArraySlice<Row> = []
    /// Rows that can't be published, with the reason.
    private var bad: [(id: Int64, reason: String)] = []
    /// How many transactions are published together. After a refusal one at a time, so that each costs little.
    private var together = OutboxCourse.most
    /// A transaction, by its last row, whose rows are published one by one: it is refused, and nobody says for which.
    private var single: Int64?
    private var readAtOnce = OutboxCourse.reads.lowerBound
    private var reading: ArraySlice<OutboxPlace> = []
    private var publishing: (publication: Publication, transactions: Int)?

    /// Rows are to be published.
    /// - Parameter isAll: whether there are no others; if there are, the last transaction may not be whole.
    mutating func found(_ places: [OutboxPlace], isAll: Bool) {
        self.places = places[...]
        guard !isAll, let last = places.last?.last, places.first?.last != last else { return }
        while self.places.last?.last == last { self.places.removeLast() }
    }

    /// The next thing to do.
    mutating func next() -> Step {
        if !bad.isEmpty {
            let (id, reason) = bad.removeFirst()
            return .setAside(id, reason: reason)
        }
        if let (publication, transactions) = gathered() {
            publishing = (publication, transactions)
            return .publish(publication)
        }
        guard !places.isEmpty else { return .lookForRows }
        reading = places.prefix(readAtOnce)
        return .read(reading.map(\.id))
    }

    /// The rows that were asked for.
    mutating func read(_ found: [OutboxTable.Read]) {
        places = places.dropFirst(reading.count)
        let known = Dictionary(reading.map { ($0.id, $0) }) { first, _ in first }
        var bytes = 0
        for read in found {
            switch read {
            case .bad(let id, let reason): bad.append((id, reason))
            case .row(let row):
                guard let place = known[row.id] else { continue }
                if let reason = PublicationSize.refusal(of: row.documents) {
                    bad.append((row.id, reason))
                } else {
                    bytes += row.documents.reduce(0) { $0 + $1.count }
                    rows.append(Row(place: place, documents: row.documents))
                }
            }
        }
        reading = []
        readAtOnce = bytes < Self.gatheredBytes / 4 ? min(readAtOnce * 2, Self.reads.upperBound) : Self.reads.lowerBound
    }

    /// - Returns: `nil` if more rows have to be read first.
    private func gathered() -> (Publication, transactions: Int)? {
        guard let first = rows.first?.place.last else { return nil }
        if single == first, let row = rows.first {
            return (Publication(ids: [row.place.id], documents: row.documents), 1)
        }
        var size = PublicationSize()
        var end = rows.startIndex
        var transactions = 0
        while end < rows.endIndex, transactions < together, size.bytes < Self.gatheredBytes {
            let last = rows[end].place.last
            let next = rows[end...].firstIndex { $0.place.last != last } ?? rows.endIndex
            let isWhole = next < rows.endIndex || places.first?.last != last
            guard size.add(rows[end..<next].flatMap(\.documents)) else {
                // With those before, or alone.
                if transactions == 0 { return (firstPiece(), 1) }
                break
            }
            if !isWhole { return nil }
            (end, transactions) = (next, transactions + 1)
        }
        let isEnough = size.bytes >= Self.gatheredBytes || transactions >= together || end < rows.endIndex
        guard isEnough || places.isEmpty else { return nil }
        let chosen = rows[..<end]
        return (Publication(ids: chosen.map(\.place.id), documents: chosen.flatMap(\.documents)), transactions)
    }

    /// The first rows of a transaction that fit into a publication.
    private func firstPiece() -> Publication {
        var size = PublicationSize()
        var publication = Publication(ids: [], documents: [])
        let last = rows.first?.place.last
        for row in rows {
            guard row.place.last == last, size.add(row.documents) else { break }
            publication.ids.append(row.place.id)
            publication.documents += row.documents
        }
        publication.isPiece = true
        return publication
    }

    /// The publication is committed.
    mutating func published() {
        guard let (publication, _) = publishing else { return }
        rows = rows.dropFirst(publication.ids.count)
        publishing = nil
        together = min(together * 2, Self.most)
        if rows.first?.place.last != single { single = nil }
    }

    /// The server has refused the publication.
    /// - Parameter index: of the change that it refuses; `nil` if it doesn't say.
    mutating func refused(_ index: Int?, _ reason: String) {
        guard let (publication, transactions) = publishing else { return }
        publishing = nil
        together = 1
        var row = publication.ids.count == 1 ? rows.startIndex : nil
        if let index {
            var end = 0
            row =
                rows.prefix(publication.ids.count).firstIndex { row in
                    end += row.documents.count
                    return index < end
                } ?? row
        }
        if let row {
            bad.append((rows[row].place.id, reason))
            rows.remove(at: row)
        } else if transactions == 1 {
            single = rows.first?.place.last
        }
    }
}
