/// The name of a collection that belongs to a user: `favorites`, or another one that the server's types declare.
public struct CollectionName: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// Maximum length in bytes.
    package static let maximumLength = 32

    /// The name, as the server's programme declares it.
    public var name: String

    /// The collection with this name.
    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { self.init(value) }

    /// The collection that every server has.
    public static let favorites = CollectionName("favorites")

    public var description: String { name }

    public static func < (a: CollectionName, b: CollectionName) -> Bool {
        a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }
}

/// The value that a collection keeps with a member, as JSON: `120`, `"later"`, `{"position": 120}`.
///
/// The server knows the value's type, a scalar or one of its messages, and refuses a value of any other type.
public struct CollectionValue: Hashable, Sendable, CustomStringConvertible {
    /// Maximum length of the JSON in bytes. Encoded as protobuf, the value takes at most 256 bytes.
    package static let maximumLength = 2_048

    /// The value in protobuf's JSON mapping.
    public var json: String

    /// A value given as JSON, which isn't checked here.
    public init(json: String) { self.json = json }

    public var description: String { json }
}

extension CollectionValue: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral {
    public init(integerLiteral value: Int64) { self.init(json: "\(value)") }
    public init(booleanLiteral value: Bool) { self.init(json: "\(value)") }
    public init(floatLiteral value: Double) { self.init(json: "\(value)") }
    /// A whole number.
    public init(_ value: some BinaryInteger) { self.init(json: "\(value)") }

    /// The value as a number; `nil` if it isn't one. Protobuf's JSON writes 64-bit integers as strings.
    public var number: Double? {
        let bare =
            json.hasPrefix("\"") && json.hasSuffix("\"") && json.utf8.count > 2
            ? json.dropFirst().dropLast() : json[...]
        return Double(bare).flatMap { $0.isFinite ? $0 : nil }
    }
}
