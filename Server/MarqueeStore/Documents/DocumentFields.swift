import Foundation
import MarqueeModel
import MarqueeTypes

/// Reads the members of a JSON object by their known names. An optional member that is null counts as absent.
///
/// The paths of the mistakes are relative to the object; `inside` prefixes the path to it.
struct DocumentFields {
    private let members: [JSONValue.Member]
    private let known: [String]
    /// Unknown names that were suggested as misspellings of missing members.
    private var misspelled: Set<String> = []

    /// - Parameter known: all names that the object may have, sorted.
    init(_ members: [JSONValue.Member], _ known: [String]) {
        self.members = members
        self.known = known
    }

    /// - Returns: `nil` if the value isn't an object.
    init?(_ value: JSONValue, _ known: [String], _ mistakes: inout RecordMistakes) {
        guard case .object(let members) = value else {
            mistakes.note(.expected("an object", value))
            return nil
        }
        self.init(members, known)
    }

    /// Notes each member with an unknown name. Call it once all required members have been read, so that a misspelled
    /// one is reported as missing rather than as unknown.
    func refuseOthers(_ mistakes: inout RecordMistakes) {
        for unknown in others.sorted() where !misspelled.contains(unknown) && !mistakes.isFull {
            let hint = NearestName.hint(for: unknown, among: known)
            let all = hint.isEmpty ? "; the known fields are \(known.joined(separator: ", "))" : hint
            mistakes.note(RecordError("there is no field '\(unknown.prefix(64))' here\(all)"))
        }
    }

    private var others: [String] { members.map(\.name).filter { !known.contains($0) } }

    private func value(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    /// Reads a member that may be absent.
    /// - Returns: `nil` if it is absent, or has a mistake.
    func optional<Value>(
        _ name: String, _ mistakes: inout RecordMistakes, _ read: (JSONValue, inout RecordMistakes) -> Value?
    ) -> Value? {
        guard let value = value(name), value != .null else { return nil }
        return mistakes.inside(name) { read(value, &$0) }
    }

    /// Reads a required member.
    mutating func required<Value>(
        _ name: String, _ mistakes: inout RecordMistakes, _ read: (JSONValue, inout RecordMistakes) -> Value?
    ) -> Value? {
        guard let value = value(name) else {
            let near = NearestName.suggestion(for: name, among: others.sorted())
            if let near { misspelled.insert(near) }
            let hint = near.map { "; is '\($0)' a misspelling of it?" } ?? ""
            mistakes.note(RecordError("the field '\(name)' is missing\(hint)"))
            return nil
        }
        return mistakes.inside(name) { read(value, &$0) }
    }

    mutating func text(_ name: String, _ mistakes: inout RecordMistakes) -> String? {
        required(name, &mistakes) { $0.asText(&$1) }
    }

    func optionalText(_ name: String, _ mistakes: inout RecordMistakes) -> String? {
        optional(name, &mistakes) { $0.asText(&$1) }
    }

    func optionalBytes(_ name: String, _ mistakes: inout RecordMistakes) -> [UInt8]? {
        optional(name, &mistakes) { $0.asBytes(&$1) }
    }
}

extension RecordError {
    /// - Parameter what: the expected value, such as `an object`.
    static func expected(_ what: String, _ value: JSONValue) -> RecordError {
        RecordError("\(what) is expected, not \(value.found)")
    }
}

extension RecordMistakes {
    /// Reads a part of a document.
    /// - Parameter place: the path from the whole document to the part.
    mutating func inside<Value>(
        _ place: @autoclosure () -> String, _ read: (inout RecordMistakes) -> Value?
    ) -> Value? {
        let start = all.count
        let value = read(&self)
        enclose(in: place(), from: start)
        return value
    }

    /// Notes that another value is expected.
    /// - Parameter what: the expected value.
    fileprivate mutating func expect<Value>(_ what: String, not value: JSONValue) -> Value? {
        note(.expected(what, value))
        return nil
    }
}

extension JSONValue {
    func asText(_ mistakes: inout RecordMistakes) -> String? {
        guard case .text(let text) = self else { return mistakes.expect("text", not: self) }
        return text
    }

    func asBool(_ mistakes: inout RecordMistakes) -> Bool? {
        guard case .bool(let bool) = self else { return mistakes.expect("true or false", not: self) }
        return bool
    }

    func asWhole(_ mistakes: inout RecordMistakes) -> Int? {
        guard case .number(let digits) = self, let whole = Int(digits) ?? Double(digits).flatMap(Int.init(exactly:))
        else { return mistakes.expect("a whole number from \(Int.min) to \(Int.max)", not: self) }
        return whole
    }

    /// Bytes, as base64 text.
    func asBytes(_ mistakes: inout RecordMistakes) -> [UInt8]? {
        guard let text = asText(&mistakes) else { return nil }
        guard let data = Data(base64Encoded: text) else {
            mistakes.note(RecordError("base64 text is expected"))
            return nil
        }
        return [UInt8](data)
    }

    /// - Returns: the elements without mistakes; `nil` if it isn't a list.
    func asList<Element>(
        _ mistakes: inout RecordMistakes, _ read: (JSONValue, inout RecordMistakes) -> Element?
    ) -> [Element]? {
        guard case .list(let values) = self else { return mistakes.expect("a list", not: self) }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            if mistakes.isFull { break }
            guard let element = mistakes.inside("[\(index)]", { read(value, &$0) }) else { continue }
            elements.append(element)
        }
        return elements
    }
}
