import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords

/// One parsed row of a chart.
struct ChartRow {
    /// The file's chart that the row belongs to; `nil` if there is only one.
    var category: String?
    /// Set in a file with the charts of many countries.
    var country: ChartCountry?
    var step: ChartStep
    var rank: UInt32
    var entry: ChartDay.Entry
    /// Whether the entry's key is only a name, which two films may share.
    var hasNameOnly = false

    /// - Parameters:
    ///   - values: the values of the format's columns.
    ///   - date: the date of lists that carry none.
    init(_ values: [String], _ format: ChartFormat, date: CalendarDate?, titles: ChartTitles) throws(BadRow) {
        switch format {
        case .boxOffice: self = try ChartRow(boxOffice: values, titles)
        case .weeklyTopTen: self = try ChartRow(weekly: values)
        case .weeklyByCountry: self = try ChartRow(country: values)
        case .mostPopular: self = try ChartRow(mostPopular: values, date)
        case .reservations: self = try ChartRow(reservations: values, titles)
        case .dailyTopTen: preconditionFailure("JSON has no rows")
        }
    }

    init(step: ChartStep, rank: UInt32, entry: ChartDay.Entry) {
        self.step = step
        self.rank = rank
        self.entry = entry
    }

    private static func date(_ text: String, _ column: String) throws(BadRow) -> CalendarDate {
        guard let date = try Field.date(text, column) else { throw BadRow("\(column): it is empty") }
        return date
    }

    private static func rank(_ text: String, _ column: String) throws(BadRow) -> UInt32 {
        guard let rank = try Field.number(text, column) as UInt32?, rank > 0 else {
            throw BadRow("\(column): '\(Field.shown(text))' is not a rank")
        }
        return rank
    }

    // MARK: - Formats

    /// A movie is looked up by title and by the first day of its release.
    private init(boxOffice values: [String], _ titles: ChartTitles) throws(BadRow) {
        step = ChartStep(date: try ChartRow.date(values[0], "date"))
        rank = try ChartRow.rank(values[1], "rank")
        entry = ChartDay.Entry(key: values[2], title: values[3])
        if let text = Field.text(values[9]) { entry.previousRank = try ChartRow.rank(text, "rank_yesterday") }
        entry.gross = try Field.number(values[4], "gross_usd")
        entry.theaters = try Field.number(values[5], "theaters")
        entry.grossToDate = try Field.number(values[6], "gross_to_date_usd")
        entry.daysInRelease = try Field.number(values[7], "days_in_release")
        entry.distributor = Field.text(values[8])
        entry.movie = titles.movie(titled: entry.title, releasedAround: entry.firstDay(before: step.date))
    }

    private init(weekly values: [String]) throws(BadRow) {
        step = ChartStep(date: try ChartRow.date(values[0], "week"))
        category = Field.text(values[1])
        rank = try ChartRow.rank(values[2], "weekly_rank")
        entry = try ChartRow.show(values[3], season: values[4])
        entry.hours = try Field.number(values[5], "weekly_hours_viewed")
        entry.views = try Field.number(values[6], "weekly_views")
        entry.weeks = try Field.number(values[7], "cumulative_weeks_in_top_10")
    }

    /// Country charts have ranks only: no hours and no views.
    private init(country values: [String]) throws(BadRow) {
        guard let name = Field.text(values[0]), let code = Field.text(values[1]) else {
            throw BadRow("country_name, country_iso2: one of them is empty")
        }
        country = ChartCountry(name: name, code: code)
        step = ChartStep(date: try ChartRow.date(values[2], "week"))
        category = Field.text(values[3])
        rank = try ChartRow.rank(values[4], "weekly_rank")
        entry = try ChartRow.show(values[5], season: values[6])
        entry.weeks = try Field.number(values[7], "cumulative_weeks_in_top_10")
    }

    private init(mostPopular values: [String], _ date: CalendarDate?) throws(BadRow) {
        guard let date else { throw BadRow("the list has no date of its own, so one has to be given") }
        step = ChartStep(date: date)
        category = Field.text(values[0])
        rank = try ChartRow.rank(values[1], "rank")
        entry = try ChartRow.show(values[2], season: values[3])
        entry.hours = try Field.number(values[4], "hours_viewed_first_91_days")
        entry.views = try Field.number(values[5], "views_first_91_days")
    }

    /// A show is identified by its title and season.
    private static func show(_ title: String, season: String) throws(BadRow) -> ChartDay.Entry {
        guard let title = Field.text(title) else { throw BadRow("show_title: it is empty") }
        guard let season = Field.text(season), season != "N/A" else { return ChartDay.Entry(key: title, title: title) }
        let isWhole = season.hasPrefix(title)
        return ChartDay.Entry(key: "\(title) / \(season)", title: isWhole ? season : "\(title): \(season)")
    }

    private init(reservations values: [String], _ titles: ChartTitles) throws(BadRow) {
        guard let step = ChartStep(values[0]), step.time != nil else {
            throw BadRow("time_kst: '\(Field.shown(values[0]))' is not a time; times are written YYYY-MM-DD HH:MM")
        }
        self.step = step
        rank = try ChartRow.rank(values[1], "rank")
        guard let name = Field.text(values[2]).map(Field.trimmed) else { throw BadRow("movie_name: it is empty") }
        entry = ChartDay.Entry(key: name, title: name)
        hasNameOnly = true
        entry.share = try Field.decimal(values[3], "reservation_rate_pct")
        entry.audience = try Field.number(values[4], "reserved_audience")
        entry.gross = try Field.number(values[5], "reserved_sales_krw")
        entry.audienceToDate = try Field.number(values[6], "audience_total")
        entry.grossToDate = try Field.number(values[7], "sales_total_krw")
        entry.currency = "KRW"
        entry.movie = titles.movie(titled: name, releasedAround: step.date.dayNumber)
    }
}

/// The country whose chart a row belongs to.
struct ChartCountry: Hashable, CustomStringConvertible {
    var name: String
    /// ISO 3166-1, two letters.
    var code: String

    func isNamed(_ text: String) -> Bool { [name, code].contains { $0.lowercased() == text.lowercased() } }

    var description: String { "\(code) (\(name))" }
}

extension ChartDay.Entry {
    /// The first day of the release, as a day number.
    fileprivate func firstDay(before date: CalendarDate) -> Int {
        date.dayNumber - (daysInRelease.map { Int($0) } ?? 0)
    }
}
