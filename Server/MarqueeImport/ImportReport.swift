/// What became of the rows of an import.
package struct ImportReport: Hashable, Sendable {
    /// A row that was left out, or something of a row that was.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package var file: String
        /// From 1. A row with line breaks inside is named by its first line. `nil` in a file that is not read by lines;
        /// then the reason says where.
        package var line: Int?
        package var reason: String

        package init(file: String, line: Int?, reason: String) {
            self.file = file
            self.line = line
            self.reason = reason
        }

        package var description: String { line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)" }
    }

    /// Problems told in detail; more are only counted.
    package static let detailedProblems = 20

    /// Rows read, without the one that names the columns. A row is imported, unchanged or bad.
    package private(set) var rows = 0
    /// Rows that changed the catalogue.
    package private(set) var imported = 0
    /// Rows that the catalogue already held.
    package private(set) var unchanged = 0
    /// Rows that were left out.
    package private(set) var bad = 0
    /// The first `detailedProblems` bad rows, by file and line.
    package private(set) var problems: [Problem] = []
    /// What was left out of rows that were kept: the first `detailedProblems`, in the order of the file.
    package private(set) var notes: [Problem] = []
    /// All of `notes`, and those that are only counted.
    package private(set) var noteCount = 0
    /// Bad rows by what they have in common.
    private var causes: [BadRow.Cause: Int] = [:]
    /// In the order in which they were met.
    private var files: [String] = []

    package init() {}

    mutating func count(rows: Int, changed: Bool) {
        self.rows += rows
        if changed { imported += rows } else { unchanged += rows }
    }

    mutating func add(_ problem: Problem, rows: Int = 1, cause: BadRow.Cause? = nil) {
        self.rows += rows
        bad += rows
        if let cause { causes[cause, default: 0] += rows }
        if !files.contains(problem.file) { files.append(problem.file) }
        // What the store refuses is known later than what can't be read.
        let place = self.place(of: problem)
        let index = problems.firstIndex { self.place(of: $0) > place } ?? problems.endIndex
        problems.insert(problem, at: index)
        if problems.count > ImportReport.detailedProblems { problems.removeLast() }
    }

    mutating func note(_ note: Problem) {
        noteCount += 1
        if notes.count < ImportReport.detailedProblems { notes.append(note) }
    }

    private func place(of problem: Problem) -> (file: Int, line: Int) {
        (files.firstIndex(of: problem.file) ?? 0, problem.line ?? 0)
    }

    /// Why an import with this result is not kept; `nil` when it is.
    package func refusal(_ tolerance: ImportTolerance) -> String? {
        guard rows > 0 else { return "there is no row in it" }
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

    /// What is probably wrong with the file as a whole.
    private var guess: String {
        guard let (cause, count) = causes.max(by: { $0.value < $1.value }), count * 2 > bad else { return "" }
        switch cause {
        case .encoding:
            return ". Most of them are no UTF-8 text: name the file's encoding, such as --encoding cp949 or euc-kr "
                + "(Korean) or latin1 (Western European)"
        case .fieldCount:
            return ". Most of them have another number of fields than the first line: is a quote missing, or another "
                + "separator used?"
        }
    }
}

/// How far an import is.
package struct ImportProgress: Hashable, Sendable {
    /// The path as it was given.
    package var file: String
    /// Rows of this file that were read.
    package var rows: Int
    /// Bytes of the file, as it lies on disk, that were read.
    package var bytesRead: Int
    /// Bytes of the file; 0 when not known.
    package var bytesTotal: Int

    package init(file: String, rows: Int, bytesRead: Int, bytesTotal: Int) {
        self.file = file
        self.rows = rows
        self.bytesRead = bytesRead
        self.bytesTotal = bytesTotal
    }
}
