import Foundation
package import MarqueeCatalogue
import MarqueeModel

/// Something to do for a row that a database has changed.
package enum RowStep: Hashable, Sendable {
    case put(RecordID, [UInt8])
    case remove(RecordID)
    /// The log doesn't tell enough of the row, which has to be read again: by the values of the id's columns.
    case readAgain(table: String, RecordID, key: [String])
    /// The table has no rows any more.
    case clear(table: String)
    /// The row makes no record; the one that may be there stays. With the record's id, if that can be read.
    case bad(table: String, id: String?, reason: String)
    /// Nothing of the table can be followed any more.
    case stop(table: String, reason: String)
    /// The log describes the table otherwise than it was read, or it had stopped: its columns have to be read again.
    case look(table: String)
}

/// Makes steps of the messages about rows: a value that knows the tables as the log last described them.
package struct RowSteps {
    /// A table as the log has it. Each row asks for it, hence a class.
    private final class Known {
        let relation: PgOutputMessage.Relation
        /// Empty for a table that isn't followed.
        let columns: [Column]
        /// Whether rows have everything that records are made of, as far as the log has it at all.
        let isWhole: Bool
        /// `nil` if each row has to be looked at more closely.
        let plain: PlainRow?

        /// The full name.
        let table: String

        init(_ relation: PgOutputMessage.Relation, _ columns: [Column], isWhole: Bool, plain: PlainRow? = nil) {
            (self.relation, self.columns, self.isWhole, self.plain) = (relation, columns, isWhole, plain)
            table = relation.fullName
        }
    }

    private struct Column {
        var name: String
        var form: Form
    }

    /// How the text of a value becomes that of an import.
    fileprivate enum Form {
        case plain, bytes, padded

        init(_ column: PostgresColumn?, type: UInt32) {
            let base = column?.base ?? ""
            // The numbers of bytea and bpchar.
            self =
                base == "bytea" || type == 17
                ? .bytes : base.hasPrefix("character(") || type == 1_042 ? .padded : .plain
        }
    }

    /// By their full names.
    package private(set) var tables: [String: TableRecords]
    /// Tables that have stopped, with the reason.
    package private(set) var stopped: [String: String] = [:]
    private var known: [UInt32: Known] = [:]

    /// - Parameter stopped: tables that can't be followed yet, by their full names, with the reason.
    package init(_ tables: [TableRecords], stopped: [String: String] = [:]) {
        self.tables = Dictionary(tables.map { ($0.fullName, $0) }) { first, _ in first }
        self.stopped = stopped
    }

    /// Nothing of a table is followed from now on.
    package mutating func stop(_ table: String, _ reason: String) { stopped[table] = reason }

    /// A table was read again, and is followed from now on.
    package mutating func follow(_ table: TableRecords) {
        tables[table.fullName] = table
        stopped[table.fullName] = nil
        for (id, known) in known where known.table == table.fullName {
            self.known[id] = Self.known(known.relation, table)
        }
    }

    /// The table that has a type's rows, if it is followed.
    package func table(of type: String) -> TableRecords? {
        tables.values.first { $0.type == type && stopped[$0.fullName] == nil }
    }

    /// - Throws: for rows of a table that the log hasn't described.
    package mutating func read(_ message: PgOutputMessage) throws(PgOutputError) -> [RowStep] {
        switch message {
        case .begin, .commit, .origin, .type, .message: return []
        case .relation(let relation): return meet(relation)
        case .insert(let id, let new):
            guard let (table, known) = try table(id, new) else { return [] }
            return [put(new, of: table, known)]
        case .update(let id, let old, let new):
            guard let (table, known) = try table(id, new) else { return [] }
            return update(old, new, of: table, known)
        case .delete(let id, let old):
            guard let (table, known) = try table(id, old.cells) else { return [] }
            return removal(old.cells, of: table, known).map { [$0] } ?? []
        case .truncate(let ids):
            var steps: [RowStep] = []
            for id in ids {
                if let (table, _) = try table(id, nil) { steps.append(.clear(table: table.fullName)) }
            }
            return steps
        }
    }

    // MARK: - Tables

    private mutating func meet(_ relation: PgOutputMessage.Relation) -> [RowStep] {
        let name = relation.fullName
        guard let table = tables[name] else {
            known[relation.id] = Known(relation, [], isWhole: false)
            return stopped[name] == nil ? [] : [.look(table: name)]
        }
        let entry = Self.known(relation, table)
        known[relation.id] = entry
        if let loose = Self.loose(relation, table) {
            stop(name, Self.looseID(loose))
            return [.stop(table: name, reason: Self.looseID(loose))]
        }
        return stopped[name] == nil && table.fit(relation) == .same ? [] : [.look(table: name)]
    }

    private static func known(_ relation: PgOutputMessage.Relation, _ table: TableRecords) -> Known {
        let columns = relation.columns.map { column in
            Column(
                name: column.name, form: Form(table.columns.first { $0.name == column.name }, type: column.type))
        }
        let isWhole = table.fit(relation) != .other
        let isPlain = isWhole && !table.isReadAgain && columns.allSatisfy { $0.form == .plain }
        return Known(
            relation, columns, isWhole: isWhole, plain: isPlain ? table.plainRow(columns.map(\.name)) : nil)
    }

    /// A column of records' ids of which the log doesn't have old values.
    private static func loose(_ relation: PgOutputMessage.Relation, _ table: TableRecords) -> String? {
        let keys = Set(relation.columns.filter(\.isKey).map(\.name))
        let all = Set(relation.columns.map(\.name))
        return table.idColumns.first { all.contains($0) && !keys.contains($0) }
    }

    static func looseID(_ column: String) -> String {
        "the log doesn't tell the old '\(column)' of rows that are changed or removed, and records are named by it"
    }

    /// - Parameter cells: of a row, as many as the table has columns.
    /// - Returns: `nil` for a table that isn't followed.
    private func table(
        _ id: UInt32, _ cells: [PgOutputMessage.Cell]?
    ) throws(PgOutputError) -> (table: TableRecords, known: Known)? {
        guard let known = known[id] else {
            throw PgOutputError(offset: 1, reason: "table \(id) wasn't described")
        }
        guard let table = tables[known.table], stopped[known.table] == nil else { return nil }
        guard cells.map({ $0.count == known.columns.count }) ?? true else {
            throw PgOutputError(
                offset: 5,
                reason: "a row of \(known.table) has \(cells?.count ?? 0) values for \(known.columns.count) columns")
        }
        return (table, known)
    }

    // MARK: - Rows

    private func update(
        _ old: PgOutputMessage.OldRow?, _ new: [PgOutputMessage.Cell], of table: TableRecords, _ known: Known
    ) -> [RowStep] {
        var new = new
        if case .whole(let cells)? = old {
            for (index, cell) in new.enumerated() where cell == .unchanged { new[index] = cells[index] }
        }
        let step = put(new, of: table, known)
        guard let old, let removal = removal(old.cells, of: table, known) else { return [step] }
        // Another record from now on.
        if case .remove(let id) = removal, id != step.record { return [removal, step] }
        return [step]
    }

    private func put(_ cells: [PgOutputMessage.Cell], of table: TableRecords, _ known: Known) -> RowStep {
        if let record = known.plain?.record(cells) {
            return .put(RecordID(type: table.type, id: record.id), record.bytes)
        }
        let members = Self.members(cells, known)
        let isPartial = zip(cells, known.columns).contains { cell, column in
            cell == .unchanged && table.columns.contains { $0.name == column.name }
        }
        do throws(BadRow) {
            if isPartial || table.isReadAgain || !known.isWhole {
                var key: [String] = []
                for name in table.idColumns {
                    guard let index = known.columns.firstIndex(where: { $0.name == name }),
                        case .text(let text) = cells[index]
                    else { throw BadRow("column '\(name)' is empty, and the id is made of it") }
                    key.append(text)
                }
                let id = RecordID(type: table.type, id: try table.id(members))
                return .readAgain(table: table.fullName, id, key: key)
            }
            let record = try table.record(members)
            return .put(RecordID(type: table.type, id: record.id), record.bytes)
        } catch {
            let mistake = table.mistake(members, error.reason)
            return .bad(table: table.fullName, id: mistake.id, reason: mistake.reason)
        }
    }

    /// - Returns: `nil` for a row that has made no record.
    private func removal(_ cells: [PgOutputMessage.Cell], of table: TableRecords, _ known: Known) -> RowStep? {
        let id = try? table.id(Self.members(cells, known))
        return id.map { .remove(RecordID(type: table.type, id: $0)) }
    }

    private static func members(_ cells: [PgOutputMessage.Cell], _ known: Known) -> [JSONValue.Member] {
        zip(known.columns, cells).compactMap { column, cell in
            guard case .text(let text) = cell else { return nil }
            return JSONValue.Member(name: column.name, value: .text(column.form.text(text).composed))
        }
    }
}

extension RowStep {
    /// Whether it reads the database as it is now: rows, or the columns of a table.
    package var readsDatabase: Bool {
        switch self {
        case .readAgain, .look: true
        case .put, .remove, .clear, .bad, .stop: false
        }
    }

    /// The record that it is about; `nil` if it is about none.
    fileprivate var record: RecordID? {
        switch self {
        case .put(let id, _), .remove(let id), .readAgain(_, let id, _): id
        case .clear, .bad, .stop, .look: nil
        }
    }
}

extension RowSteps.Form {
    fileprivate func text(_ text: String) -> String {
        switch self {
        case .plain: return text
        case .padded:
            // A text of a fixed width ends with spaces that aren't meant.
            return text.last == " " ? String(text.reversed().drop { $0 == " " }.reversed()) : text
        case .bytes: return Self.base64(hexadecimal: text) ?? text
        }
    }

    /// Bytes as PostgreSQL writes them, `\x6869`, as JSON has them.
    private static func base64(hexadecimal text: String) -> String? {
        guard text.hasPrefix("\\x") else { return nil }
        let digits = Array(text.utf8.dropFirst(2))
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return Data(bytes).base64EncodedString()
    }
}
