package import MarqueeModel

/// The outcome of the rows of an import.
package struct ImportReport: Hashable, Sendable {
    /// A row that was left out, or a part of a row that was.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package var file: String
        /// From 1. A row that spans lines is named by its first line. `nil` for a file that is not read by lines; the
        /// reason then says where.
        package var line: Int?
        package var reason: String

        package init(file: String, line: Int?, reason: String) {
            self.file = file
            self.line = line
            self.reason = reason
        }

        package var description: String { line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)" }
    }

    /// Problems reported in detail; further ones are only counted.
    package static let detailedProblems = 20

    /// Rows read, not counting the header. A row is imported, repeated, unchanged or bad.
    package private(set) var rows = 0
    /// Rows that changed the catalogue.
    package private(set) var imported = 0
    /// Rows that replaced what an earlier row of the file put, and so aren't further records.
    package private(set) var repeated = 0
    /// Records that were removed because the file doesn't have them.
    package private(set) var removed = 0
    /// Records among `imported`, by type.
    private var records: [String: Int] = [:]
    /// Rows that the catalogue already held.
    package private(set) var unchanged = 0
    /// Rows that were left out.
    package private(set) var bad = 0
    /// The first `detailedProblems` bad rows, by file and line.
    package private(set) var problems: [Problem] = []
    /// Parts left out of rows that were kept: the first `detailedProblems`, in the order of the file.
    package private(set) var notes: [Problem] = []
    /// The number of all notes, including those only counted.
    package private(set) var noteCount = 0
    /// Bad rows by shared cause.
    private var causes: [BadRow.Cause: Int] = [:]
    /// The files in the order in which they were first seen.
    private var files: [String] = []

    package init() {}

    mutating func count(_ row: ImportedRow) {
        rows += row.rows
        count(row, by: 1)
    }

    /// Adds or takes back a good row.
    private mutating func count(_ row: ImportedRow, by step: Int) {
        if row.isRemoval {
            if row.isNew { removed += step }
        } else if row.isRepeat {
            repeated += step * row.rows
        } else if row.isNew {
            imported += step * row.rows
            for type in row.types { records[type, default: 0] += step }
        } else {
            unchanged += step * row.rows
        }
    }

    /// Counts rows that hold no records.
    mutating func count(rows: Int, changed: Bool) {
        self.rows += rows
        if changed { imported += rows } else { unchanged += rows }
    }

    /// Records that were imported, of each type that has any.
    package var recordCounts: [RecordCount] {
        records.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { RecordCount(type: $0.key, count: UInt64(clamping: $0.value)) }
    }

    mutating func add(_ problem: Problem, rows: Int = 1, cause: BadRow.Cause? = nil) {
        self.rows += rows
        bad += rows
        if let cause { causes[cause, default: 0] += rows }
        if !files.contains(problem.file) { files.append(problem.file) }
        // The store's refusals become known after the unreadable rows.
        let place = self.place(of: problem)
        let index = problems.firstIndex { self.place(of: $0) > place } ?? problems.endIndex
        problems.insert(problem, at: index)
        if problems.count > ImportReport.detailedProblems { problems.removeLast() }
    }

    /// Turns rows counted as good into bad ones, because the import's destination refused them.
    package mutating func refuse(_ row: ImportedRow, _ reason: String) {
        rows -= row.rows
        count(row, by: -1)
        add(Problem(file: row.file, line: row.line, reason: reason), rows: row.rows)
    }

    /// Turns rows counted as new into unchanged ones.
    package mutating func foundUnchanged(_ row: ImportedRow) {
        guard row.isNew else { return }
        count(row, by: -1)
        var row = row
        row.isNew = false
        count(row, by: 1)
    }

    mutating func note(_ note: Problem) {
        noteCount += 1
        if notes.count < ImportReport.detailedProblems { notes.append(note) }
    }

    /// Adds the outcome of other rows.
    package mutating func add(_ other: ImportReport) {
        rows += other.rows
        imported += other.imported
        repeated += other.repeated
        removed += other.removed
        unchanged += other.unchanged
        bad += other.bad
        records.merge(other.records) { $0 + $1 }
        causes.merge(other.causes) { $0 + $1 }
        files += other.files.filter { !files.contains($0) }
        problems = Array((problems + other.problems).prefix(ImportReport.detailedProblems))
        notes = Array((notes + other.notes).prefix(ImportReport.detailedProblems))
        noteCount += other.noteCount
    }

    private func place(of problem: Problem) -> (file: Int, line: Int) {
        (files.firstIndex(of: problem.file) ?? 0, problem.line ?? 0)
    }

    /// Why an import with this result is discarded; `nil` if it is kept.
    package func refusal(_ tolerance: ImportTolerance) -> String? {
        guard rows > 0 else { return "it has no rows" }
        guard imported + unchanged > 0 else { return "no row can be used\(guess)" }
        guard !tolerance.allows(bad: bad, of: rows) else { return nil }
        let limit =
            switch tolerance {
            case .rows(0): "and none is allowed"
            case .rows(let limit): "and \(limit) are allowed"
            case .percent(let percent):
                "where \(percent == percent.rounded() ? "\(Int(percent))" : "\(percent)") % are allowed"
            }
        return "\(bad) of \(rows) rows can't be used, \(limit)\(guess)"
    }

    /// A guess at the fault of the file as a whole.
    private var guess: String {
        guard let (cause, count) = causes.max(by: { $0.value < $1.value }), count * 2 > bad else { return "" }
        switch cause {
        case .encoding:
            return ". Most of them are not UTF-8 text: name the file's encoding, such as --encoding cp949 or euc-kr "
                + "(Korean) or latin1 (Western European)"
        case .fieldCount:
            return ". Most of them have a different number of fields than the first line: is a quote missing, or the "
                + "separator a different one?"
        case .noID:
            return ". Most of them have no id: name its column with --id, or several columns that form it together"
        case .value(let place): return ". Most of them fail at \(place)"
        }
    }
}

/// How far an import has got.
package struct ImportProgress: Hashable, Sendable {
    /// The path as it was given.
    package var file: String
    /// Rows of this file read so far.
    package var rows: Int
    /// Bytes of the file on disk read so far.
    package var bytesRead: Int
    /// Bytes of the file on disk; 0 if unknown.
    package var bytesTotal: Int

    package init(file: String, rows: Int, bytesRead: Int, bytesTotal: Int) {
        self.file = file
        self.rows = rows
        self.bytesRead = bytesRead
        self.bytesTotal = bytesTotal
    }
}
