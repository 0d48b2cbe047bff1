/// One field of a message.
package struct FieldDescriptor: Hashable, Sendable {
    /// The type of a single value. Messages and enums are given by their index in the set.
    package enum ValueType: Hashable, Sendable {
        case scalar(ScalarType)
        case message(Int)
        case enumeration(Int)
        /// Something that Marquee doesn't support, such as a group.
        case unsupported(String)
    }

    /// How many values a field has.
    package enum Cardinality: Hashable, Sendable {
        case single
        case repeated
        /// The field's `type` is that of the map's values.
        case map(key: ScalarType)
    }

    /// Whether a single value can be distinguished from its default.
    package enum Presence: Hashable, Sendable {
        /// A value equal to the default counts as absent: singular scalars of proto3, and all repeated fields.
        case implicit
        /// Present or absent.
        case explicit
        /// Must be present (proto2).
        case required
    }

    /// The name in the `.proto` file.
    package var name: String
    /// The name in JSON.
    package var jsonName: String
    package var number: UInt32
    package var type: ValueType
    package var cardinality: Cardinality
    package var presence: Presence
    /// Whether repeated scalars are packed into one encoded field.
    package var isPacked: Bool
    /// The index of its `oneof` in the message; `nil` if it has none or is one of proto3's `optional` fields.
    package var oneof: Int?
    /// The value that an absent field reads as, if the schema declares one (proto2).
    package var declaredDefault: FieldDefault?

    /// - Parameter jsonName: `nil` to derive it from the name, as protobuf does.
    package init(
        name: String, jsonName: String? = nil, number: UInt32, type: ValueType, cardinality: Cardinality,
        presence: Presence, isPacked: Bool, oneof: Int? = nil, declaredDefault: FieldDefault? = nil
    ) {
        self.name = name
        self.jsonName = jsonName ?? FieldDescriptor.camelCase(name)
        self.number = number
        self.type = type
        self.cardinality = cardinality
        self.presence = presence
        self.isPacked = isPacked
        self.oneof = oneof
        self.declaredDefault = declaredDefault
    }

    /// Converts `release_date` to `releaseDate`, and `_date` to `Date`, as protobuf derives JSON names.
    static func camelCase(_ name: String, isCapitalized: Bool = false) -> String {
        var result = ""
        var capitalizesNext = isCapitalized
        for character in name {
            if character == "_" {
                capitalizesNext = true
            } else {
                result += capitalizesNext ? character.uppercased() : String(character)
                capitalizesNext = false
            }
        }
        return result
    }

    package var isSingle: Bool { cardinality == .single }

    /// The message type of a value, by its index in the set.
    package var message: Int? {
        if case .message(let index) = type { index } else { nil }
    }
}

/// A declared default (proto2).
package enum FieldDefault: Hashable, Sendable {
    /// The bits of a number, a bool or an enum value.
    case number(UInt64)
    /// A text's UTF-8, or bytes.
    case bytes([UInt8])
}
