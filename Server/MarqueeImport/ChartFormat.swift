import MarqueeModel

/// The files that charts come in, told apart by their beginning.
enum ChartFormat: CaseIterable {
    /// A day's box office: CSV.
    case boxOffice
    /// Netflix's weekly top ten of each category: TSV, newest week first.
    case weeklyTopTen
    /// Netflix's most popular titles of all time: TSV without a date.
    case mostPopular
    /// KOBIS's ranking of advance reservations, several a day: CSV.
    case reservations
    /// KOBIS's daily top ten: JSON.
    case dailyTopTen

    /// - Throws: `wrongColumns` for a file that is none of these.
    init(of path: String) throws(ImportError) {
        let head = try FileContent.head(of: path)
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        if line.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "{" {
            self = .dailyTopTen
            return
        }
        let formats = ChartFormat.allCases.filter { !$0.columns.isEmpty }
        let found = formats.first { format in
            let named = Set(line.split(separator: format.separator).map { $0.drop { $0 == "\u{FEFF}" } })
            return format.telling.allSatisfy { named.contains(Substring($0)) }
        }
        guard let found else {
            let known = formats.map { $0.columns.joined(separator: ", ") }.joined(separator: "; ")
            throw ImportError(
                .wrongColumns,
                "\(path) is no chart that is known: its first line should be the columns of one of these: \(known)")
        }
        self = found
    }

    /// In the order in which `ChartRow` wants them.
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

    /// The columns that no other format has.
    private var telling: [String] {
        switch self {
        case .boxOffice: ["date", "rank", "release_id"]
        case .weeklyTopTen: ["week", "weekly_rank"]
        case .mostPopular: ["category", "rank", "show_title"]
        case .reservations: ["time_kst", "movie_name"]
        case .dailyTopTen: []
        }
    }

    /// Between two columns.
    var separator: Character {
        switch self {
        case .weeklyTopTen, .mostPopular: "\t"
        case .boxOffice, .reservations, .dailyTopTen: ","
        }
    }
}
