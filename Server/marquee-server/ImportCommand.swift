import ArgumentParser
import MarqueeImport

/// `marquee-server import`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring files into the catalogue of a data folder.",
        discussion: """
            Files may be plain or .gz. A row that can't be used is reported with file, line and reason, and left out; the rest is kept. \
            Importing twice changes nothing. The data folder must not be served meanwhile; a running server takes changes with \
            'marquee publish'.

              marquee-server import ndjson Samples/catalogue/catalogue.ndjson --data data
              marquee-server import tmdb5000 tmdb_5000_movies.csv tmdb_5000_credits.csv.gz --data data
              marquee-server import chart us_boxoffice_daily_2014.csv.gz --id us --data data

            Ends with 0 when rows were kept, however many were not, and with \(CommandFailure.Code.badData.rawValue) when none was.
            """,
        subcommands: [ImportTMDB5000Command.self, ImportChartCommand.self, ImportNDJSONCommand.self])
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

    @OptionGroup var data: DataOptions

    func run() throws {
        try Importing(folder: data.folder).run { (importer) throws(ImportError) in
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
            CSV with the columns date, rank, release_id, title, gross_usd, theaters, gross_to_date_usd, days_in_release and distributor. \
            Titles are matched with the movies of the catalogue, so import those first.

              marquee-server import chart us_boxoffice_daily_2014.csv.gz --id us --data data
            """)

    @Argument(help: "The CSV file.")
    var file: String

    @Option(help: ArgumentHelp("The id of the chart, as programmes and replays name it.", valueName: "chart"))
    var id: String

    @OptionGroup var data: DataOptions

    func run() throws {
        try Importing(folder: data.folder).run { (importer) throws(ImportError) in
            try importer.chart(file: file, id: id)
        }
    }
}

/// `marquee-server import ndjson`
struct ImportNDJSONCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ndjson",
        abstract: "Import changes of the catalogue, one JSON document per line.",
        discussion: """
            Each line is an object with one key, the name of the change: movie, removeMovie, movieUpdate, person, credits, genre, chartDay, \
            showChart, choose or programme.

              marquee-server import ndjson Samples/catalogue/catalogue.ndjson --data data
            """)

    @Argument(help: "The file.")
    var file: String

    @OptionGroup var data: DataOptions

    func run() throws {
        try Importing(folder: data.folder).run { (importer) throws(ImportError) in
            try importer.ndjson(file: file)
        }
    }
}
