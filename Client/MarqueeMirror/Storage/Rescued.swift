import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel

/// The parts of a corrupt mirror that can still be read: its owner, its outbox, and those parts of its views that match
/// their sums or may serve for their repair.
struct Rescued {
    /// The client's own row; a new one if the client id under which the mutations were numbered is lost.
    private(set) var row: MirrorRow
    let keptIdentity: Bool
    private(set) var entries: [OutboxEntry] = []
    /// Changes stored by companions.
    private(set) var inbox: [OutboxEntry] = []
    private(set) var rejections: [RejectedMutation] = []
    /// Observations still to be reported.
    private(set) var observations: [ObservationTable.StoredRow] = []
    /// Mutations that exist but can't be read, or must not be sent.
    private(set) var lost = 0
    private(set) var views: [RescuedView] = []

    /// Reads a file that was found to be corrupt at opening.
    ///
    /// - Throws: `limit` when `newClientID` returns an invalid id.
    init(_ path: String, newClientID: () -> [UInt8]) throws {
        let reader = Reader(path)
        let known =
            reader.read { try MirrorRow.load($0) }
            // Only the outbox and reports show which numbers were used; the server reports higher ones if it has any.
            ?? reader.read { try MirrorRow.loadOwner($0) }?.map { MirrorRow(identity: $0, lastNumber: 0) }
        row = try known ?? MirrorDatabase.row(newClientID())
        keptIdentity = known != nil
        readRows(reader)
        if known == nil { startOver() }
        readViews(reader)
    }

    /// Reads a file that was found to be corrupt while in use.
    ///
    /// - Parameter known: the client's own row, which was verified when it was read.
    init(_ path: String, known: MirrorRow) {
        let reader = Reader(path)
        row = known
        keptIdentity = true
        readRows(reader)
        readViews(reader)
    }

    private mutating func readRows(_ reader: Reader) {
        if let found = reader.read({ try OutboxTable.readable($0) }) { (entries, lost) = found }
        if let found = reader.read({ try InboxTable.readable($0) }) {
            inbox = found.entries
            lost += found.lost
        }
        rejections = reader.read { try OutboxTable.rejections($0) } ?? []
        observations = reader.read { try ObservationTable.readable($0) } ?? []
        guard keptIdentity else { return }
        row.lastNumber = observations.reduce(row.lastNumber) { max($0, $1.number ?? 0) }
        row.lastNumber = entries.reduce(row.lastNumber) { max($0, $1.number) }
    }

    private mutating func readViews(_ reader: Reader) {
        views =
            reader.read { db in
                let items = ItemRows.reachable(db)
                return try ViewRow.reachable(db).compactMap { RescuedView($0, items, db) }
            } ?? []
    }

    /// Continues under another client id, where the numbers of sent mutations would denote other mutations: only unsent
    /// ones are kept.
    private mutating func startOver() {
        observations.removeAll { $0.number != nil }
        let found = entries
        entries = []
        for var entry in found {
            switch entry.state {
            case .pending:
                guard let number = try? row.takeNumber() else { continue }
                entry.number = number
                entries.append(entry)
            case .sent:
                lost += 1
                rejections.append(
                    RejectedMutation(
                        number: entry.number, collection: entry.collection, subject: entry.subject, on: entry.on,
                        value: entry.value, reason: Renumbering.rollbackReason, createdAt: entry.createdAt))
            case .answered: break
            }
        }
    }

    /// Reads without transactions, which would fail as a whole at the first malformed page.
    private final class Reader {
        private let queue: DatabaseQueue?

        init(_ path: String) { queue = try? MirrorDatabase.connect(path, readonly: false) }

        deinit { try? queue?.close() }

        func read<Value>(_ body: (Database) throws -> Value) -> Value? { try? queue?.unsafeRead(body) }
    }
}

/// A view of a corrupt mirror, as far as it can be read.
struct RescuedView {
    private let row: ViewRow
    private let position: (parameters: [StoredParameters], cut: Cut)
    /// Each list by name, with the sum it should have.
    private let lists: [(name: String, version: Version, sum: UInt64)]

    /// - Returns: `nil` when none of the view is left.
    init?(_ row: ViewRow, _ items: [Int64: ItemRows], _ db: Database) {
        guard let position = row.content else { return nil }
        self.row = row
        self.position = position
        lists = SectionRow.reachable(view: row.key, db).compactMap { section in
            switch section.content(items[section.key] ?? ItemRows()) {
            case .good(let version): (section.name, version, section.sum)
            // It keeps its stored sum, so that it is detected as damaged again and repaired.
            case .damaged(_, _, let base): (section.name, base, section.sum)
            }
        }
        if lists.isEmpty { return nil }
    }

    func store(_ db: Database) throws {
        let key = try ViewRow.store(
            ViewWrite(id: row.id, parameters: position.parameters), cut: position.cut, savedAt: row.savedAt, db)
        for list in lists {
            let writer = SectionWriter(db: db, view: key, name: list.name)
            try writer.write(base: nil, target: list.version)
            if list.sum != list.version.sum { try writer.mark(sum: list.sum) }
        }
    }
}
