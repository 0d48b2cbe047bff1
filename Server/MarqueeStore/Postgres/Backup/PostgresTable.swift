/// A table of a database, and the table of a data folder with the same rows. A data folder's rows also carry sums,
/// which are totaled by table.
struct PostgresTable {
    enum Kind {
        case text, integer, blob, flag
        /// Bytes that a data folder stores as NULL if they are empty.
        case blobOrNull
    }

    struct Column {
        /// In the database.
        let name: String
        /// In the data folder.
        let folderName: String
        let kind: Kind

        init(_ name: String, _ kind: Kind, folderName: String? = nil) {
            self.name = name
            self.folderName = folderName ?? name
            self.kind = kind
        }
    }

    let log: StoreLog
    let folderTable: SummedTable
    let name: String
    /// In the order of the data folder's table.
    let columns: [Column]
    /// The value of the column `log` in a row of this log, where both logs share a table.
    private var logNumber: Int64?
    /// The condition that selects this log's rows.
    private(set) var condition = ""
    /// The clause for a row that the other log has already inserted.
    private var conflict = ""

    private init(_ log: StoreLog, _ folderTable: SummedTable, _ columns: [Column]) {
        self.log = log
        self.folderTable = folderTable
        self.columns = columns
        name = folderTable.name
    }

    /// All tables of a log.
    static func all(of log: StoreLog) -> [PostgresTable] {
        let own =
            switch log {
            case .catalogue: catalogue
            case .users: users
            }
        return own + [clients(of: log), answers(of: log)]
    }

    private static let catalogue = [
        PostgresTable(
            .catalogue, StoreTables.poolChoice,
            [Column("pool", .text), Column("entry", .text), Column("record", .text)]),
        PostgresTable(.catalogue, StoreTables.page, [Column("id", .text), Column("sections", .text)]),
        PostgresTable(.catalogue, StoreTables.programme, [Column("id", .integer), Column("text", .text)]),
        PostgresTable(
            .catalogue, StoreTables.types,
            [Column("id", .integer), Column("declarations", .text), Column("descriptors", .blob)]),
        PostgresTable(
            .catalogue, StoreTables.record, [Column("type", .text), Column("id", .text), Column("bytes", .blob)]),
        PostgresTable(.catalogue, StoreTables.list, [Column("name", .text), Column("edition", .text)]),
        PostgresTable(
            .catalogue, StoreTables.listEntry,
            [
                Column("list", .text), Column("edition", .text), Column("key", .text), Column("number", .integer),
                Column("record", .text), Column("place", .blob),
            ]),
        PostgresTable(.catalogue, StoreTables.listShown, [Column("list", .text), Column("edition", .text)]),
        PostgresTable(.catalogue, StoreTables.commitKey, [Column("key", .text), Column("revision", .integer)]),
        PostgresTable(
            .catalogue, StoreTables.commitLog,
            [
                Column("revision", .integer), Column("made", .integer), Column("key", .text),
                Column("bytes", .integer), Column("changes", .text),
            ]),
    ]

    private static let users = [
        PostgresTable(
            .users, StoreTables.userCollection,
            [
                Column("user_name", .text, folderName: "user"), Column("collection", .text),
                Column("members", .integer),
            ]),
        member, userLog,
    ]

    static let member = PostgresTable(
        .users, StoreTables.member,
        [
            Column("user_name", .text, folderName: "user"), Column("collection", .text), Column("subject", .text),
            Column("value", .blobOrNull), Column("revision", .integer),
        ])

    /// The database has only the first two columns; in a data folder, each row also sums up the user's rows of
    /// `member`.
    static let userLog = PostgresTable(
        .users, StoreTables.userLog, [Column("name", .text), Column("revision", .integer)])

    private static func clients(of log: StoreLog) -> PostgresTable {
        let (last, used) = ("\(log.columnPrefix)_last", "\(log.columnPrefix)_used")
        var table = PostgresTable(
            log, StoreTables.mutationClient,
            [
                Column("client", .blob), Column(last, .integer, folderName: "last"),
                Column(used, .integer, folderName: "used"),
            ])
        table.condition = " WHERE \(last) IS NOT NULL"
        table.conflict = " ON CONFLICT (client) DO UPDATE SET \(last) = EXCLUDED.\(last), \(used) = EXCLUDED.\(used)"
        return table
    }

    private static func answers(of log: StoreLog) -> PostgresTable {
        var table = PostgresTable(
            log, StoreTables.mutationAnswer,
            [
                Column("client", .blob), Column("number", .integer), Column("fingerprint", .integer),
                Column("revision", .integer), Column("changed", .flag),
            ])
        table.logNumber = log.number
        table.condition = " WHERE log = \(log.number)"
        return table
    }

    // MARK: - Statements

    var select: String { "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)\(condition)" }

    /// The statement that inserts rows; its parameters are the columns.
    var insert: String {
        let names = columns.map(\.name) + (logNumber == nil ? [] : ["log"])
        let places = columns.indices.map { "$\($0 + 1)" }
        let values =
            "SELECT d.*\(logNumber.map { ", \($0)" } ?? "") FROM unnest(\(places.joined(separator: ", "))) AS d"
        return "INSERT INTO \(name) (\(names.joined(separator: ", "))) \(values)\(conflict)"
    }

    /// The rows of the table in a backup, in the order of `columns`.
    var selectFromBackup: String {
        "SELECT \(columns.map(\.folderName).joined(separator: ", ")) FROM \(log.tableInBackup(folderTable.name))"
    }
}

extension PostgresTable.Kind {
    /// A value of a row of the database, as a data folder stores it.
    func value(_ row: PostgresRow, _ column: Int) throws -> ColumnValue {
        switch self {
        case .text: .text(orNull: try row.optionalText(column))
        case .integer: try row.optionalInteger(column).map { .integer($0) } ?? .null
        case .blob: .blob(orNull: try row.optionalBlob(column))
        case .flag: .integer(try row.flag(column) ? 1 : 0)
        case .blobOrNull:
            try row.optionalBlob(column).map { $0.isEmpty ? ColumnValue.null : .blob($0) } ?? .null
        }
    }
}
