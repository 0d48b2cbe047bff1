import MarqueeModel
import MarqueeStore

/// Cuts the rows of a file into charts and their days.
struct ChartDays {
    /// Bytes of a chart's name, with room for a category.
    static let idBytes = CatalogueBounds.identifier - 64

    let id: String
    /// The only category that is wanted.
    let category: String?
    var batch: ImportBatch
    /// The first day of each chart of the file.
    private(set) var earliest: [String: ChartStep] = [:]
    /// Met in the file, wanted or not.
    private(set) var categories: Set<String> = []
    /// The day in progress of each chart.
    private var current: [String: ChartDayBuilder] = [:]
    private var finished: [ChartDayBuilder] = []
    private var namesakes = Namesakes()
    private var begun: [String: Set<ChartStep>] = [:]

    init(id: String, category: String?, batch: ImportBatch) {
        self.id = id
        self.category = category
        self.batch = batch
    }

    /// - Parameter line: names the row; `nil` in a file that is not read by lines.
    mutating func add(_ row: ChartRow, line: Int?) throws(BadRow) {
        var chart = id
        if let name = row.category {
            categories.insert(name)
            if let category {
                guard name == category else { return }
            } else {
                chart = "\(id).\(ChartDays.slug(name))"
            }
        }
        if var day = current[chart], day.step == row.step {
            try day.add(row)
            current[chart] = day
            return
        }
        guard !begun[chart, default: []].contains(row.step) else {
            throw BadRow("the rows of \(row.step) are not together; the day ended further up")
        }
        var day = ChartDayBuilder(chart: chart, step: row.step, line: line)
        try day.add(row)
        begun[chart, default: []].insert(row.step)
        if let ended = current.updateValue(day, forKey: chart) { finished.append(ended) }
        earliest[chart] = min(earliest[chart] ?? row.step, row.step)
    }

    /// Hands finished days to the batch.
    mutating func flushFinished() throws(ImportError) {
        for day in finished { try batch.add([.chartDay(day.day(&namesakes))], line: day.line, rows: day.rowCount) }
        finished.removeAll()
    }

    mutating func finish() throws(ImportError) {
        finished += current.values.sorted { $0.chart < $1.chart }
        current = [:]
        try flushFinished()
        try batch.flush()
    }

    /// `Films (Non-English)` becomes `films-non-english`.
    private static func slug(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        return String(words.joined(separator: "-").prefix(32))
    }
}
