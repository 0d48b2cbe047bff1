import ArgumentParser
import MarqueeImport
import MarqueeModel
import MarqueeTypes

/// `marquee-server import source`
struct ImportSourceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source",
        abstract: "Import all tables that a source file names: of a database, or the rows of a file.",
        discussion: """
            The source file is YAML, as 'marquee-server scaffold' writes it. It says where the rows are, and for each \
            table which type its rows become, with the settings of 'import records':

              source: shop
              types: types.yaml
              postgres: {url: postgres://db.example/shop}    # or sqlite: shop.db, or file: {name: rows.csv, separator: ";"}
              tables:
                public.product: {type: product, map: {title: name}, omit: [photo], where: published}

            Databases are only read, row by row. Importing again changes what has changed.

              marquee-server import source shop/source.yaml --data data
              marquee-server import source shop/source.yaml --table public.product --to 127.0.0.1:7420
            """)

    @Argument(help: ArgumentHelp("The source file.", valueName: "source"))
    var file: String

    @Option(help: ArgumentHelp("A table of the source to import, instead of all; may be repeated.", valueName: "table"))
    var table: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The declaration of the types, if they aren't known: for a folder without types, which gets these, and for a \
            server. (default: the one that the source names)
            """, valueName: "file"))
    var types: String?

    @Flag(help: "The tables have all records of their types: remove those that they don't have.")
    var complete = false

    @OptionGroup var options: ImportOptions

    func validate() throws {
        guard complete else { return }
        if options.maxBad != nil { throw ValidationError("--complete and --max-bad exclude each other") }
        try options.checkCatalogue(needed: "what the tables don't have is removed")
    }

    func run() throws {
        let text = try ProgrammeSource.text(of: file, wrong: .badData)
        let source: SourceFile
        do throws(FileMistakes) {
            source = try SourceFile(yaml: text, file: file)
        } catch {
            throw CommandFailure(.badData, "\(file) can't be used", details: error.mistakes.map(\.description))
        }
        guard source.isImported else {
            throw CommandFailure(
                .badData, "\(file) names an address, files or lines: 'marquee-server follow \(file) --once' reads them")
        }
        let declared = try (types ?? source.types).map { (file) throws(CommandFailure) in
            try ProgrammeSource.types(file: file, wrong: .badData)
        }
        let chosen = try tables(of: source)
        if complete, let twice = chosen.first(where: { table in chosen.count { $0.type == table.type } > 1 }) {
            throw CommandFailure(
                .badData, "--complete: two tables have records of \(twice.type), and each would remove the other's")
        }
        let requests = chosen.map { table in
            var request = source.request(table)
            request.declared = declared
            request.isComplete = complete
            return request
        }
        try Importing(options: options, tolerance: .none, files: source.files).run { (importer) throws(ImportError) in
            var report = ImportReport()
            for request in requests { report.add(try importer.records(request)) }
            return report
        }
    }

    private func tables(of source: SourceFile) throws(CommandFailure) -> [SourceFile.Table] {
        let known = source.tables.map(\.name)
        if let unknown = table.first(where: { !known.contains($0) }) {
            throw CommandFailure(
                .badData,
                "\(file) has no table '\(unknown)'\(NearestName.hint(for: unknown, among: known)); it has "
                    + known.joined(separator: ", "))
        }
        return table.isEmpty ? source.tables : source.tables.filter { table.contains($0.name) }
    }
}
