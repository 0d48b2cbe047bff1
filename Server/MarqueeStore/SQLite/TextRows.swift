/// Lists inside a text column, in the text format of PostgreSQL's COPY: a line per row, tabs between fields, `\N` for
/// an absent field, `\t`, `\n`, `\r` and `\\` for those characters. A person can read it in the `sqlite3` shell, and it
/// is an order of magnitude faster than JSON.
enum TextRows {
    private static let tab = UInt8(ascii: "\t")
    private static let newline = UInt8(ascii: "\n")
    private static let backslash = UInt8(ascii: "\\")

    /// The text is not in this format.
    struct Malformed: Error {}

    /// Builds rows field by field.
    struct Writer {
        private var bytes: [UInt8] = []
        private var inRow = false

        var text: String { String(decoding: bytes, as: UTF8.self) }

        mutating func field(_ text: String?) {
            if inRow { bytes.append(tab) }
            inRow = true
            guard let text else {
                bytes.append(backslash)
                bytes.append(UInt8(ascii: "N"))
                return
            }
            for byte in text.utf8 {
                switch byte {
                case tab: escape("t")
                case newline: escape("n")
                case UInt8(ascii: "\r"): escape("r")
                case backslash: escape("\\")
                default: bytes.append(byte)
                }
            }
        }

        mutating func field(_ number: (some BinaryInteger)?) { field(number.map { String($0) }) }

        /// Reading it back gives exactly the same number.
        mutating func field(_ number: Double?) { field(number.map(\.description)) }

        mutating func endRow() {
            bytes.append(newline)
            inRow = false
        }

        private mutating func escape(_ character: Unicode.Scalar) {
            bytes.append(backslash)
            bytes.append(UInt8(ascii: character))
        }
    }

    /// Splits text into rows.
    /// - Parameter row: receives the fields of each row.
    static func read(_ text: String, fields: Int, row: ([String?]) throws -> Void) throws {
        var text = text
        try text.withUTF8 { bytes in
            var values: [String?] = []
            values.reserveCapacity(fields)
            var start = 0
            var escaped = false
            for index in bytes.indices {
                let byte = bytes[index]
                if byte == backslash { escaped = true }
                guard byte == tab || byte == newline else { continue }
                let field = UnsafeBufferPointer(rebasing: bytes[start..<index])
                values.append(escaped ? try unescape(field) : String(decoding: field, as: UTF8.self))
                start = index + 1
                escaped = false
                if byte == newline {
                    guard values.count == fields else { throw Malformed() }
                    try row(values)
                    values.removeAll(keepingCapacity: true)
                }
            }
            guard start == bytes.count, values.isEmpty else { throw Malformed() }
        }
    }

    private static func unescape(_ bytes: UnsafeBufferPointer<UInt8>) throws -> String? {
        if bytes.elementsEqual([backslash, UInt8(ascii: "N")]) { return nil }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            guard byte == backslash else {
                plain.append(byte)
                continue
            }
            switch iterator.next() {
            case UInt8(ascii: "t"): plain.append(tab)
            case UInt8(ascii: "n"): plain.append(newline)
            case UInt8(ascii: "r"): plain.append(UInt8(ascii: "\r"))
            case backslash: plain.append(backslash)
            default: throw Malformed()
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}

extension Optional where Wrapped == String {
    /// The text of a required field.
    func text() throws -> String {
        guard let self else { throw TextRows.Malformed() }
        return self
    }

    /// The number of a required field.
    func number<Number: FixedWidthInteger>() throws -> Number {
        guard let number = Number(try text()) else { throw TextRows.Malformed() }
        return number
    }

    /// The number of an optional field.
    func optionalNumber<Number: LosslessStringConvertible>() throws -> Number? {
        guard let self else { return nil }
        guard let number = Number(self) else { throw TextRows.Malformed() }
        return number
    }
}
