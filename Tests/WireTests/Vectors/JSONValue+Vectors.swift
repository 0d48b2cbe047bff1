@testable package import MarqueeModel

/// Builds test vectors as JSON, which are compared by value rather than by spelling: members ordered by name, whole
/// numbers without a decimal point.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number("\(value)") }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }

    static func number(_ value: Double) -> JSONValue {
        Int64(exactly: value).map { .number("\($0)") } ?? .number("\(value)")
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var list: [JSONValue] {
        guard case .list(let list) = self else { return [] }
        return list
    }

    /// Bytes as lower-case hex.
    static func hex(_ bytes: [UInt8]) -> JSONValue {
        .text(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }

    /// A hash or sum as 16 hex digits.
    static func sum(_ value: UInt64) -> JSONValue {
        let digits = String(value, radix: 16)
        return .text(String(repeating: "0", count: 16 - digits.count) + digits)
    }

    /// The bytes of a hex string.
    var bytes: [UInt8]? {
        guard let digits = text.map({ Array($0) }), digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}
