/// A scalar type of protobuf, by its number in descriptors.
package enum ScalarType: UInt8, Hashable, Sendable, CaseIterable {
    case double = 1
    case float = 2
    case int64 = 3
    case uint64 = 4
    case int32 = 5
    case fixed64 = 6
    case fixed32 = 7
    case bool = 8
    case string = 9
    case bytes = 12
    case uint32 = 13
    case sfixed32 = 15
    case sfixed64 = 16
    case sint32 = 17
    case sint64 = 18

    /// The name in a `.proto` file.
    package var name: String { "\(self)" }

    /// The type with this name.
    init?(name: String) {
        guard let type = ScalarType.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }

    /// How one value is encoded.
    var wireType: WireType {
        switch self {
        case .double, .fixed64, .sfixed64: .fixed64
        case .float, .fixed32, .sfixed32: .fixed32
        case .string, .bytes: .lengthPrefixed
        case .int64, .uint64, .int32, .bool, .uint32, .sint32, .sint64: .varint
        }
    }

    /// Whether repeated values can be packed into one encoded field.
    var isPackable: Bool { wireType != .lengthPrefixed }

    /// Whether a value is a whole number.
    package var isInteger: Bool {
        switch self {
        case .double, .float, .bool, .string, .bytes: false
        default: true
        }
    }

    /// Whether a whole number may be negative.
    package var isSigned: Bool {
        switch self {
        case .int64, .int32, .sfixed32, .sfixed64, .sint32, .sint64: true
        default: false
        }
    }

    /// Whether a whole number has 64 bits.
    var isWide: Bool {
        switch self {
        case .int64, .uint64, .fixed64, .sfixed64, .sint64: true
        default: false
        }
    }

    /// Whether a map may have keys of this type.
    var canBeKey: Bool { isInteger || self == .bool || self == .string }
}
