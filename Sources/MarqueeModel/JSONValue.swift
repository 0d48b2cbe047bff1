/// A JSON value whose shape is known elsewhere, such as the fields of a record. Numbers keep their text, so no digit is
/// lost; objects keep their order.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// An object with its members sorted by name.
    package static func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(members.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) })
    }

    /// The same value with the members of all objects sorted by name, so that equivalent values are equal.
    package var sorted: JSONValue {
        switch self {
        case .null, .bool, .number, .text: self
        case .list(let values): .list(values.map(\.sorted))
        case .object(let members):
            .object(
                members.map { Member(name: $0.name, value: $0.value.sorted) }.sorted { $0.name < $1.name })
        }
    }

    /// The value of an object's member.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
