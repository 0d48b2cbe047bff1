import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore

/// Collects the rows of one list of a chart.
struct ChartDayBuilder {
    let chart: String
    let step: ChartStep
    /// The line of the row that came first; `nil` for a file that is not read by lines.
    let line: Int?
    private var rows: [ChartRow] = []
    private var keys = Set<String>()

    init(chart: String, step: ChartStep, line: Int?) {
        self.chart = chart
        self.step = step
        self.line = line
    }

    var rowCount: Int { rows.count }

    mutating func add(_ row: ChartRow) throws(BadRow) {
        // Check the row by itself, so that a bad row doesn't spoil its whole day.
        if let reason = row.entry.fault { throw BadRow(reason) }
        if let reason = CatalogueBounds.refusal(
            of: ChartDay(chart: chart, date: step.date, entries: [row.entry]).change)
        {
            throw BadRow(reason)
        }
        guard keys.insert(row.entry.key).inserted || row.hasNameOnly else {
            throw BadRow("'\(Field.shown(row.entry.key))' is in the chart of \(step) already")
        }
        rows.append(row)
    }

    /// The list in order of rank; ties are ordered by key. An entry states its rank if that differs from its place, as
    /// for a shared rank or one after a gap.
    ///
    /// - Parameter namesakes: has seen the chart's earlier lists.
    func day(_ namesakes: inout Namesakes) -> ChartDay {
        var rows = rows
        let named = Dictionary(grouping: rows.indices.filter { rows[$0].hasNameOnly }) { rows[$0].entry.key }
        for (name, indices) in named {
            let keys = namesakes.keys(of: name, totals: indices.map { rows[$0].entry.audienceToDate ?? 0 })
            for (index, key) in zip(indices, keys) { rows[index].entry.key = key }
        }
        rows.sort { ($0.rank, $0.entry.key) < ($1.rank, $1.entry.key) }
        for index in rows.indices where rows[index].rank != UInt32(clamping: index + 1) {
            rows[index].entry.rank = rows[index].rank
        }
        return ChartDay(chart: chart, date: step.date, time: step.time, entries: rows.map(\.entry))
    }
}
