internal import MarqueeModel

/// Reads a JSON document (RFC 8259), and refuses input that other readers accept: a name used twice in an object, half
/// of a surrogate pair, text that isn't UTF-8.
///
/// Foundation's reader drops one of two members with the same name and turns numbers into doubles; a record must lose
/// neither members nor digits.
struct JSONReader {
    /// Maximum depth of nested values, which is more than the deepest record needs.
    static let depth = 32
    /// Maximum number of values in a document: in memory, a short value takes many times its bytes.
    static let values = 4_000_000

    private let bytes: [UInt8]
    private var index = 0
    private var valuesLeft = JSONReader.values

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func read(_ bytes: [UInt8], atMost limit: Int) throws(RecordError) -> JSONValue {
        guard bytes.count <= limit else {
            throw RecordError("a document of \(bytes.count) bytes; at most \(limit) are allowed")
        }
        var reader = JSONReader(bytes)
        reader.skipSpace()
        let value = try reader.value(depth: 1)
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.fault("something follows the document") }
        return value
    }

    static func forEachElement(
        of bytes: [UInt8], _ body: (JSONValue) throws(RecordError) -> Void
    ) throws(RecordError) {
        var reader = JSONReader(bytes)
        reader.skipSpace()
        guard reader.take("[") else { throw reader.fault("a list is expected") }
        reader.skipSpace()
        var isFirst = true
        while !reader.take("]") {
            guard isFirst || reader.take(",") else { throw reader.fault("',' or ']' is expected") }
            isFirst = false
            reader.skipSpace()
            reader.valuesLeft = JSONReader.values
            try body(try reader.value(depth: 1))
            reader.skipSpace()
        }
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.fault("something follows the document") }
    }

    private mutating func value(depth: Int) throws(RecordError) -> JSONValue {
        guard depth <= JSONReader.depth else {
            throw fault("values are nested more than \(JSONReader.depth) deep")
        }
        guard valuesLeft > 0 else { throw fault("it has more than \(JSONReader.values) values") }
        valuesLeft -= 1
        guard index < bytes.count else { throw fault("the document ends early") }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw fault("a value is expected")
        }
    }

    private mutating func object(depth: Int) throws(RecordError) -> JSONValue {
        index += 1
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        skipSpace()
        if take("}") { return .object([]) }
        while true {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw fault("a name is expected") }
            let name = try text()
            guard names.insert(name).inserted else {
                throw fault("the name '\(name.prefix(RecordLimits.shownCharacters))' occurs twice in an object")
            }
            skipSpace()
            guard take(":") else { throw fault("':' is expected") }
            skipSpace()
            members.append(JSONValue.Member(name: name, value: try value(depth: depth + 1)))
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { throw fault("',' or '}' is expected") }
        }
    }

    private mutating func list(depth: Int) throws(RecordError) -> JSONValue {
        index += 1
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return .list([]) }
        while true {
            skipSpace()
            values.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return .list(values) }
            guard take(",") else { throw fault("',' or ']' is expected") }
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(RecordError) -> JSONValue {
        let length = word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { bytes[index...].prefix(length).elementsEqual($0) }
        guard matches else { throw fault("a value is expected") }
        index += length
        return value
    }

    // MARK: - Numbers

    private mutating func number() throws(RecordError) -> String {
        let start = index
        _ = take("-")
        if !take("0"), digits() == 0 { throw fault("a digit is expected") }
        if take("."), digits() == 0 { throw fault("a digit is expected") }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if digits() == 0 { throw fault("a digit is expected") }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = index
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
        return index - start
    }

    // MARK: - Texts

    private mutating func text() throws(RecordError) -> String {
        index += 1
        let start = index
        // Most texts have no escapes, and are copied in one piece.
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\"),
            bytes[index] >= 0x20
        { index += 1 }
        var content = bytes[start..<index]
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] >= 0x20 else { throw fault("a text contains a control character") }
            if bytes[index] == UInt8(ascii: "\\") {
                content.append(contentsOf: try escape())
            } else {
                content.append(bytes[index])
                index += 1
            }
        }
        guard take("\"") else { throw fault("a text ends early") }
        guard let text = String(validating: content, as: UTF8.self) else { throw fault("a text is not UTF-8") }
        return text
    }

    private mutating func escape() throws(RecordError) -> [UInt8] {
        index += 1
        guard index < bytes.count else { throw fault("a text ends early") }
        let letter = bytes[index]
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"):
            var code = try fourDigits()
            if (0xD800..<0xDC00).contains(code), take("\\") {
                guard take("u") else { throw fault("half of a surrogate pair stands alone") }
                let low = try fourDigits()
                guard (0xDC00..<0xE000).contains(low) else { throw fault("half of a surrogate pair stands alone") }
                code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = UnicodeScalar(code) else { throw fault("half of a surrogate pair stands alone") }
            return Array(String(Character(scalar)).utf8)
        default: throw fault("a text contains an unknown escape")
        }
    }

    private mutating func fourDigits() throws(RecordError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count, let digit = Character(UnicodeScalar(bytes[index])).hexDigitValue,
                bytes[index] < 0x80
            else { throw fault("four hexadecimal digits are expected after \\u") }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    // MARK: - Bytes

    private mutating func take(_ scalar: UnicodeScalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private func fault(_ reason: String) -> RecordError {
        let before = bytes[..<min(index, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return RecordError("this is not JSON: \(reason) (line \(line), column \(column))")
    }
}
