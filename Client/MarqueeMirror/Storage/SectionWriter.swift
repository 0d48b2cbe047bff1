import Foundation
import GRDB
import MarqueeDiff
import MarqueeModel

/// Updates one stored list from a base to a target, writing only rows that are new, changed or removed.
///
/// The base is the version that the caller holds in memory. Only its sum is compared with the stored one; if that
/// differs, or a row is not where the base expects it, the list is written in full.
struct SectionWriter {
    let db: Database
    let view: Int64
    let name: String

    func write(base: Version?, target: Version) throws {
        let stored = try SectionRow.find(name, view: view, db)
        if let stored, let base, stored.sum == base.sum, let order = stored.order, order.count == base.items.count,
            let newOrder = try writeItems(section: stored.key, from: base, order: order, to: target)
        {
            if stored.sum != target.sum { try writeSection(stored.key, target, order: newOrder) }
            return
        }
        let section: Int64
        if let stored {
            section = stored.key
            try db.execute(sql: "DELETE FROM item WHERE section = ?", arguments: [section])
        } else {
            try db.execute(
                sql: "INSERT INTO section (view, name, sum) VALUES (?, ?, 0)", arguments: [view, name])
            section = db.lastInsertedRowID
        }
        var order: [Int64] = []
        order.reserveCapacity(target.items.count)
        for index in target.items.indices { order.append(try insert(target, index, section: section)) }
        try writeSection(section, target, order: order)
    }

    /// Marks the stored list as damaged: stores the sum that it should have in place of its own.
    func mark(sum: UInt64) throws {
        try db.execute(
            sql: "UPDATE section SET sum = ? WHERE view = ? AND name = ?",
            arguments: [Int64(bitPattern: sum), view, name])
    }

    /// - Parameter order: the row number of each item of `base`.
    /// - Returns: the row number of each item of `target`, or `nil` when a row is not where `base` expects it.
    private func writeItems(
        section: Int64, from base: Version, order: [Int64], to target: Version
    ) throws -> [Int64]? {
        if base.sum == target.sum { return order }
        var places: [ExactString: Int] = [:]
        places.reserveCapacity(base.items.count)
        for (place, item) in base.items.enumerated() { places[ExactString(item.id)] = place }

        let olds = target.items.map { places[ExactString($0.id)] }
        var stays = [Bool](repeating: false, count: base.items.count)
        for case let old? in olds { stays[old] = true }
        for place in base.items.indices where !stays[place] {
            guard try delete(base.items[place], number: order[place], section: section) else { return nil }
        }

        var newOrder: [Int64] = []
        newOrder.reserveCapacity(target.items.count)
        for (index, old) in olds.enumerated() {
            guard let old else {
                newOrder.append(try insert(target, index, section: section))
                continue
            }
            if !isSame(base, old, target, index) {
                guard try update(target, index, number: order[old], section: section) else { return nil }
            }
            newOrder.append(order[old])
        }
        return newOrder
    }

    private func isSame(_ base: Version, _ old: Int, _ target: Version, _ new: Int) -> Bool {
        base.items[old].kind == target.items[new].kind && base.bodyHash(at: old) == target.bodyHash(at: new)
            && base.items[old].subject.hasSameBytes(as: target.items[new].subject)
    }

    private func writeSection(_ key: Int64, _ target: Version, order: [Int64]) throws {
        try db.cachedStatement(sql: "UPDATE section SET head = ?, item_order = ?, sum = ? WHERE id = ?").execute(
            arguments: [Data(target.head), Data(ItemOrder.encoded(order)), Int64(bitPattern: target.sum), key])
    }

    /// Inserts an item, replacing a row with the same id that damage has left outside the order.
    private func insert(_ version: Version, _ index: Int, section: Int64) throws -> Int64 {
        let item = version.items[index]
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO item (section, id, kind, subject, body, body_hash) VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                section, item.id, Int64(item.kind.rawValue), item.subject, Data(item.body),
                Int64(bitPattern: version.bodyHash(at: index)),
            ])
        return db.lastInsertedRowID
    }

    private func update(_ version: Version, _ index: Int, number: Int64, section: Int64) throws -> Bool {
        let item = version.items[index]
        try db.cachedStatement(
            sql: """
                UPDATE item SET kind = ?, subject = ?, body = ?, body_hash = ?
                WHERE number = ? AND section = ? AND id = ?
                """
        ).execute(
            arguments: [
                Int64(item.kind.rawValue), item.subject, Data(item.body),
                Int64(bitPattern: version.bodyHash(at: index)),
                number, section, item.id,
            ])
        return db.changesCount == 1
    }

    private func delete(_ item: Item, number: Int64, section: Int64) throws -> Bool {
        try db.cachedStatement(sql: "DELETE FROM item WHERE number = ? AND section = ? AND id = ?")
            .execute(arguments: [number, section, item.id])
        return db.changesCount == 1
    }
}
