import MarqueeCatalogue
package import MarqueeModel
import MarqueePresetRecords
import MarqueeStore

extension Importer {
    /// Imports a chart over time, plain or .gz. These formats are known, and recognized by how a file begins:
    ///
    /// - a daily box office, CSV: `date, rank, release_id, title, gross_usd, theaters, gross_to_date_usd,
    ///   days_in_release, distributor`, and optionally `rank_yesterday`;
    /// - Netflix's weekly top ten, TSV, for the world or for many countries, and its list of the most popular titles,
    ///   which has no date;
    /// - KOBIS's advance reservations, CSV with times, and its daily top ten, JSON.
    ///
    /// The rows may come in any order. Every list is stored. If a chart shows none yet, the earliest is shown. Entries
    /// are matched with the catalogue's movies by title and year of release. Ranks are the source's own: a bad row or a
    /// shared rank doesn't renumber others.
    /// - Parameters:
    ///   - id: the chart's name in the catalogue. A file with several categories becomes one chart for each, such as
    ///     `top10.films-english`.
    ///   - category: the only category to import, under `id` itself.
    ///   - country: the country to import from a file with many, by name or two-letter code.
    ///   - date: the date of a file that has none.
    /// - Returns: the outcome of the rows.
    /// - Throws: when the file can't be read or the store can't write.
    package func chart(
        file: String, id: String, category: String? = nil, country: String? = nil, date: CalendarDate? = nil
    ) throws(ImportError) -> ImportReport {
        let id = id.composed
        if let refusal = CatalogueBounds.refusal(of: id, "a chart's name", limit: ChartDays.idBytes) {
            throw ImportError(.malformed, "'\(Field.shown(id))': \(refusal)")
        }
        let source = try self.source(file)
        let format = try ChartFormat(of: source)
        if format == .mostPopular, date == nil {
            throw ImportError(.malformed, "\(source.name) has no date of its own: give one with --date")
        }
        if format == .weeklyByCountry, country == nil {
            throw ImportError(
                .malformed, "\(source.name) has the charts of many countries: name one, such as --country KR")
        }
        if format != .weeklyByCountry, country != nil {
            throw ImportError(.malformed, "\(source.name) has no countries, so --country can't be used with it")
        }
        let (titles, shown) = try readCatalogue()
        var days = ChartDays(
            id: id, category: category, country: country,
            batch: ImportBatch(self, file: source.name, report: ImportReport()))
        if format == .dailyTopTen {
            try readDaily(source, titles, into: &days)
        } else {
            try readRows(source, format, date, titles, into: &days)
        }
        if !days.earliest.isEmpty { try putPresetTypes() }
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
        for (chart, step) in days.earliest.sorted(by: { $0.key < $1.key })
        where !shown.contains(PresetCatalogue.chart(chart)) {
            try show(chart, step, of: source)
        }
        return days.batch.report
    }

    private func readRows(
        _ source: ImportSource, _ format: ChartFormat, _ date: CalendarDate?, _ titles: ChartTitles,
        into days: inout ChartDays
    ) throws(ImportError) {
        let table = CSVTable(
            source: source, columns: format.columns, optionalColumns: format.optionalColumns,
            dialect: format.dialect(of: source))
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
        var titles = ChartTitles(try presetTypes())
        var shown: Set<String> = []
        do throws(StoreError) {
            _ = try store.snapshot { change in
                switch change {
                case .put(let id, .bytes(let bytes)): titles.add(id, bytes)
                case .show(let list, _): shown.insert(list)
                default: break
                }
            }
        } catch {
            throw ImportError(.store, "the catalogue can't be read: \(error)", storeError: error)
        }
        return (titles, shown)
    }

    private func show(_ chart: String, _ step: ChartStep, of source: ImportSource) throws(ImportError) {
        let change = Change.show(chart: chart, step)
        do throws(StoreError) {
            _ = try store.write([.catalogue(key: nil, changes: [change], mutation: nil)])
        } catch {
            throw ImportError(.store, "the chart can't be shown: \(error)", storeError: error)
        }
        _ = try keep(ImportedRow(file: source.name, line: nil, rows: 0, changes: [change], isNew: true))
    }
}
