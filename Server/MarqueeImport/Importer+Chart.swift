import MarqueeModel
import MarqueeStore

extension Importer {
    /// Imports a chart over time: a CSV file with the columns `date, rank, release_id, title, gross_usd, theaters, gross_to_date_usd,
    /// days_in_release, distributor`, plain or .gz, the rows of a day together.
    ///
    /// Each day is stored. When the chart shows no day yet, the first one is shown. Entries are tied to the catalogue's movies by title and by the
    /// year in which the release began.
    /// - Parameter id: the chart's name in the catalogue.
    /// - Returns: what became of the rows.
    /// - Throws: when the file can't be read or the store can't write. What was written before stays.
    package func chart(file: String, id: String) throws(ImportError) -> ImportReport {
        guard CatalogueBounds.isIdentifier(id, limit: CatalogueBounds.identifier) else {
            throw ImportError(
                .malformed,
                "'\(Field.shown(id))' is no name for a chart: it has 1 to \(CatalogueBounds.identifier) bytes and no "
                    + "control characters")
        }
        let (titles, isShown) = try readCatalogue(for: id)
        var days = ChartDays(
            chart: id, batch: ImportBatch(store: store, file: file, report: ImportReport()))
        try CSVTable(path: file, columns: ChartDayBuilder.columns).read(progress: progress) {
            (row) throws(ImportError) in
            do throws(BadRow) {
                try days.add(try ChartDayBuilder.Row(try row.values(), titles: titles), line: row.line)
            } catch {
                days.batch.addBad(error.reason, line: row.line)
            }
            try days.flushFinished()
        }
        try days.finish()
        if !isShown, let first = days.first { try show(id, first, file) }
        return days.batch.report
    }

    private func readCatalogue(for chart: String) throws(ImportError) -> (titles: TitleIndex, isShown: Bool) {
        var titles = TitleIndex()
        var isShown = false
        do throws(StoreError) {
            _ = try store.snapshot { change in
                switch change {
                case .movie(let movie): titles.add(movie)
                case .showChart(chart, _): isShown = true
                default: break
                }
            }
        } catch {
            throw ImportError(.store, "the catalogue can't be read: \(error)", storeError: error)
        }
        return (titles, isShown)
    }

    private func show(_ chart: String, _ date: CalendarDate, _ file: String) throws(ImportError) {
        do throws(StoreError) {
            _ = try store.write([
                .catalogue(key: nil, changes: [.showChart(chart: chart, date: date)], mutation: nil)
            ])
        } catch {
            throw ImportError(
                .store, "\(file) was imported, but the chart shows no day yet: \(error)", storeError: error)
        }
    }
}

/// Cuts a chart's rows into days.
private struct ChartDays {
    let chart: String
    var batch: ImportBatch
    /// The first day of the file.
    private(set) var first: CalendarDate?
    private var current: ChartDayBuilder?
    private var finished: [ChartDayBuilder] = []
    private var begun = Set<CalendarDate>()

    init(chart: String, batch: ImportBatch) {
        self.chart = chart
        self.batch = batch
    }

    mutating func add(_ row: ChartDayBuilder.Row, line: Int) throws(BadRow) {
        if current?.date != row.date {
            guard !begun.contains(row.date) else {
                throw BadRow("the rows of \(row.date) are not together; the day ended further up")
            }
            var day = ChartDayBuilder(date: row.date, line: line)
            try day.add(row, chart: chart)
            begun.insert(row.date)
            if let current { finished.append(current) }
            first = first ?? row.date
            current = day
        } else {
            try current?.add(row, chart: chart)
        }
    }

    /// Hands finished days to the batch.
    mutating func flushFinished() throws(ImportError) {
        for day in finished {
            try batch.add([.chartDay(day.day(chart: chart))], line: day.line, rows: day.rowCount)
        }
        finished.removeAll()
    }

    mutating func finish() throws(ImportError) {
        if let current { finished.append(current) }
        current = nil
        try flushFinished()
        try batch.flush()
    }
}
