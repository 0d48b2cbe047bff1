/// What became of the rows of an import.
package struct ImportReport: Hashable, Sendable {
    /// A row that was left out.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package var file: String
        /// From 1. A row with line breaks inside is named by its first line. `nil` in a file that is not read by lines; then the reason says where.
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
    /// The first `detailedProblems` bad rows, in the order in which they were met.
    package private(set) var problems: [Problem] = []

    package init() {}

    mutating func count(rows: Int, changed: Bool) {
        self.rows += rows
        if changed { imported += rows } else { unchanged += rows }
    }

    mutating func add(_ problem: Problem, rows: Int = 1) {
        self.rows += rows
        bad += rows
        if problems.count < ImportReport.detailedProblems { problems.append(problem) }
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
