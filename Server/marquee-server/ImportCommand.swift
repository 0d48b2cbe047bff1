import ArgumentParser
import MarqueeImport
import MarqueeModel
import MarqueeScreens

/// `marquee-server import`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring files into the catalogue of a data folder.",
        discussion: """
            Files may be plain or .gz, and - is standard input. A row that can't be used is reported with file, line \
            and reason, and left out. An import is kept whole or not at all: with more bad rows than --max-bad allows \
            nothing is imported, nor when a file ends too early or Ctrl-C is pressed. Importing twice changes nothing.

              marquee-server import ndjson Samples/catalogue/catalogue.ndjson --data data
              marquee-server import tmdb5000 tmdb_5000_movies.csv tmdb_5000_credits.csv.gz --data data
              marquee-server import chart us_boxoffice_daily_2014.csv.gz --id us --data data
              marquee-server import plist Content.plist --data data
              marquee-server import courses home.json --data data
              marquee-server import chart korea.csv --id kr --encoding cp949 --dry-run --data data

            Ends with 0 when rows were imported or were there already, and with \
            \(CommandFailure.Code.badData.rawValue) when nothing was imported: there was no row, or there were too \
            many bad ones.
            """,
        subcommands: [
            ImportTMDB5000Command.self, ImportChartCommand.self, ImportPlistCommand.self, ImportCoursesCommand.self,
            ImportNDJSONCommand.self,
        ])
}

/// `marquee-server import tmdb5000`
struct ImportTMDB5000Command: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tmdb5000",
        abstract: "Import the data set TMDB 5000: movies with genres, certificates, cast and crew.",
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
            These files are known, and told apart by their beginning: a daily box office (CSV with the columns date, \
            rank, release_id, title, gross_usd, theaters, gross_to_date_usd, days_in_release and distributor, and \
            rank_yesterday where it has that); Netflix's weekly top ten (TSV), that of many countries (TSV, needs \
            --country) and its list of the most popular titles (TSV, needs --date); KOBIS's advance reservations (CSV \
            with a time_kst) and its daily top ten (JSON). The rows may come in any order, and ranks stay as the file \
            has them. A file with several categories makes a chart of each, such as top10.films-english, unless \
            --category names one. Titles are matched with the movies of the catalogue, so import those first.

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

    func run() throws {
        try Importing(options: options, tolerance: .half).run { (importer) throws(ImportError) in
            try importer.chart(file: file, id: id, category: category, country: country, date: date)
        }
    }
}

/// What imports of pages have in common.
struct PageOptions: ParsableArguments {
    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Option(help: ArgumentHelp("The id of the page, as programmes name it. (default: home)", valueName: "page"))
    var page = "home"

    @OptionGroup var options: ImportOptions
}

/// `marquee-server import plist`
struct ImportPlistCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plist",
        abstract: "Import a page from a property list of sections.",
        discussion: """
            A list of sections {sectionType, sectionName, contentItem}, whose items are {description, imageName}; XML \
            or binary. A programme shows it with 'page: home' and says how each type looks. What can't be used is \
            named by section and item, and then nothing of the page is replaced unless --max-bad allows it. Keys of \
            other names are told and left out.

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
            type looks. A layout of a type that is not known is kept. What can't be used is named by layout and item, \
            and then nothing of the page is replaced unless --max-bad allows it. Members of other names are told and \
            left out.

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
            credits, genre, chartDay, showChart, choose, shelf, shelfItem, page or programme; Docs/publishing.md has \
            all of them. A line with a mistake in it, such as a field that its change doesn't have, is named, and \
            nothing is imported unless --max-bad allows it.

              marquee-server import ndjson Samples/catalogue/catalogue.ndjson --data data
            """)

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @OptionGroup var options: ImportOptions

    func run() throws {
        try Importing(options: options, tolerance: .none).run { (importer) throws(ImportError) in
            try importer.ndjson(file: file, fault: ImportNDJSONCommand.fault(of:))
        }
    }

    /// A programme with a mistake in it must not get into the log.
    private static func fault(of change: Change) -> String? {
        guard case .programme(let text) = change else { return nil }
        do throws(ProgrammeErrors) {
            _ = try Programme.parse(text: text, file: "programme")
            return nil
        } catch {
            return error.description
        }
    }
}
