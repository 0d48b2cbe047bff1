import ArgumentParser
import MarqueeCatalogue
import MarqueeImport
import MarqueeStore
import MarqueeTypes

/// `marquee-server import records`
struct ImportRecordsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Import the rows of a file as records of one of your own types.",
        discussion: """
            CSV, TSV, NDJSON or JSON, told apart by name and content. A column fills the field that has its name: \
            'Release date', release_date and releaseDate are the same. --map names the others. A FIELD is a path: title, \
            audio.url through messages, title[ko] for an entry of a map, cast[].person for each message of a list. A COLUMN \
            may lead into JSON: score.ft[0], genres[].name, releases[country=US].date. Values are read by the field's type: times as 2026-11-22T07:10:44Z, 2026-11-22 07:10:44+09 or \
            2026-11-22, booleans as true, t, yes or 1, enums by name, lists as JSON or by --split. Empty cells set nothing.

            CSV fields may be quoted and TSV fields are not, unless --quote says otherwise. A first line such as 'sep=;', \
            as Excel writes it, is understood.

              marquee-server import records shops.csv --type shop --types types.yaml --data data
              marquee-server import records shops.csv --type shop --dry-run --data data
              marquee-server import records league.json --type match --path matches --id date --id team1 \\
                --map home_goals='score.ft[0]' --data data
              marquee-server import records titles.csv --type show --merge --map 'title[ko]=Korean' --data data
              marquee-server import records title.basics.tsv.gz --type film --id tconst --types types.yaml --data data
              marquee-server import records postgres://db.example/shop --table public.shop --type shop --data data
              marquee-server import records shops.ndjson --type shop --types types.yaml --to 127.0.0.1:7420

              marquee-server import records movie_47964.json --one --type movie --merge --map 'cast[].person=credits.cast[].id' \\
                --map 'cast[].character=credits.cast[].character' --unknown runtime=0 --data data
              marquee-server import records popular.json --path results --type movie --list popular --data data

            Each row replaces the record of its id, unless --merge or --remove says otherwise. --dry-run prints the \
            first record as JSON. Docs/your-data.md leads from a table to a live screen.
            """)

    @Argument(
        help: ArgumentHelp(
            "The file, or - for standard input; with --table a database: postgres://… or an SQLite file.",
            valueName: "file"))
    var file: String

    @Option(
        help: ArgumentHelp(
            "The table of a database to read, such as public.product; row by row, and the database is only read.",
            valueName: "table"))
    var table: String?

    @Option(help: ArgumentHelp("The type of the records, by its alias.", valueName: "alias"))
    var type: String

    @Option(
        help: ArgumentHelp(
            """
            The declaration of the types, if they aren't known: for a folder without types, which gets these, and for a \
            server.
            """, valueName: "file"))
    var types: String?

    @Option(help: ArgumentHelp("csv, tsv, ndjson, json or rss. (default: by the file's name, else its beginning)"))
    var format: RecordFile.Format?

    @Option(
        help: ArgumentHelp("The separator of a table's fields: a single character, or 'tab'.", valueName: "char"),
        transform: { text in
            guard let byte = RecordFile.separator(named: text) else {
                throw ValidationError("a separator is \(RecordFile.separatorWords)")
            }
            return byte
        })
    var separator: UInt8?

    @Option(
        help: ArgumentHelp(
            """
            The quote around a table's fields that have separators, quotes or line breaks in them: a single character, \
            or 'none', where every line is a row and quotes are text. (default: none with tabs, else '"')
            """, valueName: "char|none"),
        transform: { text in
            guard let quote = RecordFile.Quote(named: text) else {
                throw ValidationError("a quote is \(RecordFile.Quote.words)")
            }
            return quote
        })
    var quote: RecordFile.Quote?

    @Flag(
        help:
            "A table without quotes has the escapes of PostgreSQL's COPY: \\t, \\n, \\\\, and \\N for NULL."
    )
    var escapes = false

    @Option(
        help: ArgumentHelp("Lines of a table before the one that names the columns.", valueName: "n"),
        transform: { text in
            guard let lines = RecordFile.skippedLines(named: text) else {
                throw ValidationError("--skip is \(RecordFile.skipWords)")
            }
            return lines
        })
    var skip = 0

    @Option(
        help: ArgumentHelp(
            "The columns of a table that doesn't name them, separated by commas.", valueName: "name,…"))
    var columns: String?

    @Option(
        name: .customLong("null"),
        help: ArgumentHelp(
            "The text of a cell without a value, such as NULL. (default: \\N in a table without quotes)",
            valueName: "text"))
    var nullTexts: [String] = []

    @Option(help: ArgumentHelp("JSON: the names on the path to the rows, such as matches or result.items."))
    var path: String?

    @Flag(help: "JSON: the members of an object are the rows, and their names the ids.")
    var keyed = false

    @Flag(name: .customLong("one"), help: "JSON: the document, or the value at --path, is the only row.")
    var single = false

    @Option(
        help: ArgumentHelp(
            """
            The column with the id; several are joined by '-'. (default: the column named like the type's id field)
            """, valueName: "column"))
    var id: [String] = []

    @Option(help: ArgumentHelp("The column that fills a field.", valueName: "field=column"), transform: entry)
    var map: [RecordMapping.Entry] = []

    @Option(
        help: ArgumentHelp(
            "A column that fills no field by its own name; --map may still name it.", valueName: "column"))
    var omit: [String] = []

    @Option(
        help: ArgumentHelp("A text or number that means a field has no value, such as 0.", valueName: "field=text"),
        transform: entry)
    var unknown: [RecordMapping.Entry] = []

    @Option(help: ArgumentHelp("A value that a field has in every record.", valueName: "field=text"), transform: entry)
    var set: [RecordMapping.Entry] = []

    @Option(
        help: ArgumentHelp("The separator of list values in a cell.", valueName: "field=text"), transform: entry)
    var split: [RecordMapping.Entry] = []

    @Option(
        help: ArgumentHelp(
            "How times are written: '%d/%m/%Y %H:%M'; unix or unix-ms. Fractions of a second are read after %S.",
            valueName: "field=form"), transform: entry)
    var time: [RecordMapping.Entry] = []

    @Option(
        help: ArgumentHelp(
            """
            The time zone of times without one: UTC, an offset such as +09:00, or a place such as Asia/Seoul. (default: UTC \
            for the forms of --time; else such times are refused)
            """, valueName: "zone"),
        transform: { text in
            guard let zone = ImportZone(text) else { throw ValidationError(ImportZone.refusal(of: text)) }
            return zone
        })
    var zone: ImportZone?

    @Option(
        help: ArgumentHelp(
            "How numbers are written in texts: comma, as in 1.204,5, or point, as in 1204.5. (default: point)",
            valueName: "mark"),
        transform: { text in
            guard let mark = DecimalMark(rawValue: text) else {
                throw ValidationError("--decimal is \(DecimalMark.words)")
            }
            return mark
        })
    var decimal: DecimalMark?

    @Option(
        name: .customLong("map-file"),
        help: ArgumentHelp(
            "A YAML file with the same settings: id, map, omit, set, split, time, unknown, zone, decimal, null.",
            valueName: "file"))
    var mapFile: String?

    @Flag(help: "Change the fields that a row has, and leave the others as they are.")
    var merge = false

    @Flag(
        name: .customLong("update-only"),
        help: "With --merge: a row without an existing record is a bad row, and creates none.")
    var updatesOnly = false

    @Option(
        help: ArgumentHelp(
            "A list to fill with the records, in row order, such as popular or chart/kr.", valueName: "list"))
    var list: String?

    @Option(help: ArgumentHelp("The edition of the list, such as 2026-11-22.", valueName: "edition"))
    var edition: String?

    @Flag(help: "The file has all records of the type: remove those that it doesn't have.")
    var complete = false

    @Flag(help: "Remove the records that have the ids of the rows.")
    var remove = false

    @OptionGroup var options: ImportOptions

    private static func entry(_ text: String) throws -> RecordMapping.Entry {
        guard let entry = RecordMapping.Entry(text) else {
            throw ValidationError("'\(text)' needs a field and a value, such as title=Name")
        }
        return entry
    }

    func validate() throws {
        if merge, remove { throw ValidationError("--merge and --remove exclude each other") }
        if updatesOnly, !merge { throw ValidationError("--update-only goes with --merge") }
        if keyed, single { throw ValidationError("--keyed and --one exclude each other") }
        if edition != nil, list == nil { throw ValidationError("--edition goes with --list") }
        if remove, list != nil || complete {
            throw ValidationError("--remove excludes --list and --complete")
        }
        if complete {
            if options.maxBad != nil { throw ValidationError("--complete and --max-bad exclude each other") }
            try options.checkCatalogue(needed: "what the file doesn't have is removed")
        }
        if columns?.isEmpty == true { throw ValidationError("--columns is empty") }
        if type.isEmpty { throw ValidationError("--type is empty") }
        if table?.isEmpty == true { throw ValidationError("--table is empty") }
        if table == nil, PostgresURL.isPostgresURL(file) {
            throw ValidationError("--table is needed: the table of the database to read")
        }
        if table != nil {
            let isOfFile =
                format != nil || separator != nil || quote != nil || escapes || skip > 0 || columns != nil
                || path != nil || decimal != nil
                || keyed || single
            if isOfFile {
                throw ValidationError(
                    "--table excludes --format, --separator, --quote, --escapes, --skip, --columns, --decimal, --path, "
                        + "--keyed and --one, which are about files")
            }
        }
        if options.server != nil, options.catalogue == nil, types == nil {
            throw ValidationError("--to needs --types here, the declaration of the types that the server has")
        }
        if path?.split(separator: ".", omittingEmptySubsequences: false).contains("") == true {
            throw ValidationError("--path is names separated by points, such as result.items")
        }
    }

    func run() throws {
        var request = RecordImport(file: RecordFile(path: file), type: type)
        if let table { request = RecordImport(table: try database(table), type: type) }
        request.file.format = format
        request.file.separator = separator
        request.file.quote = quote
        request.file.hasEscapes = escapes
        request.file.skippedLines = skip
        request.file.columns =
            columns?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        request.file.rows = path?.split(separator: ".").map(String.init) ?? []
        request.file.isKeyed = keyed
        request.file.isSingle = single
        request.list = list.map { ListName($0, edition: edition) }
        request.isComplete = complete
        request.mapping = try mapping()
        if table != nil, request.mapping.decimal != nil {
            throw CommandFailure(.usage, "'decimal' is for files")
        }
        request.table?.omitted = Set(request.mapping.omitted)
        request.action = merge ? .merge : remove ? .remove : .put
        request.updatesOnly = updatesOnly
        request.declared = try types.map { (file) throws(CommandFailure) in
            try ProgrammeSource.types(file: file, wrong: .badData)
        }
        try Importing(options: options, tolerance: .none, files: table == nil ? [file] : []).run {
            (importer) throws(ImportError) in
            try importer.records(request) { json in
                if options.isDryRun { Console.say(json) }
            }
        }
    }

    private func database(_ table: String) throws -> DatabaseTable {
        DatabaseTable(
            PostgresURL.isPostgresURL(file) ? .postgres(try PostgresURL(argument: file, of: "")) : .sqlite(file),
            table: table)
    }

    /// The options' mapping, completed by the file's.
    private func mapping() throws(CommandFailure) -> RecordMapping {
        var mapping = RecordMapping()
        mapping.id = id
        mapping.columns = map
        mapping.constants = set
        mapping.separators = split
        mapping.times = time
        mapping.zone = zone
        mapping.decimal = decimal
        mapping.unknowns = unknown
        mapping.nullTexts = nullTexts
        mapping.omitted = omit
        guard let mapFile else { return mapping }
        let text = try ProgrammeSource.text(of: mapFile, wrong: .badData)
        do throws(FileMistakes) {
            mapping.add(try RecordMapping(yaml: text, file: mapFile))
        } catch {
            throw CommandFailure(.badData, "\(mapFile) can't be used", details: error.mistakes.map(\.description))
        }
        return mapping
    }
}

extension RecordFile.Format: ExpressibleByArgument {}
