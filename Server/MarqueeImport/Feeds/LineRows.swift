package import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
package import MarqueeTypes

/// Makes steps of lines of JSON: a value that knows what the catalogue holds, and which lines it has had.
package struct LineRows {
    package enum Step: Hashable, Sendable {
        case put(RecordID, [UInt8])
        case remove(RecordID)
        /// The row makes no record, or the line no row.
        case bad(reason: String)
    }

    private struct Table {
        var type: String
        var plan: RecordPlan
        /// The sums of the catalogue's records, by their ids.
        var held: [String: UInt64] = [:]
    }

    private static let removalWords: Set<String> = ["true", "t", "yes", "y", "on", "1"]

    private let feed: LineFeed
    private var tables: [Table] = []
    private let removal: ColumnPath?
    private let offset: ColumnPath?
    private let partition: ColumnPath?
    /// Where the lines are that have been read.
    package private(set) var position: LinePosition
    private var lines = 0

    /// - Throws: when a mapping doesn't fit its type.
    package init(
        _ feed: LineFeed, _ tables: [SourceFile.Table], _ types: TypeSet, from position: LinePosition
    ) throws(ImportError) {
        (self.feed, self.position) = (feed, position)
        removal = feed.removal.map { ColumnPath($0) }
        offset = feed.position.map { ColumnPath($0) }
        partition = feed.partition.map { ColumnPath($0) }
        for table in tables {
            let type = try types.declared(table.type)
            self.tables.append(
                Table(
                    type: table.type,
                    plan: try RecordPlan(type: type, schema: types.schema, mapping: table.mapping, isKeyed: false)))
        }
    }

    /// Adds records that the catalogue holds.
    package mutating func hold(_ ids: [String], _ sums: [UInt64], ofType type: String) throws(ImportError) {
        guard let index = tables.firstIndex(where: { $0.type == type }) else { return }
        for (id, sum) in zip(ids, sums) { tables[index].held[id] = sum }
        guard tables[index].held.count <= RecordComparison.records else {
            throw ImportError(.refused, "more than \(RecordComparison.records) records of a type can't be compared")
        }
    }

    /// - Returns: what differs from what the catalogue holds; nothing for a line that it has had.
    package mutating func read(_ line: LineSplitter.Line) -> [Step] {
        lines += 1
        do throws(BadRow) {
            let row = try Self.row(line, lines)
            guard try advance(by: row) else { return [] }
            let isRemoval = try removal.map { (column) throws(BadRow) in try Self.isTrue(column, row) } ?? false
            return tables.indices.compactMap { step(of: row, isRemoval: isRemoval, table: $0) }
        } catch {
            return [.bad(reason: "line \(lines): \(error.reason)")]
        }
    }

    private static func row(_ line: LineSplitter.Line, _ number: Int) throws(BadRow) -> RecordRow {
        guard case .text(let bytes) = line else {
            throw BadRow("it has more than \(LineSplitter.lineBytes) bytes, and was left out")
        }
        let value: JSONValue
        do throws(RecordError) {
            value = try JSONValue(parsing: number == 1 ? Array(bytes.withoutByteOrderMark) : bytes)
        } catch {
            throw BadRow(error.reason)
        }
        let row = RecordFile.row(value, RecordRow(line: number))
        if let flaw = row.flaw { throw flaw }
        return row
    }

    private static func isTrue(_ column: ColumnPath, _ row: RecordRow) throws(BadRow) -> Bool {
        switch try column.value(in: row) {
        case .bool(let flag)?: flag
        case .text(let text)?, .number(let text)?: removalWords.contains(text.lowercased())
        case nil, .null?, .list?, .object?: false
        }
    }

    /// - Returns: whether the line comes after those that the catalogue has.
    private mutating func advance(by row: RecordRow) throws(BadRow) -> Bool {
        guard let offset else { return true }
        func text(_ column: ColumnPath) throws(BadRow) -> String {
            switch try column.value(in: row) {
            case .text(let text)?, .number(let text)?: return text
            case nil, .null?, .bool?, .list?, .object?:
                throw BadRow("'\(column.text)' is missing, and the position is made of it")
            }
        }
        guard let number = UInt64(try text(offset)) else {
            throw BadRow("'\(offset.text)' is no whole number, and the position is made of it")
        }
        let name = try partition.map { (column) throws(BadRow) in try text(column) } ?? "0"
        guard 1...LinePosition.nameBytes ~= name.utf8.count,
            name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "=") })
        else { throw BadRow("'\(Field.shown(name))' can't be the name of a partition") }
        if let last = position.offsets[name], number <= last { return false }
        guard position.offsets[name] != nil || position.offsets.count < LinePosition.partitions else {
            throw BadRow("there are more than \(LinePosition.partitions) partitions; follow them as several sources")
        }
        position.offsets[name] = number
        return true
    }

    /// - Returns: `nil` if the catalogue has it so.
    private mutating func step(of row: RecordRow, isRemoval: Bool, table index: Int) -> Step? {
        do throws(ImportError) {
            try tables[index].plan.meet(row.cells.lazy.map(\.name), in: "<stdin>")
        } catch {
            return .bad(reason: "line \(lines): \(error.message)")
        }
        let type = tables[index].type
        if isRemoval {
            guard let id = FeedTable.id(of: row, tables[index].plan) else {
                return .bad(reason: "line \(lines): the id of the record to remove is missing")
            }
            return tables[index].held.removeValue(forKey: id) == nil ? nil : .remove(RecordID(type: type, id: id))
        }
        switch FeedTable.judged(row, tables[index].plan) {
        case .bad(_, let reason): return .bad(reason: reason)
        case .record(let id, let bytes):
            let sum = XXH64.hash(bytes)
            return tables[index].held.updateValue(sum, forKey: id) == sum
                ? nil : .put(RecordID(type: type, id: id), bytes)
        }
    }

    /// The lines read so far are published.
    package mutating func published() { position = position.next }
}
