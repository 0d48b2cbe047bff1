import MarqueeTypes

/// The fields that hold the values of PostgreSQL's types.
enum PostgresTypes {
    /// The decimal digits that a floating-point number keeps.
    private static let numberDigits = 15

    static func declared(_ column: PostgresColumn) -> SampledColumn.Declared {
        let base = column.base
        if base.hasSuffix("[]") {
            if column.elementKind == "e" { return .field(InlineFieldType(.text, .list)) }
            guard case .field(let element, let note) = scalar(String(base.dropLast(2)), column.elementKind ?? "b")
            else {
                return .refused("a list of \(base.dropLast(2))")
            }
            return .field(InlineFieldType(element.value, .list), note: note)
        }
        return scalar(base, column.kind)
    }

    private static func scalar(_ base: String, _ kind: String) -> SampledColumn.Declared {
        let name = base.prefix { $0 != "(" }.trimmingSpaces
        switch kind {
        case "e": return .field(InlineFieldType(.text))
        case "c": return .refused("\(base) is a row of its own")
        case "r", "m": return .refused("\(base) is a range")
        default: break
        }
        switch name {
        case "smallint", "integer", "bigint": return .field(InlineFieldType(.integer))
        case "numeric": return number(base)
        case "real", "double precision": return .field(InlineFieldType(.number))
        case "boolean": return .field(InlineFieldType(.boolean))
        case "text", "character varying", "character", "\"char\"", "name", "uuid", "citext", "inet", "cidr", "macaddr",
            "macaddr8", "xml", "ltree", "bit", "bit varying", "time", "oid", "pg_lsn":
            return .field(InlineFieldType(.text))
        case "date": return .field(InlineFieldType(.date))
        case "json", "jsonb": return .json
        case "bytea": return .refused("bytea: bytes, which a screen doesn't show")
        default: break
        }
        if base.hasPrefix("timestamp") {
            let note = base.hasSuffix("without time zone") ? "a time without a zone, read as UTC" : nil
            return .field(InlineFieldType(.time), note: note)
        }
        if base.hasPrefix("time") { return .field(InlineFieldType(.text)) }
        return .refused(base)
    }

    /// `numeric(10,2)`
    private static func number(_ base: String) -> SampledColumn.Declared {
        let digits = base.dropFirst("numeric".count).dropFirst().prefix { $0 != ")" }.split(separator: ",").map {
            Int($0)
        }
        guard let precision = digits.first ?? nil else {
            return .field(
                InlineFieldType(.number), note: "numeric without bounds: \(numberDigits) digits of it are kept")
        }
        let scale = digits.count > 1 ? digits[1] ?? 0 : 0
        if scale <= 0, precision - scale <= 18 { return .field(InlineFieldType(.integer)) }
        return .field(
            InlineFieldType(.number),
            note: precision > numberDigits ? "\(base): \(numberDigits) of its digits are kept" : nil)
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String { Field.trimmed(String(self)) }
}
