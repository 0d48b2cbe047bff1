package import MarqueeModel
import MarqueeStore

extension Importer {
    /// Imports a chart over time, plain or .gz. These files are known, and told apart by their beginning:
    ///
    /// - a daily box office, CSV: `date, rank, release_id, title, gross_usd, theaters, gross_to_date_usd, days_in_release, distributor`;
    /// - Netflix's weekly top ten, TSV, and its list of the most popular titles, which has no date;
    /// - KOBIS's advance reservations, CSV with a time, and its daily top ten, JSON.
    ///
    /// Each list is stored. When a chart shows none yet, the earliest is shown. Entries are tied to the catalogue's movies by title and by the
    /// year in which the release began. Of equal ranks the key decides; a missing rank leaves no gap.
    /// - Parameters:
    ///   - id: the chart's name in the catalogue. A file with several categories makes a chart of each, such as `top10.films-english`.
    ///   - category: the only one to import, under `id` itself.
    ///   - date: of a file that has none.
    /// - Returns: what became of the rows.
    /// - Throws: when the file can't be read or the store can't write. What was written before stays.
    package func chart(
        file: String, id: String, category: String? = nil, date: CalendarDate? = nil
    ) throws(ImportError) -> ImportReport {
        guard CatalogueBounds.isIdentifier(id, limit: ChartDays.idBytes) else {
            throw ImportError(
                .malformed,
                "'\(Field.shown(id))' is no name for a chart: it has 1 to \(ChartDays.idBytes) bytes and no control "
                    + "characters")
        }
        let format = try ChartFormat(of: file)
        if format == .mostPopular, date == nil {
            throw ImportError(.malformed, "\(file) has no date of its own; say which day it stands for")
        }
        let (titles, shown) = try readCatalogue()
        var days = ChartDays(
            id: id, category: category, batch: ImportBatch(store: store, file: file, report: ImportReport()))
        if format == .dailyTopTen {
            try readDaily(file, titles, into: &days)
        } else {
            try readRows(file, format, date, titles, into: &days)
        }
        try days.finish()
        if let category, days.earliest.isEmpty {
            throw ImportError(
                .malformed,
                "\(file) has no category '\(Field.shown(category))'; it has "
                    + days.categories.sorted().map { "'\($0)'" }.joined(separator: ", "))
        }
        for (chart, step) in days.earliest where !shown.contains(chart) { try show(chart, step, file) }
        return days.batch.report
    }

    private func readRows(
        _ file: String, _ format: ChartFormat, _ date: CalendarDate?, _ titles: TitleIndex, into days: inout ChartDays
    ) throws(ImportError) {
        let table = CSVTable(
            path: file, columns: format.columns, delimiter: format.separator.asciiValue ?? UInt8(ascii: ","))
        try table.read(progress: progress) { (row) throws(ImportError) in
            do throws(BadRow) {
                try days.add(
                    try ChartRow(try row.values(), format, date: date, titles: titles), line: row.line)
            } catch {
                days.batch.addBad(error.reason, line: row.line)
            }
            try days.flushFinished()
        }
    }

    private func readCatalogue() throws(ImportError) -> (titles: TitleIndex, shown: Set<String>) {
        var titles = TitleIndex()
        var shown: Set<String> = []
        do throws(StoreError) {
            _ = try store.snapshot { change in
                switch change {
                case .movie(let movie): titles.add(movie)
                case .showChart(let chart, _, _): shown.insert(chart)
                default: break
                }
            }
        } catch {
            throw ImportError(.store, "the catalogue can't be read: \(error)", storeError: error)
        }
        return (titles, shown)
    }

    private func show(_ chart: String, _ step: ChartStep, _ file: String) throws(ImportError) {
        do throws(StoreError) {
            _ = try store.write([
                .catalogue(
                    key: nil, changes: [.showChart(chart: chart, date: step.date, time: step.time)], mutation: nil)
            ])
        } catch {
            throw ImportError(
                .store, "\(file) was imported, but the chart shows no day yet: \(error)", storeError: error)
        }
    }
}
