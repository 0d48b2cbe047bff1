package import MarqueeCatalogue
import MarqueeModel
package import MarqueeTypes

/// Makes records of the rows of a table, by the rules of an import: one language, one reader. A class, as each row asks
/// for its table.
package final class TableRecords {
    /// As the source file calls it.
    package let name: String
    /// `public.product`
    package let fullName: String
    package let type: String
    /// A condition in the database's SQL that rows meet.
    let condition: String?
    /// The columns that are read, in the order of the table.
    let columns: [PostgresColumn]
    /// Those that the log never has.
    let generated: Set<String>
    /// The numbers of all columns' types, by name, those that aren't read included.
    let typeNumbers: [String: UInt32]
    /// The columns whose order a copy follows; empty if there is no key.
    let key: [String]
    /// Everything on which the records of rows depend.
    let shape: [String]
    private let plan: RecordPlan
    private let table: PostgresTable

    /// - Throws: when the mapping doesn't fit the table or the type.
    init(
        _ table: SourceFile.Table, of found: PostgresTable, columns: [PostgresColumn], generated: Set<String>,
        typeNumbers: [String: UInt32] = [:], key: [String], types: TypeSet
    ) throws(ImportError) {
        let type = try types.declared(table.type)
        var plan = try RecordPlan(type: type, schema: types.schema, mapping: table.mapping, isKeyed: false)
        try plan.meet(columns.map(\.name), in: table.name, isHeader: true)
        try plan.checkColumns(of: table.name, needsID: true)
        (name, fullName, condition, self.table) = (table.name, found.fullName, table.condition, found)
        (self.plan, self.type) = (plan, plan.type.alias)
        idColumns = plan.idColumns
        self.columns = columns.filter { plan.uses($0.name) }
        (self.generated, self.typeNumbers, self.key) = (generated, typeNumbers, key)
        shape =
            [table.name, found.oid, table.type, table.condition ?? "", "\(table.mapping)"]
            + self.columns.map { "\($0.name) \($0.base)" }
    }

    /// The columns that make up a record's id.
    package let idColumns: [String]

    /// Columns that fill no field; `nil` if there are none.
    package var unused: String? { plan.unused }

    /// Whether a row has to be read from the table, as the log doesn't tell enough of it.
    var isReadAgain: Bool { condition != nil || columns.contains { generated.contains($0.name) } }

    var oid: String { table.oid }
    /// Whether it stands for its partitions.
    var isPartitioned: Bool { table.isPartitioned }
    var schema: String { table.schema }
    /// As SQL has it.
    var quotedName: String { "\(PostgresSource.quoted(table.schema)).\(PostgresSource.quoted(table.name))" }

    // MARK: - Columns

    /// How the log's description of a table is to this one.
    enum Fit {
        case same
        /// The log has columns that this hasn't.
        case wider
        /// Columns are missing there, or of other types, or it is another table.
        case other
    }

    func fit(_ relation: PgOutputMessage.Relation) -> Fit {
        guard "\(relation.id)" == table.oid else { return .other }
        let types = Dictionary(relation.columns.map { ($0.name, $0.type) }) { first, _ in first }
        for column in columns where !generated.contains(column.name) {
            guard let type = types[column.name], typeNumbers[column.name].map({ $0 == type }) ?? true else {
                return .other
            }
        }
        return types.keys.allSatisfy { typeNumbers[$0] != nil } ? .same : .wider
    }

    /// The change of the columns that records were made of, in words; `nil` if they are as they were.
    /// - Parameter new: the same table now.
    func changes(in new: TableRecords) -> String? {
        if oid != new.oid { return "it was made anew" }
        for column in new.columns {
            guard let old = columns.first(where: { $0.name == column.name }) else {
                return "column '\(column.name)' is new"
            }
            if old.base != column.base { return "column '\(column.name)' is \(column.base) now, not \(old.base)" }
        }
        return shape == new.shape && key == new.key && generated == new.generated ? nil : "its columns have changed"
    }

    /// The column that records were made of and that isn't there any more, in words; `nil` if all are.
    package func loss(in new: TableRecords) -> String? {
        guard let lost = columns.first(where: { column in !new.columns.contains { $0.name == column.name } }) else {
            return nil
        }
        let fresh = new.typeNumbers.keys.filter { typeNumbers[$0] == nil }.sorted().prefix(4)
        return Self.loss(of: lost.name, new: Array(fresh))
    }

    static func loss(of column: String, new: [String]) -> String {
        let names = new.map { "'\($0)'" }.joined(separator: ", ")
        return "it has no column '\(column)' any more, which the mapping needs; change the mapping, or bring it back"
            + (new.isEmpty ? "" : "; new is \(names)")
    }

    // MARK: - Rows

    /// - Parameter columns: those of each row.
    func plainRow(_ columns: [String]) -> PlainRow? { PlainRow(plan, columns: columns) }

    /// - Returns: the record's id and canonical bytes.
    /// - Throws: why the row makes no record.
    func record(_ cells: [JSONValue.Member]) throws(BadRow) -> (id: String, bytes: [UInt8]) {
        let row = try JudgedRow(try Self.row(cells), plan, .put)
        return (row.id, row.record)
    }

    /// - Parameter cells: those of the id are enough.
    func id(_ cells: [JSONValue.Member]) throws(BadRow) -> String {
        // Whatever is wrong with the others.
        try JudgedRow(try Self.row(cells.filter { idColumns.contains($0.name) }), plan, .remove).id
    }

    /// Why a row makes no record, with its record's id or, if that is what's wrong, with the values that it is made of.
    func mistake(_ cells: [JSONValue.Member], _ reason: String) -> (id: String?, reason: String) {
        if let id = try? id(cells) { return (id, reason) }
        let values = cells.compactMap { cell in
            if idColumns.contains(cell.name), case .text(let text) = cell.value {
                "\(cell.name) '\(Field.shown(text))'"
            } else {
                nil as String?
            }
        }
        return (nil, (values + [reason]).joined(separator: ": "))
    }

    private static func row(_ cells: [JSONValue.Member]) throws(BadRow) -> RecordRow {
        if let large = cells.first(where: { $0.value.textBytes > DatabaseTable.valueBytes }) {
            throw BadRow(
                "column '\(large.name)' has \(large.value.textBytes) bytes; at most \(DatabaseTable.valueBytes) are read"
            )
        }
        return RecordRow(cells: cells)
    }

    /// The values of a statement's row as cells.
    func cells(_ values: [String?]) -> [JSONValue.Member] {
        zip(columns, values).compactMap { column, value in
            value.map { JSONValue.Member(name: column.name, value: .text($0.composed)) }
        }
    }

    // MARK: - Statements

    /// The most rows that a copy reads at once.
    static let rowsAtOnce = 5_000

    /// Reads the rows that follow one, in the order of the key; the key's values come behind the columns'.
    /// - Parameter isFirst: whether there is none yet; else its key's values are the parameters.
    func selectNext(isFirst: Bool) -> String {
        let names = key.map { PostgresSource.quoted($0) }.joined(separator: ", ")
        let places = key.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let conditions = [isFirst ? nil : "(\(names)) > (\(places))", condition.map { "(\n\($0)\n)" }].compactMap { $0 }
        return PostgresSource.select(
            columns, from: table, and: key, where: conditions, order: key, limit: Self.rowsAtOnce)
    }

    /// Reads all rows, of a table without a key.
    var selectAll: String { PostgresSource.select(columns, from: table, where: condition, limit: nil) }

    /// Reads the row whose id's columns have the values of the parameters.
    var selectOne: String {
        let conditions = idColumns.enumerated().map { "\(PostgresSource.quoted($0.element)) = $\($0.offset + 1)" }
        return PostgresSource.select(
            columns, from: table, and: [], where: conditions + (condition.map { ["(\n\($0)\n)"] } ?? []), order: [],
            limit: nil)
    }
}

extension JSONValue {
    fileprivate var textBytes: Int { if case .text(let text) = self { text.utf8.count } else { 0 } }
}
