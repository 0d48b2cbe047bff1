import Foundation
package import MarqueeStore
package import MarqueeTypes
import Yams

/// The source of records, and the type that the rows of each table become: a file that `scaffold` writes and a person
/// changes.
package struct SourceFile: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        case file(RecordFile)
        case database(DatabaseTable.Database)
        case http(HTTPFeed)
        case tmdb(TMDBFeed)
        case files(FileFeed)
        case lines(LineFeed)
        case outbox(OutboxFeed)
    }

    /// Rows that become records of a type.
    package struct Table: Hashable, Sendable {
        /// The table's name in a database; any name for a file.
        package var name: String
        /// The type's alias.
        package var type: String
        package var mapping = RecordMapping()
        /// A condition in the database's SQL that rows meet.
        package var condition: String?
    }

    /// The most bytes of such a file.
    private static let fileBytes = 1 << 20
    private static let textBytes = 4_096
    /// Bytes of a source's name.
    static let nameBytes = 64
    private static let origins = ["file", "sqlite", "postgres", "http", "tmdb", "files", "stdin"]
    private static let keys = ["source", "types"] + origins + ["tables"]

    /// The source's name.
    package var name = ""
    /// The declaration of the types, relative to this file; `nil` if it names none.
    package var types: String?
    package var origin: Origin
    /// For a database that is followed: the publication that names its tables, and the slot that keeps its log.
    package var publication = "marquee"
    package var slot = ""
    /// Between two looks at a followed SQLite file, or at an outbox without a notification, in milliseconds.
    package var interval: UInt64 = 5_000
    package var tables: [Table] = []

    /// Reads such a file.
    /// - Parameter file: its path; the paths in it are relative to its folder.
    /// - Throws: every mistake found.
    package init(yaml text: String, file: String) throws(FileMistakes) {
        var reader = YAMLReader(file: file)
        guard let source = SourceFile(text, &reader), reader.mistakes.isEmpty else { throw reader.error }
        self = source
    }

    private init?(_ text: String, _ reader: inout YAMLReader) {
        guard let root = reader.root(text, atMost: Self.fileBytes),
            let fields = reader.fields(root, "a source", allowed: Self.keys)
        else { return nil }
        let file = reader.file
        if let node = reader.required("source", in: fields) {
            name = reader.text(node, "'source'", atMost: Self.nameBytes) ?? ""
        }
        types = fields["types"].flatMap { reader.text($0, "'types'", atMost: Self.textBytes) }
            .map { Self.path($0, from: file) }
        let origins = Self.origins.filter { fields[$0] != nil }
        guard origins.count == 1, let key = origins.first, let node = fields[key] else {
            reader.report(
                fields.node,
                "a source is one of: file: rows.csv, sqlite: shop.db, postgres: {url: postgres://…}, "
                    + "http: https://…, tmdb: {key-file: tmdb.key}, files: folder, stdin: ndjson")
            return nil
        }
        slot = Self.slot(named: "marquee_" + name.lowercased())
        var following = Following()
        guard let origin = Self.origin(key, node, &following, &reader) else { return nil }
        self.origin = origin
        publication = following.publication ?? publication
        slot = following.slot ?? slot
        interval = following.interval ?? interval
        if case .tmdb = origin, fields["tables"] == nil {
            self.tables = TMDBFeed.Table.allCases.map { Table(name: $0.rawValue, type: $0.rawValue) }
            return
        }
        if case .outbox = origin {
            if let node = fields["tables"] {
                reader.report(node, "an outbox has changes, not rows: leave 'tables' out")
            }
            return
        }
        guard let tables = reader.required("tables", in: fields),
            let entries = reader.entries(tables, "'tables'", atMost: TypeLimits.types)
        else { return nil }
        if entries.isEmpty { reader.report(tables, "'tables' is empty") }
        self.tables = entries.compactMap { Self.table($0.key, $0.value, origin, &reader) }
    }

    /// The settings in the file for following a database.
    private struct Following {
        var publication: String?
        var slot: String?
        var interval: UInt64?
    }

    /// In milliseconds.
    private static let intervals: ClosedRange<UInt64> = 100...3_600_000

    /// Turns a text into a valid name of a slot.
    private static func slot(named text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(63).map { scalar in
                    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? scalar : "_"
                }))
    }

    private static let postgresKeys = ["url", "publication", "slot", "outbox", "every"]

    private static func origin(
        _ key: String, _ node: Node, _ following: inout Following, _ reader: inout YAMLReader
    ) -> Origin? {
        switch key {
        case "postgres":
            guard let fields = reader.fields(node, "'postgres'", allowed: postgresKeys),
                let url = reader.required("url", in: fields),
                let text = reader.text(url, "'url'", atMost: textBytes)
            else { return nil }
            following.publication = fields["publication"].flatMap {
                reader.text($0, "'publication'", atMost: nameBytes)
            }
            if let node = fields["slot"], let text = reader.text(node, "'slot'", atMost: nameBytes) {
                following.slot = text
                let slot = slot(named: text)
                if text != slot {
                    reader.report(node, "'slot' has lowercase ASCII letters, digits and _, at most 63: '\(slot)'")
                }
            }
            do throws(StoreError) {
                let url = try PostgresURL(text)
                guard let node = fields["outbox"] else {
                    if let every = fields["every"] { reader.report(every, "'every' is for an outbox") }
                    return .database(.postgres(url))
                }
                following.interval = fields["every"].flatMap { reader.milliseconds($0, "'every'", in: intervals) }
                for key in ["publication", "slot"] {
                    if let node = fields[key] { reader.report(node, "an outbox has no '\(key)'") }
                }
                return OutboxFeed(url, yaml: node, &reader).map { .outbox($0) }
            } catch {
                reader.report(url, error.message)
                return nil
            }
        case "sqlite":
            var place = node
            if node.scalar == nil {
                guard let fields = reader.fields(node, "'sqlite'", allowed: ["file", "every"]),
                    let file = reader.required("file", in: fields)
                else { return nil }
                following.interval = fields["every"].flatMap { reader.milliseconds($0, "'every'", in: intervals) }
                place = file
            }
            return reader.text(place, "'sqlite'", atMost: textBytes)
                .map { .database(.sqlite(path($0, from: reader.file))) }
        case "http": return HTTPFeed(yaml: node, &reader).map { .http($0) }
        case "tmdb": return TMDBFeed(yaml: node, &reader).map { .tmdb($0) }
        case "files": return FileFeed(yaml: node, &reader).map { .files($0) }
        case "stdin": return LineFeed(yaml: node, &reader).map { .lines($0) }
        default: return RecordFile(yaml: node, &reader).map { .file($0) }
        }
    }

    private static func table(
        _ key: Node, _ node: Node, _ origin: Origin, _ reader: inout YAMLReader
    ) -> Table? {
        guard let name = reader.text(key, "the name of a table", atMost: textBytes),
            let fields = reader.fields(node, "a table", allowed: ["type", "where"] + RecordMapping.keys),
            let type = reader.required("type", in: fields).flatMap({ reader.text($0, "'type'", atMost: textBytes) })
        else { return nil }
        if case .tmdb = origin, TMDBFeed.Table(rawValue: name) == nil {
            reader.reportUnknown(key, "table", of: "'tmdb'", TMDBFeed.Table.allCases.map(\.rawValue))
        }
        var table = Table(name: name, type: type)
        table.mapping = RecordMapping(fields, &reader)
        if let decimal = fields["decimal"], case .database = origin {
            reader.report(decimal, "'decimal' is for files")
        }
        if let condition = fields["where"] {
            switch origin {
            case .database: break
            case .file, .http, .tmdb, .files, .lines, .outbox:
                reader.report(condition, "'where' is for tables of a database")
            }
            table.condition = reader.text(condition, "'where'", atMost: textBytes)
        }
        return table
    }

    /// Resolves a path that a file names, relative to that file's folder.
    static func path(_ path: String, from file: String) -> String {
        if path == ImportSource.standardInput || path.hasPrefix("/") { return path }
        let folder = (file as NSString).deletingLastPathComponent
        return folder.isEmpty ? path : (folder as NSString).appendingPathComponent(path)
    }

    // MARK: - Imports

    /// The files that are read.
    package var files: [String] { if case .file(let file) = origin { [file.path] } else { [] } }

    /// Whether it can be imported, rather than followed alone.
    package var isImported: Bool {
        switch origin {
        case .file, .database: true
        case .http, .tmdb, .files, .lines, .outbox: false
        }
    }

    /// The import of a table.
    package func request(_ table: Table) -> RecordImport {
        var request: RecordImport
        switch origin {
        case .file(let file): request = RecordImport(file: file, type: table.type)
        case .http(let feed): request = RecordImport(file: feed.file, type: table.type)
        case .tmdb(let feed):
            request = RecordImport(file: RecordFile(path: feed.address.description), type: table.type)
        case .files(let feed): request = RecordImport(file: feed.file, type: table.type)
        case .lines, .outbox:
            request = RecordImport(file: RecordFile(path: ImportSource.standardInput), type: table.type)
        case .database(let database):
            var rows = DatabaseTable(database, table: table.name)
            rows.condition = table.condition
            rows.omitted = Set(table.mapping.omitted)
            request = RecordImport(table: rows, type: table.type)
        }
        request.mapping = table.mapping
        return request
    }
}

