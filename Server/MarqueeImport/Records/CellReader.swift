import MarqueeModel
import MarqueeTypes

/// Turns the text of a cell into the JSON that a field takes. Anything ambiguous is refused rather than guessed.
struct CellReader {
    /// The most names of an enum that a message lists.
    private static let listedNames = 12

    let path: FieldPath
    /// The separator between the values of a list in one cell.
    var separator: String?
    /// How times are written, if not as `WrittenTime` reads them.
    var times: TimeFormat?
    /// The zone of times without one.
    var zone: ImportZone?
    /// How numbers are written in texts.
    var decimal = DecimalMark.point
    /// Texts and numbers that count as no value.
    var unknowns: Set<String> = []

    /// Whether the path leads to an entry of a map.
    private var isEntry: Bool { path.text.hasSuffix("]") }

    /// Whether a cell's text alone decides about a scalar at the top of the record.
    var isPlain: Bool {
        guard separator == nil, times == nil, unknowns.isEmpty, path.text == path.field.name, path.field.isSingle,
            path.field.oneof == nil, case .scalar = path.target
        else { return false }
        return true
    }

    /// - Returns: `nil` for a cell without a value.
    func value(_ cell: JSONValue) throws(BadRow) -> JSONValue? {
        if cell == .null || isUnknown(cell) { return nil }
        switch path.field.cardinality {
        case .single: return try element(cell)
        case .map:
            if isEntry { return try element(cell) }
            let value = try ColumnPath.parsed(cell)
            guard case .object = value else {
                throw BadRow(
                    "'\(path.text)' has a value for each key; say which one this is, such as --map '\(path.text)[en]=COLUMN'"
                )
            }
            return value
        case .repeated: return try list(cell)
        }
    }

    private func isUnknown(_ cell: JSONValue) -> Bool {
        guard !unknowns.isEmpty else { return false }
        switch cell {
        case .text(let text): return unknowns.contains(Field.trimmed(text))
        case .number(let digits): return unknowns.contains(digits)
        default: return false
        }
    }

    private func list(_ cell: JSONValue) throws(BadRow) -> JSONValue {
        var cells: [JSONValue]
        if case .text(let text) = cell, let separator {
            cells = text.split(separator: separator).map { .text(Field.trimmed(String($0))) }
        } else {
            var value = PostgresArray.values(of: cell)
            if value == nil { value = try ColumnPath.parsed(cell) }
            guard case .list(let values)? = value else {
                throw BadRow(
                    "'\(path.text)' is a list, and \(cell.found) is not; say what separates its values, such as "
                        + "--split '\(path.text)=;'")
            }
            cells = values
        }
        var values: [JSONValue] = []
        for cell in cells {
            if cell == .null || cell == .text("") { continue }
            if let value = try element(cell) { values.append(value) }
        }
        return .list(values)
    }

    // MARK: - One value

    private func element(_ cell: JSONValue) throws(BadRow) -> JSONValue? {
        switch path.target {
        case .scalar(.string), .wrapped(.string): return try string(cell)
        case .scalar(.bytes), .wrapped(.bytes): return cell
        default: break
        }
        guard case .text(let text) = cell else {
            if case .number(let digits) = cell { return try number(digits) }
            return cell
        }
        let trimmed = Field.trimmed(text)
        if trimmed.isEmpty { return nil }
        switch path.target {
        case .scalar(.bool), .wrapped(.bool): return .bool(try CellReader.truth(trimmed))
        case .scalar(let type), .wrapped(let type): return try written(trimmed, isWhole: type.isInteger)
        case .enumeration(let type): return try CellReader.name(trimmed, of: type)
        case .timestamp: return try time(trimmed)
        case .duration: return try CellReader.duration(trimmed)
        case .message(let message):
            let value = try ColumnPath.parsed(cell)
            guard case .object = value else {
                throw BadRow(
                    "'\(path.text)' is a message, \(message.fullName); map its fields, such as --map "
                        + "'\(path.text).\(message.fields.first?.name ?? "field")=COLUMN'")
            }
            return value
        }
    }

    private func string(_ cell: JSONValue) throws(BadRow) -> JSONValue {
        switch cell {
        case .text(let text), .number(let text):
            guard times != nil else { return .text(text) }
            if text.isEmpty { return cell }
            // Text that holds a day, to sort by.
            return .text(try written(Field.trimmed(text)).day)
        default: return cell
        }
    }

    /// A JSON number, for a field that isn't text.
    private func number(_ digits: String) throws(BadRow) -> JSONValue {
        switch path.target {
        case .timestamp where times != nil: try time(digits)
        case .scalar(.bool), .wrapped(.bool): .bool(try CellReader.truth(digits))
        default: .number(digits)
        }
    }

    private func written(_ text: String, isWhole: Bool) throws(BadRow) -> JSONValue {
        if let plain = decimal.plain(text) { return try CellReader.number(plain, isWhole: isWhole) }
        if !isWhole, CellReader.notFinite.contains(text) { return .text(text) }
        throw BadRow(
            "'\(Field.shown(text))' is not a \(isWhole ? "whole " : "")number with a decimal comma, such as 1204,5 or "
                + "1.204,5")
    }

    // MARK: - Times

    private func time(_ text: String) throws(BadRow) -> JSONValue {
        // The form in JSON and in most files.
        if times == nil, let time = FieldValue(timestamp: text)?.text { return .text(time) }
        guard let time = try written(text).timestamp else { throw bad(text, .unreadable) }
        return .text(time)
    }

