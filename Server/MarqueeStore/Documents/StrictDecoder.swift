import MarqueeModel

/// A decoder that wraps another one and tracks which fields were asked for.
struct StrictDecoder: Decoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }
    /// The key under which a decoder finds what to do with unknown fields.
    static let unknownFields = CodingUserInfoKey(rawValue: "unknownFields")
    private let base: any Decoder
    private let account = FieldAccount()

    init(_ base: any Decoder, at path: [any CodingKey]) {
        self.base = base
        self.codingPath = path
    }

    /// Decodes a value, then refuses the fields that its type did not ask for.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type is any Scalar.Type { return try scalar(type) }
        if type == JSONValue.self { return try anything(type) }
        let value = try Value(from: self)
        if refusesUnknownFields { try account.refuseRest(at: codingPath) }
        return value
    }

    /// Any JSON. Decoded without tracking: it asks for every field there is, and finds out what a value is by trying,
    /// so most of its errors are of no interest.
    private func anything<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try Value(from: base)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context) {
            let path = context.codingPath.path
            throw DocumentError(path: path, reason: "a value of JSON is expected, not a number too large to read")
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let fields = try? base.container(keyedBy: FieldName.self) else { throw mismatch("an object is expected") }
        account.open(fields.allKeys.map(\.stringValue))
        // Types with several shapes list their keys; for others, the keys are those they ask for.
        if refusesUnknownFields, let known = (type as? any CaseIterable.Type).map(StrictDecoder.names) {
            try account.refuse(allBut: known, at: codingPath)
        }
        return KeyedDecodingContainer(StrictFields(base: fields, codingPath: codingPath, account: account))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let list = try? base.unkeyedContainer() else { throw mismatch("a list is expected") }
        return StrictList(base: list, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { StrictValue(decoder: self) }

    private var refusesUnknownFields: Bool {
        StrictDecoder.unknownFields.flatMap { userInfo[$0] as? JSONDocument.UnknownFields } != .ignored
    }

    func isNull() throws -> Bool { try base.singleValueContainer().decodeNil() }

    /// A value that contains no others.
    func scalar<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try base.singleValueContainer().decode(type)
        } catch {
            throw mismatch((type as? any Scalar.Type)?.expectation ?? "another value is expected")
        }
    }

    private func mismatch(_ expectation: String) -> DocumentError {
        DocumentError(path: codingPath.path, reason: "\(expectation), not \(found)")
    }

    /// A description, for people, of the value that the document has there.
    private var found: String {
        if (try? base.container(keyedBy: FieldName.self)) != nil { return "an object" }
        if (try? base.unkeyedContainer()) != nil { return "a list" }
        guard let value = try? base.singleValueContainer() else { return "nothing" }
        if value.decodeNil() { return "null" }
        if let bool = try? value.decode(Bool.self) { return "\(bool)" }
        if let text = try? value.decode(String.self) {
            let limit = 40
            return "the text '\(text.prefix(limit))\(text.count > limit ? "…" : "")'"
        }
        if let whole = try? value.decode(Int64.self) { return "\(whole)" }
        if let number = try? value.decode(Double.self) { return "\(number)" }
        return "a number too large to read"
    }

    private static func names(_ type: any CaseIterable.Type) -> [String] {
        func names<Keys: CaseIterable>(_ type: Keys.Type) -> [String] {
            type.allCases.compactMap { ($0 as? any CodingKey)?.stringValue }
        }
        return names(type)
    }
}

/// The name of any field, or the index of an element.
struct FieldName: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) {
        self.stringValue = "\(intValue)"
        self.intValue = intValue
    }
}

/// The fields of an object, and which of them its type asked for.
final class FieldAccount {
    private var present: [String] = []
    private(set) var asked: Set<String> = []

    func open(_ fields: [String]) { present = fields }

    func ask(_ field: String) { asked.insert(field) }

    /// Fields that nothing has asked for so far.
    var rest: [String] { present.filter { !asked.contains($0) }.sorted() }

    /// Call this once all known fields have been asked for.
    func refuseRest(at path: [any CodingKey]) throws { try refuse(allBut: asked.sorted(), at: path) }

    func refuse(allBut known: [String], at path: [any CodingKey]) throws {
        guard let unknown = present.filter({ !known.contains($0) }).min() else { return }
        let hint = NearestName.hint(for: unknown, among: known)
        let all = hint.isEmpty ? "; the known fields are \(known.joined(separator: ", "))" : hint
        throw DocumentError(path: path.path, reason: "there is no field '\(unknown.prefix(64))' here\(all)")
    }
}

private struct StrictFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<FieldName>
    let codingPath: [any CodingKey]
    let account: FieldAccount

    var allKeys: [Key] { base.allKeys.compactMap { Key(stringValue: $0.stringValue) } }

    func contains(_ key: Key) -> Bool {
        account.ask(key.stringValue)
        return base.contains(FieldName(stringValue: key.stringValue))
    }

    private func decoder(_ key: Key) throws -> StrictDecoder {
        let name = FieldName(stringValue: key.stringValue)
        guard contains(key) else {
            let misspelt = NearestName.suggestion(for: key.stringValue, among: account.rest)
            let hint = misspelt.map { "; is '\($0)' meant to be it?" } ?? ""
            throw DocumentError(path: codingPath.path, reason: "the field '\(key.stringValue)' is missing\(hint)")
        }
        return StrictDecoder(try base.superDecoder(forKey: name), at: codingPath + [name])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).isNull() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).value(type) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).value(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).value(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).value(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).value(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).value(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).value(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key).value(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key).value(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key).value(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).value(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key).value(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key).value(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key).value(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key).value(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { try base.superDecoder() }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct StrictList: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer
    let codingPath: [any CodingKey]

    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    private mutating func decoder() throws -> StrictDecoder {
        let path = codingPath + [FieldName(intValue: base.currentIndex)]
        return StrictDecoder(try base.superDecoder(), at: path)
    }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder().value(type) }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try decoder().value(type) }
    mutating func decode(_ type: String.Type) throws -> String { try decoder().value(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try decoder().value(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try decoder().value(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try decoder().value(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try decoder().value(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try decoder().value(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try decoder().value(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try decoder().value(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try decoder().value(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder().value(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder().value(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder().value(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder().value(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try decoder().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try decoder() }
}

private struct StrictValue: SingleValueDecodingContainer {
    let decoder: StrictDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { (try? decoder.isNull()) ?? false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
    func decode(_ type: Bool.Type) throws -> Bool { try decoder.value(type) }
    func decode(_ type: String.Type) throws -> String { try decoder.value(type) }
    func decode(_ type: Double.Type) throws -> Double { try decoder.value(type) }
    func decode(_ type: Float.Type) throws -> Float { try decoder.value(type) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.value(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.value(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.value(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.value(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.value(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.value(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.value(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.value(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.value(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.value(type) }
}

/// A type that is one value of JSON.
private protocol Scalar {
    /// For people: what is expected there.
    static var expectation: String { get }
}

extension String: Scalar { fileprivate static var expectation: String { "text is expected" } }
extension Bool: Scalar { fileprivate static var expectation: String { "true or false is expected" } }
extension Double: Scalar { fileprivate static var expectation: String { "a number is expected" } }
extension Float: Scalar { fileprivate static var expectation: String { "a number is expected" } }
extension FixedWidthInteger {
    fileprivate static var expectation: String { "a whole number from \(min) to \(max) is expected" }
}
extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}