extension RecordFile {
    /// The settings of a file besides its name.
    static let settings = [
        "format", "encoding", "separator", "quote", "escapes", "skip", "columns", "path", "keyed",
    ]
    private static let keys = ["name"] + settings

    /// `rows.csv`, or `{name: rows.csv, separator: ";"}` with the settings that `import records` has as options.
    fileprivate init?(yaml node: Node, _ reader: inout YAMLReader) {
        let limit = 4_096
        if case .scalar = node {
            guard let name = reader.text(node, "'file'", atMost: limit) else { return nil }
            self.init(path: SourceFile.path(name, from: reader.file))
            return
        }
        guard let fields = reader.fields(node, "'file'", allowed: Self.keys),
            let name = reader.required("name", in: fields).flatMap({ reader.text($0, "'name'", atMost: limit) })
        else { return nil }
        self.init(path: SourceFile.path(name, from: reader.file))
        set(fields, &reader)
    }

    /// Reads the settings among the fields of something larger.
    mutating func set(_ fields: YAMLFields, _ reader: inout YAMLReader) {
        let limit = 4_096
        func value<Value>(_ key: String, _ expected: String, _ read: (String) -> Value?) -> Value? {
            guard let node = fields[key], let text = reader.text(node, "'\(key)'", atMost: limit) else { return nil }
            let value = read(text)
            if value == nil { reader.report(node, "'\(key)' is \(expected), not '\(Field.shown(text))'") }
            return value
        }
        format = value("format", Format.allCases.map(\.rawValue).joined(separator: ", ")) { Format(rawValue: $0) }
        encoding = value("encoding", "one that this system knows, such as cp949") { TextEncoding($0) }
        separator = value("separator", RecordFile.separatorWords) { RecordFile.separator(named: $0) }
        quote = value("quote", Quote.words) { Quote(named: $0) }
        hasEscapes = value("escapes", "true or false") { Bool($0) } ?? false
        skippedLines = value("skip", RecordFile.skipWords) { RecordFile.skippedLines(named: $0) } ?? 0
        isKeyed = value("keyed", "true or false") { Bool($0) } ?? false
        rows =
            value("path", "names separated by points, such as result.items") {
                $0.split(separator: ".").map(String.init)
            } ?? []
        if let node = fields["columns"], let list = reader.list(node, "'columns'", atMost: RecordPlan.columns) {
            columns = list.compactMap { $0.scalar?.string }
        }
    }
}

/// Settings of a file as people write them.
extension RecordFile {
    package static let separatorWords = "a single character of ASCII, or 'tab'"
    package static let skipWords = "a number of lines, such as 2"

    package static func separator(named text: String) -> UInt8? {
        if text == "tab" { return TableDialect.tab }
        guard text.utf8.count == 1, let byte = text.utf8.first, byte != TableDialect.doubleQuote, byte >= 0x20,
            byte < 0x7F
        else { return nil }
        return byte
    }

    package static func skippedLines(named text: String) -> Int? {
        Int(text).flatMap { (0...1_000_000).contains($0) ? $0 : nil }
    }
}

extension RecordFile.Quote {
    package static let words = "a single character of ASCII, or 'none'"

    package init?(named text: String) {
        if text == "none" {
            self = .nothing
            return
        }
        guard text.utf8.count == 1, let byte = text.utf8.first, byte > 0x20, byte < 0x7F else { return nil }
        self = .character(byte)
    }
}
