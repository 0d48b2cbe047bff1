import MarqueeModel
import MarqueeStore

/// Puts the rows of one day of a chart together.
struct ChartDayBuilder {
    static let columns = [
        "date", "rank", "release_id", "title", "gross_usd", "theaters", "gross_to_date_usd", "days_in_release",
        "distributor",
    ]

    /// A row that was understood.
    struct Row {
        var date: CalendarDate
        var rank: UInt32
        var entry: ChartDay.Entry

        /// From the values of `columns`. A movie is looked up by title and by the day on which the release began.
        init(_ values: [String], titles: TitleIndex) throws(BadRow) {
            guard let date = try Field.date(values[0], "date") else { throw BadRow("date: it is empty") }
            guard let rank = try Field.number(values[1], "rank") as UInt32?, rank > 0 else {
                throw BadRow("rank: '\(Field.shown(values[1]))' is no rank")
            }
            var entry = ChartDay.Entry(key: values[2], title: values[3])
            entry.gross = try Field.number(values[4], "gross_usd")
            entry.theaters = try Field.number(values[5], "theaters")
            entry.grossToDate = try Field.number(values[6], "gross_to_date_usd")
            entry.daysInRelease = try Field.number(values[7], "days_in_release")
            entry.distributor = Field.text(values[8])
            let released = date.dayNumber - (entry.daysInRelease.map { Int($0) } ?? 0)
            entry.movie = titles.movie(titled: entry.title, releasedAround: released)
            self.date = date
            self.rank = rank
            self.entry = entry
        }
    }

    let date: CalendarDate
    /// Of the day's first row.
    let line: Int
    private var rows: [Row] = []
    private var keys = Set<String>()

    init(date: CalendarDate, line: Int) {
        self.date = date
        self.line = line
    }

    var rowCount: Int { rows.count }

    mutating func add(_ row: Row, chart: String) throws(BadRow) {
        // Judged alone, so that one wrong row does not take its day with it.
        let alone = Change.chartDay(ChartDay(chart: chart, date: date, entries: [row.entry]))
        if let reason = CatalogueBounds.refusal(of: alone) { throw BadRow(reason) }
        guard keys.insert(row.entry.key).inserted else {
            throw BadRow("'\(Field.shown(row.entry.key))' is in the chart of \(date) already")
        }
        rows.append(row)
    }

    /// The day with its entries in order of rank; of equal ranks the key decides.
    func day(chart: String) -> ChartDay {
        let sorted = rows.sorted { ($0.rank, $0.entry.key) < ($1.rank, $1.entry.key) }
        return ChartDay(chart: chart, date: date, entries: sorted.map(\.entry))
    }
}
