import ArgumentParser
import MarqueeImport
import MarqueeScreens
import MarqueeTypes

/// `marquee-server import`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import files into the catalogue of a data folder, or of a running server.",
        discussion: """
            Files may be plain or .gz, and - is standard input. A row that can't be used is reported with file, line \
            and reason, and left out. An import is all or nothing: nothing is imported if it \
            has more bad rows than --max-bad allows, if a file ends too early, or if Ctrl-C is pressed. Importing twice \
            changes nothing. With --store, pipes are read to their end before anything is written, and kept in TMPDIR \
            meanwhile.

              marquee-server import types Samples/catalogue/types.yaml --data data
              marquee-server import ndjson Samples/catalogue/catalogue.ndjson --data data
              marquee-server import records shops.csv --type shop --types types.yaml --data data
              marquee-server import chart us_boxoffice_daily_2014.csv.gz --id us --data data
              marquee-server import plist Content.plist --data data
              marquee-server import courses home.json --data data
              marquee-server import chart korea.csv --id kr --encoding cp949 --dry-run --data data

            With --to the rows go to a running server, which must accept publications ('serve --open'). All rows are \
            checked first, and nothing is sent if too many are bad. What fits into one publication, 65,536 changes in \
            8 MiB, becomes one commit there; more becomes several commits, one after another. If the server goes away in \
            the meantime, the import waits for it, and sends nothing twice.

              marquee-server import ndjson changes.ndjson --to 127.0.0.1:7420
              marquee-server import chart us_boxoffice_daily_2014.csv.gz --id us --to 127.0.0.1:7420 --catalogue data

            Exits with 0 if rows were imported or were already there, and with \
            \(CommandFailure.Code.badData.rawValue) if nothing was imported because there were no rows or too many bad ones.
            """,
        subcommands: [
            ImportTMDB5000Command.self, ImportChartCommand.self, ImportPlistCommand.self, ImportCoursesCommand.self,
            ImportNDJSONCommand.self, ImportTypesCommand.self, ImportRecordsCommand.self, ImportSourceCommand.self,
        ])
}

/// `marquee-server import ndjson`
struct ImportNDJSONCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ndjson",
        abstract: "Import changes of the catalogue, one JSON document per line.",
        discussion: """
            Each line is an object with one key, the name of the change: put, merge, remove, list, listItem, show, \
            removeList, choose, removeChoice, page, removePage, types and programme; Docs/publishing.md describes \
            them. A line with a mistake, such as a field that its change doesn't have, is reported, and nothing is \
            imported unless --max-bad allows it.

              marquee-server import ndjson Samples/catalogue/catalogue.ndjson --data data
            """)

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @OptionGroup var options: ImportOptions

    func run() throws {
        var judge = ProgrammeValidator()
        try Importing(options: options, tolerance: .none, files: [file]).run { (importer) throws(ImportError) in
            try importer.ndjson(file: file) { change in
                do {
                    try judge.check(change)
                    return nil
                } catch {
                    return "\(error)"
                }
            }
        }
    }
}

/// `marquee-server import types`
struct ImportTypesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Import the types of records: a declaration, and the descriptor set that it may name.",
        discussion: """
            The declaration is YAML. It has the fields of its types itself, or names a descriptor set that lies beside \
            it, made with 'protoc --descriptor_set_out FILE --include_imports'; Docs/your-data.md describes both. Import types before the \
            records that use them. A new declaration replaces the current one if the existing records keep their \
            meaning; otherwise every reason is printed, and nothing changes.

              marquee-server import types Samples/podcasts/types.yaml --data data
              marquee-server import ndjson Samples/podcasts/catalogue.ndjson --data data
            """)

    @Argument(help: ArgumentHelp("The declaration, such as types.yaml.", valueName: "declaration"))
    var file: String

    @OptionGroup var options: ImportOptions

    func run() throws {
        let types = try ProgrammeSource.types(file: file, wrong: .badData)
        try Importing(options: options, tolerance: .none).run { (importer) throws(ImportError) in
            try importer.change(.types(types.document), file: file)
        }
    }
}
