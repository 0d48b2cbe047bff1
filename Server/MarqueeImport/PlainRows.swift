import MarqueeCatalogue

/// Streams the rows of a table without quotes: every line is a row.
struct PlainRows {
    private static let newline = UInt8(ascii: "\n")
    private static let nothing = Array("\\N".utf8)
    /// Ends the rows of PostgreSQL's `COPY` where they are part of a script.
    private static let end = Array("\\.".utf8)

    let source: ImportSource
    let dialect: TableDialect

    /// Hands out every row in order. Empty lines don't count as rows.
    func read(_ row: (CSVRow) throws(ImportError) -> Void) throws(ImportError) {
        var isEnded = false
        try LineReader(source: source).read { (number, bytes) throws(ImportError) in
            let bytes = number == 1 ? bytes.withoutByteOrderMark : bytes[...]
            guard number > dialect.skippedLines, !bytes.isEmpty, !isEnded else { return }
            if dialect.hasEscapes, bytes.elementsEqual(PlainRows.end) {
                isEnded = true
                return
            }
            try row(self.row(bytes, line: number))
        }
    }

    private func row(_ bytes: ArraySlice<UInt8>, line: Int) -> CSVRow {
        let fields = bytes.split(separator: dialect.separator, omittingEmptySubsequences: false)
        guard fields.count <= CSVReader.fieldsPerRow else {
            let flaw = BadRow("the row has more than \(CSVReader.fieldsPerRow) fields", cause: .fieldCount)
            return CSVRow(line: line, flaw: flaw, fields: [])
        }
        var texts: [String] = []
        for (index, field) in fields.enumerated() {
            let plain = dialect.hasEscapes ? PlainRows.unescaped(field) : field
            guard let text = String(validating: plain, as: UTF8.self) else {
                let flaw = BadRow("field \(index + 1) is not UTF-8", cause: .encoding)
                return CSVRow(line: line, flaw: flaw, fields: [])
            }
            texts.append(text.composed)
        }
        return CSVRow(line: line, fields: texts)
    }

    private static func unescaped(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if field.elementsEqual(nothing) { return [] }
        guard field.contains(TableDialect.backslash) else { return field }
        var plain: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            guard byte == TableDialect.backslash, let letter = rest.popFirst() else {
                plain.append(byte)
                continue
            }
            switch letter {
            case UInt8(ascii: "b"): plain.append(8)
            case UInt8(ascii: "f"): plain.append(12)
            case UInt8(ascii: "n"): plain.append(10)
            case UInt8(ascii: "r"): plain.append(13)
            case UInt8(ascii: "t"): plain.append(9)
            case UInt8(ascii: "v"): plain.append(11)
            case UInt8(ascii: "0")...UInt8(ascii: "7"):
                plain.append(code(radix: 8, letter, upTo: 2, &rest))
            case UInt8(ascii: "x") where rest.first.map { isDigit($0, radix: 16) } ?? false:
                plain.append(code(radix: 16, UInt8(ascii: "0"), upTo: 2, &rest))
            default: plain.append(letter)
            }
        }
        return plain[...]
    }

    /// The byte that digits stand for: the first one, and as many others as follow.
    private static func code(
        radix: Int, _ first: UInt8, upTo count: Int, _ rest: inout ArraySlice<UInt8>
    ) -> UInt8 {
        let digits = rest.prefix(count).prefix { isDigit($0, radix: radix) }
        rest = rest.dropFirst(digits.count)
        let text = String(decoding: [first] + digits, as: UTF8.self)
        return UInt8(truncatingIfNeeded: Int(text, radix: radix) ?? 0)
    }

    private static func isDigit(_ byte: UInt8, radix: Int) -> Bool {
        Int(String(Unicode.Scalar(byte)), radix: radix) != nil
    }
}

extension [UInt8] {
    /// The bytes without the mark that UTF-8 text may begin with.
    var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}
