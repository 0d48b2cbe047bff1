import ArgumentParser
import MarqueeImport
import MarqueeModel

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
        let files = [movies, credits, certification].compactMap(\.self)
        try Importing(options: options, tolerance: .half, files: files).run { (importer) throws(ImportError) in
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

    @Option(
        help: ArgumentHelp(
            "The id of the chart; programmes and replays call its list chart/<id>.", valueName: "chart"))
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
        help: ArgumentHelp("The country to import, of several: its name or two-letter code.", valueName: "country"))
    var country: String?

    @OptionGroup var options: ImportOptions

    func validate() throws {
        try options.checkCatalogue(needed: "titles are matched with the movies there")
    }

    func run() throws {
        try Importing(options: options, tolerance: .half, files: [file]).run { (importer) throws(ImportError) in
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
        try options.checkCatalogue(needed: "what the page no longer has is removed")
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
        try Importing(options: page.options, tolerance: .none, files: [page.file]).run {
            (importer) throws(ImportError) in
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
            is then left as it was unless --max-bad allows it. Unknown members are reported and left out. A highlighted text \
            above courses leads to 'courses/<page>.<section>', which the programme may show with 'list: shelf/$id'.

              marquee-server import courses udemy_home_payload.json --data data --currency USD
            """)

    @OptionGroup var page: PageOptions

    @Option(
        help: ArgumentHelp(
            "The currency of the prices (ISO 4217), where the payload has no 'currency' beside one.", valueName: "code")
    )
    var currency: String?

    func validate() throws {
        if let currency, !CardContent.Price.isCurrency(currency) {
            throw ValidationError("--currency is a code of ISO 4217, such as USD, not '\(currency)'")
        }
    }

    func run() throws {
        try Importing(options: page.options, tolerance: .none, files: [page.file]).run {
            (importer) throws(ImportError) in
            try importer.courses(file: page.file, page: page.page, currency: currency)
        }
    }
}
