import ArgumentParser
import MarqueeImport
import MarqueeModel
import MarqueeScreens
import MarqueeTypes

/// `marquee-server import`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import files into the catalogue of a data folder, or of a running server.",
        discussion: """
            Files may be plain or .gz, and - is standard input. A row that can't be used is reported with file, line \
            and reason, and left out. An import is kept as a whole or not at all: nothing is imported if it has more bad rows \
            than --max-bad allows, if a file ends too early, or if Ctrl-C is pressed. Importing twice changes nothing.

              marquee-server import ndjson Samples/catalogue/catalogue.ndjson --data data
              marquee-server import records shops.csv --type shop --types types.yaml --data data
              marquee-server import tmdb5000 tmdb_5000_movies.csv tmdb_5000_credits.csv.gz --data data
              marquee-server import chart us_boxoffice_daily_2014.csv.gz --id us --data data
              marquee-server import plist Content.plist --data data
              marquee-server import courses home.json --data data
              marquee-server import chart korea.csv --id kr --encoding cp949 --dry-run --data data

            With --to the rows go to a running server, which must accept publications ('serve --open'). All rows are \
            checked first, and nothing is sent if too many are bad. What fits into one publication, 65,536 changes in 8 MiB, \
            becomes one commit there; more becomes several commits, one after another. If the server goes away in the \
            meantime, the import waits for it, and sends nothing twice.

              marquee-server import ndjson changes.ndjson --to 127.0.0.1:7420
              marquee-server import chart us_boxoffice_daily_2014.csv.gz --id us --to 127.0.0.1:7420 --catalogue data

            Ends with 0 if rows were imported or were already there, and with \
            \(CommandFailure.Code.badData.rawValue) if nothing was imported because there were no rows or too many bad ones.
            """,
        subcommands: [
            ImportTMDB5000Command.self, ImportChartCommand.self, ImportPlistCommand.self, ImportCoursesCommand.self,
            ImportNDJSONCommand.self, ImportTypesCommand.self, ImportRecordsCommand.self,
        ])
}

/// `marquee-server import tmdb5000`
struct ImportTMDB5000Command: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tmdb5000",
        abstract: "Import the TMDB 5000 data set: movies with genres, certificates, cast and crew.",
        discussion: """
              marquee-server import tmdb5000 tmdb_5000_movies.csv tmdb_5000_credits.csv --certification certification.csv --data data
            """)

    @Argument(help: ArgumentHelp("tmdb_5000_movies.csv", valueName: "movies"))
    var movies: String

    @Argument(help: ArgumentHelp("tmdb_5000_credits.csv", valueName: "credits"))
    var credits: String

    @Option(help: ArgumentHelp("US certificates: CSV with the columns movie_id and certification.", valueName: "file"))
    var certification: String?

    @OptionGroup var options: ImportOptions

    func validate() throws {
        if [movies, credits, certification].count(where: { $0 == "-" }) > 1 {
            throw ValidationError("only one of the files can be standard input")
        }
    }

    func run() throws {
        try Importing(options: options, tolerance: .half).run { (importer) throws(ImportError) in
            try importer.tmdb5000(movies: movies, credits: credits, certification: certification)
        }
    }
}

