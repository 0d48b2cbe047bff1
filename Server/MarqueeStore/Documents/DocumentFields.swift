import Foundation
import MarqueeModel
import MarqueeTypes

/// The members of a JSON object whose names are known. A member that is null counts as absent.
///
/// Its errors name members as seen from the object; `inside` adds the way to it.
struct DocumentFields {
    private let members: [JSONValue.Member]
    private let known: [String]

    /// - Parameter known: all names that the object may have, sorted.
    /// - Throws: when the value is no object.
    init(_ value: JSONValue, _ known: [String]) throws(RecordError) {
        guard case .object(let members) = value else { throw RecordError.expected("an object", value) }
        self.members = members
        self.known = known
    }

    /// Refuses members with other names. Call it once all required members have been read: a missing name says more
    /// than an unknown one.
    func refuseOthers() throws(RecordError) {
        guard let unknown = others.min() else { return }
        let hint = NearestName.hint(for: unknown, among: known)
        let all = hint.isEmpty ? "; the known fields are \(known.joined(separator: ", "))" : hint
        throw RecordError("there is no field '\(unknown.prefix(64))' here\(all)")
    }

    private var others: [String] { members.map(\.name).filter { !known.contains($0) } }

    /// Reads a member that may be absent.
    func optional<Value>(
        _ name: String, _ read: (JSONValue) throws(RecordError) -> Value
    ) throws(RecordError) -> Value? {
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
        do throws(RecordError) { return try read(value) } catch { throw error.inside(name) }
    }

    /// Reads a member that has to be there.
    func required<Value>(
        _ name: String, _ read: (JSONValue) throws(RecordError) -> Value
    ) throws(RecordError) -> Value {
        guard let value = members.first(where: { $0.name == name })?.value else {
            let misspelt = NearestName.suggestion(for: name, among: others.sorted())
            let hint = misspelt.map { "; is '\($0)' meant to be it?" } ?? ""
            throw RecordError("the field '\(name)' is missing\(hint)")
        }
        do throws(RecordError) { return try read(value) } catch { throw error.inside(name) }
    }

    func text(_ name: String) throws(RecordError) -> String {
        try required(name) { (value) throws(RecordError) in try value.asText() }
    }

    func optionalText(_ name: String) throws(RecordError) -> String? {
        try optional(name) { (value) throws(RecordError) in try value.asText() }
    }

    func optionalBytes(_ name: String) throws(RecordError) -> [UInt8]? {
        try optional(name) { (value) throws(RecordError) in try value.asBytes() }
    }
}

extension RecordError {
    /// - Parameter what: the value that belongs there.
    static func expected(_ what: String, _ value: JSONValue) -> RecordError {
        RecordError("\(what) is expected, not \(value.found)")
    }
}

extension JSONValue {
    func asText() throws(RecordError) -> String {
        guard case .text(let text) = self else { throw .expected("text", self) }
        return text
    }

    func asBool() throws(RecordError) -> Bool {
        guard case .bool(let bool) = self else { throw .expected("true or false", self) }
        return bool
    }

    func asWhole() throws(RecordError) -> Int {
        guard case .number(let digits) = self, let whole = Int(digits) ?? Double(digits).flatMap(Int.init(exactly:))
        else { throw .expected("a whole number from \(Int.min) to \(Int.max)", self) }
        return whole
    }

    /// Bytes, as base64 text.
    func asBytes() throws(RecordError) -> [UInt8] {
        guard let data = Data(base64Encoded: try asText()) else { throw RecordError("base64 text is expected") }
        return [UInt8](data)
    }

    func asList<Element>(_ read: (JSONValue) throws(RecordError) -> Element) throws(RecordError) -> [Element] {
        guard case .list(let values) = self else { throw .expected("a list", self) }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do throws(RecordError) { elements.append(try read(value)) } catch { throw error.inside("[\(index)]") }
        }
        return elements
    }
}
