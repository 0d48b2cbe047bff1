import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel

/// What can still be read of a corrupt mirror: whose it is, its outbox, and of its views what gives its sums, or may
/// serve for their repair.
struct Rescued {
    /// `nil` when nothing says under which client id the mutations were numbered.
    private(set) var row: MirrorRow?
    private(set) var keptIdentity = false
    private(set) var entries: [OutboxEntry] = []
    private(set) var rejections: [RejectedMutation] = []
    /// Mutations that are there and can't be read, or must not be sent.
    private(set) var lost = 0
    private(set) var views: [RescuedView] = []

    init(_ path: String, newClientID: () -> [UInt8]) {
        guard let queue = try? MirrorDatabase.connect(path, readonly: false) else { return }
        defer { try? queue.close() }
        // Without transactions, which would fail as a whole at the first malformed page.
        func read<Value>(_ body: (Database) throws -> Value) -> Value? { try? queue.unsafeRead(body) }

        if let found = read({ try OutboxTable.readable($0) }) { (entries, lost) = found }
        rejections = read { try OutboxTable.rejections($0) } ?? []
        if let whole = read({ try MirrorRow.load($0) }) {
            row = whole
        } else if let owner = read({ try MirrorRow.loadOwner($0) }) ?? nil {
            // The numbers given so far are known from the outbox alone; the server tells if it has seen higher ones.
            row = MirrorRow(identity: owner, lastNumber: 0)
        }
        keptIdentity = row != nil
        if row == nil { beginAnew(newClientID()) }
        if let known = row?.lastNumber { row?.lastNumber = entries.reduce(known) { max($0, $1.number) } }
        views =
            read { db in
                let items = ItemRows.reachable(db)
                return try ViewRow.reachable(db).compactMap { RescuedView($0, items, db) }
            } ?? []
    }

    /// Under another client id the numbers of what may have been sent would mean other mutations: only what was never
    /// sent goes on.
    private mutating func beginAnew(_ clientID: [UInt8]) {
        guard var fresh = try? MirrorDatabase.row(clientID) else { return }
        let found = entries
        entries = []
        for var entry in found {
            switch entry.state {
            case .pending:
                guard let number = try? fresh.takeNumber() else { continue }
                entry.number = number
                entries.append(entry)
            case .sent:
                lost += 1
                rejections.append(
                    RejectedMutation(
                        number: entry.number, subject: entry.subject, on: entry.on, reason: Renumbering.rollbackReason,
                        createdAt: entry.createdAt))
            case .answered: break
            }
        }
        row = fresh
    }
}

/// A view of a corrupt mirror, as far as it can be read.
struct RescuedView {
    private let row: ViewRow
    private let position: (parameters: [StoredParameters], cut: Cut)
    /// Each list with the sum that it should have, by name.
    private let lists: [(name: String, version: Version, sum: UInt64)]

    /// - Returns: `nil` when nothing of it is left.
    init?(_ row: ViewRow, _ items: [Int64: ItemRows], _ db: Database) {
        guard let position = row.content else { return nil }
        self.row = row
        self.position = position
        lists = SectionRow.reachable(view: row.key, db).compactMap { section in
            switch section.content(items[section.key] ?? ItemRows()) {
            case .good(let version): (section.name, version, section.sum)
            // The sum stays the one that was stored, so that it is found damaged again, and mended.
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
