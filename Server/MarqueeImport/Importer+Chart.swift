package import MarqueeModel
import MarqueeStore

extension Importer {
    /// Imports a chart over time, plain or .gz. These files are known, and told apart by their beginning:
    ///
    /// - a daily box office, CSV: `date, rank, release_id, title, gross_usd, theaters, gross_to_date_usd,
    ///   days_in_release, distributor`, and `rank_yesterday` where it has that;
    /// - Netflix's weekly top ten, TSV, of the world or of many countries, and its list of the most popular titles,
    ///   which has no date;
    /// - KOBIS's advance reservations, CSV with a time, and its daily top ten, JSON.
    ///
    /// The rows may come in any order. Each list is stored. When a chart shows none yet, the earliest is shown. Entries
    /// are tied to the catalogue's movies by title and by the year in which the release began. Ranks are the source's:
    /// a row that can't be used, or a rank that two entries share, renumbers no other.
    /// - Parameters:
    ///   - id: the chart's name in the catalogue. A file with several categories makes a chart of each, such as
    ///     `top10.films-english`.
    ///   - category: the only one to import, under `id` itself.
    ///   - country: the one to import of a file with many, by its name or its code of two letters.
    ///   - date: of a file that has none.
    /// - Returns: what became of the rows.
    /// - Throws: when the file can't be read or the store can't write.
    package func chart(
        file: String, id: String, category: String? = nil, country: String? = nil, date: CalendarDate? = nil
    ) throws(ImportError) -> ImportReport {
        guard CatalogueBounds.isIdentifier(id, limit: ChartDays.idBytes) else {
            throw ImportError(
                .malformed,
                "'\(Field.shown(id))' is no name for a chart: it has 1 to \(ChartDays.idBytes) bytes and no control "
                    + "characters")
        }
        let source = try self.source(file)
        let format = try ChartFormat(of: source)
        if format == .mostPopular, date == nil {
            throw ImportError(.malformed, "\(source.name) has no date of its own: say with --date which day it is of")
        }
        if format == .weeklyByCountry, country == nil {
            throw ImportError(
                .malformed, "\(source.name) has the charts of many countries: name one, such as --country KR")
        }
        if format != .weeklyByCountry, country != nil {
            throw ImportError(.malformed, "\(source.name) has no countries, so --country does not go with it")
        }
        let (titles, shown) = try readCatalogue()
        var days = ChartDays(
            id: id, category: category, country: country,
            batch: ImportBatch(store: store, file: source.name, report: ImportReport()))
        if format == .dailyTopTen {
            try readDaily(source, titles, into: &days)
        } else {
            try readRows(source, format, date, titles, into: &days)
        }
        try days.finish()
        if days.earliest.isEmpty, !days.countries.isEmpty, days.categories.isEmpty, let country {
            throw ImportError(
                .malformed,
                "\(source.name) has no country '\(Field.shown(country))'; it has "
                    + days.countries.sorted().joined(separator: ", "))
        }
        if let category, days.earliest.isEmpty, !days.categories.isEmpty {
            throw ImportError(
                .malformed,
                "\(source.name) has no category '\(Field.shown(category))'; it has "
                    + days.categories.sorted().map { "'\($0)'" }.joined(separator: ", "))
        }
        for (chart, step) in days.earliest.sorted(by: { $0.key < $1.key }) where !shown.contains(chart) {
            try show(chart, step)
        }
        return days.batch.report
    }

    private func readRows(
        _ source: ImportSource, _ format: ChartFormat, _ date: CalendarDate?, _ titles: ChartTitles,
        into days: inout ChartDays
    ) throws(ImportError) {
        let table = CSVTable(
            source: source, columns: format.columns, optionalColumns: format.optionalColumns,
            delimiter: format.separator.asciiValue ?? UInt8(ascii: ","))
        try table.read(self) { (row) throws(ImportError) in
            do throws(BadRow) {
                try days.add(
                    try ChartRow(try row.values(), format, date: date, titles: titles), line: row.line)
            } catch {
                days.batch.addBad(error, line: row.line, rows: row.rows)
            }
        }
    }

    private func readCatalogue() throws(ImportError) -> (titles: ChartTitles, shown: Set<String>) {
        var titles = ChartTitles()
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

    private func show(_ chart: String, _ step: ChartStep) throws(ImportError) {
        do throws(StoreError) {
            _ = try store.write([
                .catalogue(
                    key: nil, changes: [.showChart(chart: chart, date: step.date, time: step.time)], mutation: nil)
            ])
        } catch {
            throw ImportError(.store, "the chart can't be shown: \(error)", storeError: error)
        }
    }
}
