import MarqueeModel

/// The file formats of charts, recognized by how a file begins.
enum ChartFormat: CaseIterable {
    /// A day's box office: CSV.
    case boxOffice
    /// Netflix's weekly top ten of each category in many countries: TSV, newest week first.
    case weeklyByCountry
    /// Netflix's weekly top ten of each category: TSV, newest week first.
    case weeklyTopTen
    /// Netflix's most popular titles of all time: TSV without a date.
    case mostPopular
    /// KOBIS's ranking of advance reservations, several a day: CSV.
    case reservations
    /// KOBIS's daily top ten: JSON.
    case dailyTopTen

    /// - Throws: `wrongColumns` for a file that is none of these.
    init(of source: ImportSource) throws(ImportError) {
        let declared = TableDialect.declaredSeparator(in: source.firstLine())
        let line = source.firstLine(skipping: declared == nil ? 0 : 1)
        if line.first(where: { !$0.isWhitespace }) == "{" {
            self = .dailyTopTen
            return
        }
        let formats = ChartFormat.allCases.filter { !$0.columns.isEmpty }
        let found = formats.first { format in
            let named = Set(
                line.split(separator: declared.map { Character(Unicode.Scalar($0)) } ?? format.separator).map {
                    $0.trimmingPrefix("\"").prefix { $0 != "\"" }
                })
            return format.distinctiveColumns.allSatisfy { named.contains(Substring($0)) }
        }
        guard let found else {
            let known = formats.map { $0.columns.joined(separator: ", ") }.joined(separator: "; ")
            throw ImportError(
                .wrongColumns,
                "\(source.name) is not a known chart: its first line should name the columns of one of these: \(known)"
            )
        }
        self = found
    }

    /// The columns in the order in which `ChartRow` expects them.
    var columns: [String] {
        switch self {
        case .boxOffice:
            [
                "date", "rank", "release_id", "title", "gross_usd", "theaters", "gross_to_date_usd", "days_in_release",
                "distributor",
            ]
        case .weeklyTopTen:
            [
                "week", "category", "weekly_rank", "show_title", "season_title", "weekly_hours_viewed", "weekly_views",
                "cumulative_weeks_in_top_10",
            ]
        case .weeklyByCountry:
            [
                "country_name", "country_iso2", "week", "category", "weekly_rank", "show_title", "season_title",
                "cumulative_weeks_in_top_10",
            ]
        case .mostPopular:
            ["category", "rank", "show_title", "season_title", "hours_viewed_first_91_days", "views_first_91_days"]
        case .reservations:
            [
                "time_kst", "rank", "movie_name", "reservation_rate_pct", "reserved_audience", "reserved_sales_krw",
                "audience_total", "sales_total_krw",
            ]
        case .dailyTopTen: []
        }
    }

    /// Columns that a file may have, following those of `columns`.
    var optionalColumns: [String] {
        switch self {
        case .boxOffice: ["rank_yesterday"]
        default: []
        }
    }

    /// The columns that no other format has.
    private var distinctiveColumns: [String] {
        switch self {
        case .boxOffice: ["date", "rank", "release_id"]
        case .weeklyByCountry: ["country_iso2", "week", "weekly_rank"]
        case .weeklyTopTen: ["week", "weekly_rank"]
        case .mostPopular: ["category", "rank", "show_title"]
        case .reservations: ["time_kst", "movie_name"]
        case .dailyTopTen: []
        }
    }

    /// How its tables are written. Those with tabs have no quotes, unless their first line has.
    func dialect(of source: ImportSource) -> TableDialect {
        let isPlain = separator == "\t" && !source.firstLine().contains("\"")
        return TableDialect(
            separator: separator.asciiValue ?? TableDialect.comma, quote: isPlain ? nil : TableDialect.doubleQuote)
    }

    /// Separates columns.
    private var separator: Character {
        switch self {
        case .weeklyByCountry, .weeklyTopTen, .mostPopular: "\t"
        case .boxOffice, .reservations, .dailyTopTen: ","
        }
    }
}
