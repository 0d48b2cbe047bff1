import ArgumentParser
import MarqueeImport
import MarqueeTypes

/// `marquee-server import records`
struct ImportRecordsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Import the rows of a file as records of one of your own types.",
        discussion: """
            CSV, TSV, NDJSON or JSON, told apart by name and content. A column fills the field that has its name: \
            'Release date', release_date and releaseDate are the same. --map says the rest. A FIELD is a path: title, \
            audio.url through messages, title[ko] for an entry of a map. A COLUMN may lead into JSON: score.ft[0], \
            genres[].name. Values are read by the field's type: times as 2026-11-22T07:10:44Z or 2026-11-22, booleans as \
            true, yes or 1, enums by name, lists as JSON or by --split. Empty cells say nothing.

              marquee-server import records shops.csv --type shop --types types.yaml --data data
              marquee-server import records shops.csv --type shop --dry-run --data data
              marquee-server import records league.json --type match --path matches --id date --id team1 \\
                --map home_goals='score.ft[0]' --data data
              marquee-server import records titles.csv --type show --merge --map 'title[ko]=Korean' --data data
              marquee-server import records shops.ndjson --type shop --types types.yaml --to 127.0.0.1:7420

            Each row replaces the record of its id, unless --merge or --remove says otherwise. --dry-run prints the \
            first record as JSON. Docs/import.md leads from a table to a live screen.
            """)

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Option(help: ArgumentHelp("The type of the records, by its alias.", valueName: "alias"))
    var type: String

    @Option(
        help: ArgumentHelp(
            """
            The declaration of the types, if they aren't known: for a folder without types, which gets these, and for a \
            server.
            """, valueName: "file"))
    var types: String?

    @Option(help: ArgumentHelp("csv, tsv, ndjson or json. (default: by the file's name, else its beginning)"))
    var format: RecordFile.Format?

    @Option(
        help: ArgumentHelp("What separates two fields of a table: a single character, or 'tab'.", valueName: "char"),
        transform: { text in
            if text == "tab" { return UInt8(ascii: "\t") }
            guard text.utf8.count == 1, let byte = text.utf8.first, byte != UInt8(ascii: "\""), byte >= 0x20,
                byte < 0x7F
            else { throw ValidationError("a separator is a single character of ASCII, or 'tab'") }
            return byte
        })
    var separator: UInt8?

    @Option(help: ArgumentHelp("JSON: the names on the path to the rows, such as matches or result.items."))
    var path: String?

    @Flag(help: "JSON: the members of an object are the rows, and their names the ids.")
    var keyed = false

    @Option(
        help: ArgumentHelp(
            """
            The column with the id; several are joined by '-'. (default: the column named like the type's id field)
            """, valueName: "column"))
    var id: [String] = []

    @Option(help: ArgumentHelp("The column that fills a field.", valueName: "field=column"), transform: entry)
    var map: [RecordMapping.Entry] = []

    @Option(help: ArgumentHelp("A value that a field has in every record.", valueName: "field=text"), transform: entry)
    var set: [RecordMapping.Entry] = []

    @Option(
        help: ArgumentHelp("What separates the values of a list in a cell.", valueName: "field=text"), transform: entry)
    var split: [RecordMapping.Entry] = []

    @Option(
        help: ArgumentHelp(
            "How times are written: '%d/%m/%Y %H:%M', in UTC unless there is a %z; unix or unix-ms.",
            valueName: "field=form"), transform: entry)
    var time: [RecordMapping.Entry] = []

    @Option(
        name: .customLong("map-file"),
        help: ArgumentHelp("A YAML file with the same settings: id, map, set, split, time.", valueName: "file"))
    var mapFile: String?

    @Flag(help: "Change the fields that a row has, and leave the others as they are.")
    var merge = false

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
        if type.isEmpty { throw ValidationError("--type is empty") }
        if options.server != nil, options.catalogue == nil, types == nil {
            throw ValidationError("--to needs --types here, the declaration of the types that the server has")
        }
        if path?.split(separator: ".", omittingEmptySubsequences: false).contains("") == true {
            throw ValidationError("--path is names separated by points, such as result.items")
        }
    }

    func run() throws {
        var request = RecordImport(file: RecordFile(path: file), type: type)
        request.file.format = format
        request.file.separator = separator
        request.file.rows = path?.split(separator: ".").map(String.init) ?? []
        request.file.isKeyed = keyed
        request.mapping = try mapping()
        request.action = merge ? .merge : remove ? .remove : .put
        request.declared = try types.map { (file) throws(CommandFailure) in
            try ProgrammeSource.types(file: file, wrong: .badData)
        }
        try Importing(options: options, tolerance: .none).run { (importer) throws(ImportError) in
            try importer.records(request) { json in
                if options.isDryRun { Console.say(json) }
            }
        }
    }

    /// The options' mapping, completed by the file's.
    private func mapping() throws(CommandFailure) -> RecordMapping {
        var mapping = RecordMapping()
        mapping.id = id
        mapping.columns = map
        mapping.constants = set
        mapping.separators = split
        mapping.times = time
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
