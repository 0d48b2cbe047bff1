import MarqueeModel
import MarqueeStore

/// Puts the rows of one list of a chart together.
struct ChartDayBuilder {
    let chart: String
    let step: ChartStep
    /// Of the row that came first; `nil` in a file that is not read by lines.
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
        // Judged alone, so that one wrong row does not take its day with it.
        let alone = Change.chartDay(ChartDay(chart: chart, date: step.date, entries: [row.entry]))
        if let reason = CatalogueBounds.refusal(of: alone) { throw BadRow(reason) }
        guard keys.insert(row.entry.key).inserted || row.hasNameOnly else {
            throw BadRow("'\(Field.shown(row.entry.key))' is in the chart of \(step) already")
        }
        rows.append(row)
    }

    /// The list in order of rank; among equal ranks the key decides. An entry says its rank where that is not its
    /// place, as with a rank that several share, or behind one that is missing.
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
