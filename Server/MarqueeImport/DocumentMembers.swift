import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes

/// Members of an object in a document that may have unknown parts. Numbers keep their digits, so that no price loses a
/// cent.
extension JSONValue {
    /// A document in composed form.
    /// - Throws: `malformed` when the file is not JSON, with the place.
    static func document(_ source: ImportSource) throws(ImportError) -> JSONValue {
        let bytes = try FileContent.read(source)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ImportError(
                .malformed, "\(source.name) is not UTF-8 text; name its encoding, such as --encoding cp949")
        }
        do throws(RecordError) {
            return try JSONValue(parsing: Array(bytes.withoutByteOrderMark), atMost: FileContent.limit).composed
        } catch {
            throw ImportError(.malformed, "\(source.name): \(error.reason)")
        }
    }

    /// A member that is there and not null.
    func member(_ name: String) -> JSONValue? {
        guard let value = self[name], value != .null else { return nil }
        return value
    }

    /// A text; `nil` when it is absent.
    func text(_ name: String) throws(BadRow) -> String? {
        switch member(name) {
        case nil: return nil
        case .text(let text)?: return text
        case _?: throw BadRow("'\(name)' is not text")
        }
    }

    /// A required text.
    func requiredText(_ name: String) throws(BadRow) -> String {
        guard let text = try text(name) else { throw BadRow("'\(name)' is missing") }
        return text
    }

    /// A number as it is written, which may be in a text: `39.50`; `nil` when it is absent or an empty text.
    func numeral(_ name: String) throws(BadRow) -> String? {
        switch member(name) {
        case nil: return nil
        case .number(let digits)?: return digits
        case .text(let text)?:
            guard let text = Field.text(text) else { return nil }
            guard Decimal(string: text, locale: nil) != nil, text.allSatisfy({ "0123456789.-".contains($0) })
            else { throw BadRow("'\(name)' is not a number but '\(Field.shown(text))'") }
            return text
        case _?: throw BadRow("'\(name)' is not a number")
        }
    }

    func whole<Number: FixedWidthInteger>(_ name: String) throws(BadRow) -> Number? {
        guard let numeral = try numeral(name) else { return nil }
        if let number = Number(numeral) { return number }
        guard let decimal = Decimal(string: numeral, locale: nil), let number = Number("\(decimal)") else {
            throw BadRow("'\(name)' is not a whole number in its range")
        }
        return number
    }

    func real(_ name: String) throws(BadRow) -> Double? {
        guard let numeral = try numeral(name) else { return nil }
        guard let number = Double(numeral), number.isFinite else { throw BadRow("'\(name)' is too large a number") }
        return number
    }

    /// The names of the object's members that are not in `known`.
    func members(besides known: Set<String>) -> [String] {
        guard case .object(let members) = self else { return [] }
        return members.map(\.name).filter { !known.contains($0) }.sorted()
    }

    func list(_ name: String) throws(BadRow) -> [JSONValue]? {
        switch member(name) {
        case nil: return nil
        case .list(let elements)?: return elements
        case _?: throw BadRow("'\(name)' is not a list")
        }
    }
}