/// `marquee-server import chart`
struct ImportChartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart",
        abstract: "Import the days of a chart, to be shown by a replay.",
        discussion: """
            These formats are known, and recognized by how a file begins: a daily box office (CSV with the columns date, \
            rank, release_id, title, gross_usd, theaters, gross_to_date_usd, days_in_release and distributor, and optionally \
            rank_yesterday); Netflix's weekly top ten (TSV), its weekly top ten by country (TSV, needs --country) and its list \
            of the most popular titles (TSV, needs --date); KOBIS's advance reservations (CSV with a time_kst) and its daily \
            top ten (JSON). The rows may come in any order, and ranks stay as they are in the file. A file with several \
            categories becomes one chart for each, such as top10.films-english, unless --category names one. Titles are \
            matched with the movies in the catalogue, so import those first.

              marquee-server import chart us_boxoffice_daily_2014.csv.gz --id us --data data
              marquee-server import chart netflix_top10_global_weekly.tsv.gz --id top10 --category 'Films (English)' --data data
              marquee-server import chart all-weeks-countries.tsv --id korea --country KR --category Films --data data
            """)

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Option(help: ArgumentHelp("The id of the chart, as programmes and replays name it.", valueName: "chart"))
    var id: String

    @Option(help: ArgumentHelp("The only category to import, under the id itself.", valueName: "name"))
    var category: String?

    @Option(
        help: ArgumentHelp("The day of a list that has no date, YYYY-MM-DD.", valueName: "day"),
        transform: { text in
            guard let date = CalendarDate(text) else { throw ValidationError("dates are written YYYY-MM-DD") }
            return date
        })
    var date: CalendarDate?

    @Option(
        help: ArgumentHelp("The country to import of a file with many: its name or two letters.", valueName: "country"))
    var country: String?

    @OptionGroup var options: ImportOptions

    func validate() throws {
        try options.checkCatalogue(needed: "titles are matched with the movies there")
    }

    func run() throws {
        try Importing(options: options, tolerance: .half).run { (importer) throws(ImportError) in
            try importer.chart(file: file, id: id, category: category, country: country, date: date)
        }
    }
}

/// Options that imports of pages share.
struct PageOptions: ParsableArguments {
    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Option(help: ArgumentHelp("The id of the page, as programmes name it. (default: home)", valueName: "page"))
    var page = "home"

    @OptionGroup var options: ImportOptions

    func validate() throws {
        try options.checkCatalogue(needed: "shelves that the page no longer has are emptied")
    }
}

/// `marquee-server import plist`
struct ImportPlistCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plist",
        abstract: "Import a page from a property list of sections.",
        discussion: """
            A list of sections {sectionType, sectionName, contentItem}, whose items are {description, imageName}; XML \
            or binary. A programme shows it with 'page: home' and says how each type looks. What can't be used is reported by \
            section and item, and the page is then left as it was unless --max-bad allows it. Unknown keys are reported and \
            left out.

              marquee-server import plist Content.plist --data data
            """)

    @OptionGroup var page: PageOptions

    func run() throws {
        try Importing(options: page.options, tolerance: .none).run { (importer) throws(ImportError) in
            try importer.plist(file: page.file, page: page.page)
        }
    }
}

/// `marquee-server import courses`
struct ImportCoursesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "courses",
        abstract: "Import a page from the payload of a course home.",
        discussion: """
            JSON, {status, layouts: [{type, id, value}]}. A programme shows it with 'page: home' and says how each \
            type looks. A layout of an unknown type is kept. What can't be used is reported by layout and item, and the page \
            is then left as it was unless --max-bad allows it. Unknown members are reported and left out.

              marquee-server import courses udemy_home_payload.json --data data
            """)

    @OptionGroup var page: PageOptions

    func run() throws {
        try Importing(options: page.options, tolerance: .none).run { (importer) throws(ImportError) in
            try importer.courses(file: page.file, page: page.page)
        }
    }
}

/// `marquee-server import ndjson`
struct ImportNDJSONCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ndjson",
        abstract: "Import changes of the catalogue, one JSON document per line.",
        discussion: """
            Each line is an object with one key, the name of the change: movie, removeMovie, movieUpdate, person, \
            credits, genre, chartDay, showChart, choose, shelf, shelfItem, page, programme, types, put, merge, remove and \
            others; Docs/publishing.md lists them all. A line with a mistake, such as a field that its change doesn't have, is \
            reported, and nothing is imported unless --max-bad allows it.

              marquee-server import ndjson Samples/catalogue/catalogue.ndjson --data data
            """)

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @OptionGroup var options: ImportOptions

    func run() throws {
        var judge = ProgrammeJudge()
        try Importing(options: options, tolerance: .none).run { (importer) throws(ImportError) in
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
        abstract: "Import the types of records: a declaration, and the descriptor set that it names.",
        discussion: """
            The declaration is YAML. The descriptor set it names lies beside it and is made with 'protoc \
            --descriptor_set_out FILE --include_imports'; Docs/types.md describes both. Import types before the records that \
            use them. A new declaration replaces the current one if the existing records keep their meaning; otherwise every \
            reason is printed, and nothing changes.

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
