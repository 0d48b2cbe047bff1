/// How the fields of a table are written.
package struct TableDialect: Hashable, Sendable {
    package static let comma = UInt8(ascii: ",")
    package static let tab = UInt8(ascii: "\t")
    package static let doubleQuote = UInt8(ascii: "\"")
    package static let backslash = UInt8(ascii: "\\")

    /// The separator between two fields.
    package var separator: UInt8
    /// The quote around a field that has separators, line breaks or quotes in it; `nil` where every line is a row and
    /// every character stands for itself.
    package var quote: UInt8?
    /// Whether a backslash begins an escape, as PostgreSQL's `COPY` and MySQL's `OUTFILE` write them: `\t`, `\n`, `\\`,
    /// and `\N` for nothing. Only for tables without quotes.
    package var hasEscapes = false
    /// Lines before the one that names the columns.
    package var skippedLines = 0

    package init(separator: UInt8 = TableDialect.comma, quote: UInt8? = TableDialect.doubleQuote) {
        self.separator = separator
        self.quote = quote
    }

    /// The separator that the first line of a table declares, as Excel writes it: `sep=;`.
    static func declaredSeparator(in line: String) -> UInt8? {
        var text = Substring(line)
        if text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 2 { text = text.dropFirst().dropLast() }
        guard text.utf8.count == 5, text.prefix(4).lowercased() == "sep=", let byte = text.utf8.last,
            byte != doubleQuote
        else { return nil }
        return byte
    }

    /// This dialect, or the one that a table declares in its first line.
    /// - Parameter isGiven: whether the separator has precedence over a declared one.
    func declared(by source: ImportSource, separatorIsGiven isGiven: Bool = false) -> TableDialect {
        guard let separator = TableDialect.declaredSeparator(in: source.firstLine()) else { return self }
        var dialect = self
        if !isGiven { dialect.separator = separator }
        dialect.skippedLines = max(1, skippedLines)
        return dialect
    }

    /// Hands out every row of a table in order, the one that names the columns first. Empty lines don't count as rows.
    func read(_ source: ImportSource, _ row: (CSVRow) throws(ImportError) -> Void) throws(ImportError) {
        if quote == nil {
            try PlainRows(source: source, dialect: self).read(row)
        } else {
            try CSVReader(source, dialect: self).read(row)
        }
    }
}
