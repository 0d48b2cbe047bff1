import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore

/// Sorts the rows of a file into charts and their lists, whatever order the rows come in.
struct ChartDays {
    /// The most bytes of a chart's name, leaving room for a category.
    static let idBytes = CatalogueBounds.identifier - 64
    /// The most rows of a file: they are held in memory until the file ends.
    static let maximumRows = 2_000_000

    let id: String
    /// The category to import; `nil` for all of them.
    let category: String?
    /// The country to import, by its name or code.
    let country: String?
    var batch: ImportBatch
    /// The earliest list of each chart in the file.
    private(set) var earliest: [String: ChartStep] = [:]
    /// The categories in the file, imported or not.
    private(set) var categories: Set<String> = []
    private(set) var countries: Set<String> = []
    private var lists: [String: [ChartStep: ChartDayBuilder]] = [:]
    private var rows = 0

    init(id: String, category: String?, country: String?, batch: ImportBatch) {
        self.id = id
        self.category = category
        self.country = country
        self.batch = batch
    }

    /// - Parameter line: identifies the row; `nil` for a file that is not read by lines.
    mutating func add(_ row: ChartRow, line: Int?) throws(BadRow) {
        if let place = row.country {
            countries.insert(place.description)
            guard let country, place.isNamed(country) else { return }
        }
        var chart = id
        if let name = row.category {
            categories.insert(name)
            if let category {
                guard name == category else { return }
            } else {
                chart = "\(id).\(ChartDays.slug(name))"
            }
        }
        guard rows < ChartDays.maximumRows else {
            throw BadRow("a file has at most \(ChartDays.maximumRows) rows of charts; split it")
        }
        var list = lists[chart]?[row.step] ?? ChartDayBuilder(chart: chart, step: row.step, line: line)
        // Release the dictionary's reference, or adding would copy all rows.
        lists[chart]?[row.step] = nil
        defer { if list.rowCount > 0 { lists[chart, default: [:]][row.step] = list } }
        try list.add(row)
        rows += 1
        earliest[chart] = min(earliest[chart] ?? row.step, row.step)
    }

    /// Hands the lists to the batch, in chronological order within each chart.
    mutating func finish() throws(ImportError) {
        for (_, steps) in lists.sorted(by: { $0.key < $1.key }) {
            var namesakes = Namesakes()
            for (_, list) in steps.sorted(by: { $0.key < $1.key }) {
                try batch.add([list.day(&namesakes).change], line: list.line, rows: list.rowCount)
            }
        }
        lists = [:]
        try batch.flush()
    }

    /// `Films (Non-English)` becomes `films-non-english`.
    private static func slug(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        return String(words.joined(separator: "-").prefix(32))
    }
}