    private func written(_ text: String) throws(BadRow) -> WrittenTime {
        do throws(WrittenTime.Failure) {
            if let times { return try times.time(text) }
            return try WrittenTime(text, zone: zone)
        } catch {
            throw bad(text, error)
        }
    }

    private func bad(_ text: String, _ failure: WrittenTime.Failure) -> BadRow {
        let shown = "'\(Field.shown(text))'"
        switch failure {
        case .unreadable:
            guard let times else {
                return BadRow(
                    "\(shown) is not a time; times are written 2026-11-22T07:10:44Z or 2026-11-22; name any other form, "
                        + "such as --time '\(path.text)=%d/%m/%Y %H:%M'")
            }
            return BadRow("\(shown) is not a time of the form '\(times.text)'")
        case .unknownZone(let name):
            return BadRow(
                "\(ImportZone.refusal(of: name)); or else put the word into the form, such as --time "
                    + "'\(path.text)=%Y-%m-%d %H:%M:%S \(Field.shown(name))', and say --zone")
        case .noZone:
            return BadRow("\(shown) has no zone; say which it is in, such as --zone UTC, +09:00 or Asia/Seoul")
        case .notOnce(let zone):
            return BadRow("the clocks of \(zone.name) skip \(shown) or show it twice; write its offset, such as +01:00")
        }
    }

    private static func duration(_ text: String) throws(BadRow) -> JSONValue {
        guard text.last == "s" else {
            throw BadRow("'\(Field.shown(text))' is not a duration; write it in seconds, such as 90s or 3.5s")
        }
        return .text(text)
    }

    // MARK: - Scalars

    private static func truth(_ text: String) throws(BadRow) -> Bool {
        switch text.lowercased() {
        case "true", "t", "yes", "y", "on", "1": return true
        case "false", "f", "no", "n", "off", "0": return false
        default: throw BadRow("'\(Field.shown(text))' is neither true nor false (nor t or f, yes or no, 1 or 0)")
        }
    }

    private static let notFinite: Set<String> = ["NaN", "Infinity", "-Infinity"]

    /// A number as JSON writes it. The type's range is for the coder to check.
    private static func number(_ text: String, isWhole: Bool) throws(BadRow) -> JSONValue {
        if isPlainNumber(text) { return .number(text) }
        if !isWhole, notFinite.contains(text) { return .text(text) }
        let isNegative = text.hasPrefix("-")
        var digits = text.drop { $0 == "-" || $0 == "+" }
        guard text.count - digits.count <= 1 else { throw noNumber(text, isWhole) }
        // JSON allows no leading zeros.
        let zeros = digits.prefix { $0 == "0" }
        if !zeros.isEmpty {
            digits = digits.dropFirst(zeros.count)
            if digits.first.map({ !$0.isNumber }) ?? true { digits = "0" + digits }
        }
        let isPlain = digits.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || ".eE+-".utf8.contains($0)
        }
        guard isPlain, digits.first?.isNumber == true, digits.last?.isNumber == true, Double(digits) != nil else {
            throw noNumber(text, isWhole)
        }
        return .number((isNegative ? "-" : "") + digits)
    }

    /// Whether a text is digits with at most one point between them, as nearly all numbers are written.
    static func isPlainNumber(_ text: String) -> Bool {
        let (zero, point) = (UInt8(ascii: "0"), UInt8(ascii: "."))
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard let first = digits.first, let last = digits.last, first != point, last != point,
            first != zero || digits.count == 1 || digits.dropFirst().first == point
        else { return false }
        var points = 0
        for byte in digits where !(zero...UInt8(ascii: "9")).contains(byte) {
            guard byte == point else { return false }
            points += 1
        }
        return points <= 1
    }

    private static func noNumber(_ text: String, _ isWhole: Bool) -> BadRow {
        let isGrouped = text.contains(where: \.isNumber) && text.contains { ",.' _\u{A0}\u{202F}’".contains($0) }
        var hint = isGrouped ? "; numbers are written without separators, and with a point: 1204 or 1204.5" : ""
        if text.contains(","), let plain = DecimalMark.comma.plain(text) {
            hint += ", or with --decimal comma, if \(plain) is meant"
        }
        return BadRow("'\(Field.shown(text))' is not a \(isWhole ? "whole " : "")number\(hint)")
    }

    /// A value of an enum by its name. Case doesn't matter, and a leading name of the enum may be left out: `food` is
    /// `TOPIC_FOOD`.
    private static func name(_ text: String, of type: EnumDescriptor) throws(BadRow) -> JSONValue {
        if type.number(named: text) != nil { return .text(text) }
        if Int32(text) != nil { return .number(text) }
        let wanted = ColumnName.plain(text)
        let prefix = ColumnName.plain(type.fullName.split(separator: ".").last.map(String.init) ?? "")
        let matches = type.values.filter { value in
            let name = ColumnName.plain(value.name)
            return name == wanted || name == prefix + wanted
        }
        if let match = matches.first, matches.count == 1 { return .text(match.name) }
        let names = type.values.map(\.name)
        let hint = NearestName.hint(for: text, among: names)
        let known = names.prefix(listedNames).joined(separator: ", ") + (names.count > listedNames ? ", …" : "")
        throw BadRow(
            "\(type.fullName) has no value '\(Field.shown(text))'" + (hint.isEmpty ? "; its values are \(known)" : hint)
        )
    }
}

/// Names of columns and fields as they are compared: `Release date`, `release_date` and `releaseDate` are the same.
enum ColumnName {
    static func plain(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) })
    }
}
