import CCSV
import Foundation
import MarqueeCatalogue

/// One row of a table.
struct CSVRow {
    /// The line on which the row begins, from 1.
    var line: Int
    /// Lines that the row spans: more than one if a quoted field has line breaks.
    var lines = 1
    /// Why the row can't be used, or `nil`; a flawed row has no fields.
    var flaw: BadRow?
    var fields: [String]
}

/// Streams the rows of a CSV file (RFC 4180) through libcsv. Quoted fields may contain line breaks, commas and doubled
/// quotes.
final class CSVReader {
    /// The most bytes of a row. A longer row has most likely lost a closing quote.
    static let rowBytes = 16 << 20
    /// The most fields of a row.
    static let fieldsPerRow = 1_024

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let source: ImportSource
    private let rowLimit: Int
    /// Owned by the reader; libcsv keeps its partial field here.
    private let parser: UnsafeMutablePointer<csv_parser>
    private let pending = PendingRow()
    /// The line of the next byte.
    private var line = 1
    /// The line on which the current row began.
    private var rowLine = 1
    private var bytesInRow = 0
    private var isAtStart = true
    private var isAfterReturn = false
    private var linesToSkip: Int

    /// - Parameter dialect: one with quotes.
    init(
        _ source: ImportSource, dialect: TableDialect = TableDialect(), rowLimit: Int = CSVReader.rowBytes
    ) throws(ImportError) {
        self.source = source
        linesToSkip = dialect.skippedLines
        self.rowLimit = rowLimit
        self.parser = .allocate(capacity: 1)
        guard csv_init(parser, 0) == 0 else {
            parser.deallocate()
            throw ImportError(.malformed, "\(source.name) can't be read: libcsv does not start")
        }
        // By default libcsv strips the spaces around a field.
        csv_set_space_func(parser) { _ in 0 }
        csv_set_delim(parser, dialect.separator)
        if let quote = dialect.quote { csv_set_quote(parser, quote) }
    }

    deinit {
        csv_free(parser)
        parser.deallocate()
    }

    /// Hands out every row in order. Empty lines don't count as rows.
    func read(_ row: (CSVRow) throws(ImportError) -> Void) throws(ImportError) {
        while try source.next({ (chunk) throws(ImportError) in try self.parse(chunk, row) }) {}
        // Strict only from here on, as a row with a stray quote inside is readable.
        csv_set_opts(parser, UInt8(CSV_STRICT | CSV_STRICT_FINI))
        let context = Unmanaged.passUnretained(pending).toOpaque()
        guard csv_fini(parser, CSVReader.field, CSVReader.endOfRow, context) == 0 else {
            throw ImportError(
                .malformed,
                "\(source.name):\(rowLine): a quote that is opened in this row is never closed, so the \(line - rowLine) "
                    + "lines from here to the end of the file can't be told apart")
        }
        try handOut(row)
    }

    private func parse(
        _ chunk: UnsafeBufferPointer<UInt8>, _ row: (CSVRow) throws(ImportError) -> Void
    ) throws(ImportError) {
        var rest = chunk[...]
        if isAtStart {
            if rest.starts(with: CSVReader.byteOrderMark) { rest = rest.dropFirst(CSVReader.byteOrderMark.count) }
            isAtStart = false
        }
        // Parse line by line, so that the line of every row is known.
        while !rest.isEmpty {
            let segment = UnsafeBufferPointer(rebasing: rest[..<CSVReader.endOfLine(in: rest)])
            rest = rest[(rest.startIndex + segment.count)...]
            if linesToSkip == 0 {
                try parse(segment: segment)
                try handOut(row)
            }
            countLine(segment)
            if parser.pointee.pstate == 0 {
                rowLine = line
                bytesInRow = 0
            }
        }
    }

    /// Where the first line ends: after CR, LF or both, or where the bytes end.
    private static func endOfLine(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let whole = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes))
        guard let base = whole.baseAddress else { return bytes.endIndex }
        let line = memchr(base, Int32(newline), whole.count).map { UnsafeRawPointer($0) - base } ?? whole.count
        let offset = memchr(base, Int32(carriageReturn), line).map { UnsafeRawPointer($0) - base } ?? line
        guard offset < whole.count else { return bytes.endIndex }
        let end = bytes.startIndex + offset
        let next = end + 1
        return bytes[end] == carriageReturn && next < bytes.endIndex && bytes[next] == newline ? next + 1 : next
    }

    private func countLine(_ segment: UnsafeBufferPointer<UInt8>) {
        // Both halves of a line end may come in two chunks.
        let isRest = isAfterReturn && segment.count == 1 && segment.first == CSVReader.newline
        isAfterReturn = segment.last == CSVReader.carriageReturn
        guard !isRest, segment.last == CSVReader.newline || isAfterReturn else { return }
        line += 1
        if linesToSkip > 0 { linesToSkip -= 1 }
    }

    private func parse(segment: UnsafeBufferPointer<UInt8>) throws(ImportError) {
        bytesInRow += segment.count
        guard bytesInRow <= rowLimit else {
            throw ImportError(
                .malformed,
                "\(source.name):\(rowLine): the row that begins here is longer than \(rowLimit) bytes; "
                    + "is a closing quote missing?")
        }
        let context = Unmanaged.passUnretained(pending).toOpaque()
        let taken = csv_parse(parser, segment.baseAddress, segment.count, CSVReader.field, CSVReader.endOfRow, context)
        guard taken == segment.count else {
            let reason = csv_strerror(csv_error(parser)).map { String(cString: $0) } ?? "unknown"
            throw ImportError(.malformed, "\(source.name):\(line): libcsv: \(reason)")
        }
    }

    private func handOut(_ row: (CSVRow) throws(ImportError) -> Void) throws(ImportError) {
        guard !pending.rows.isEmpty else { return }
        for finished in pending.takeRows() {
            try row(
                CSVRow(
                    line: rowLine, lines: line - rowLine + 1, flaw: finished.flaw,
                    fields: finished.fields))
        }
    }

    private static let field: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Void = {
        bytes, count, context in
        guard let context else { return }
        Unmanaged<PendingRow>.fromOpaque(context).takeUnretainedValue()
            .append(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private static let endOfRow: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void = { _, context in
        guard let context else { return }
        Unmanaged<PendingRow>.fromOpaque(context).takeUnretainedValue().endRow()
    }
}

/// The rows that libcsv's callbacks report. C can't carry Swift's errors, so rows are collected and handed out
/// afterwards.
private final class PendingRow {
    private(set) var rows: [(flaw: BadRow?, fields: [String])] = []
    private var fields: [String] = []
    private var flaw: BadRow?

    func append(_ bytes: UnsafeRawBufferPointer) {
        guard flaw == nil else { return }
        guard fields.count < CSVReader.fieldsPerRow else {
            flaw = BadRow("the row has more than \(CSVReader.fieldsPerRow) fields", cause: .fieldCount)
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            flaw = BadRow("field \(fields.count + 1) is not UTF-8", cause: .encoding)
            return
        }
        fields.append(text.composed)
    }

    func endRow() {
        rows.append((flaw, flaw == nil ? fields : []))
        fields = []
        flaw = nil
    }

    func takeRows() -> [(flaw: BadRow?, fields: [String])] {
        defer { rows.removeAll(keepingCapacity: true) }
        return rows
    }
}
