/// The type of an inline field, as a declaration writes it: `text`, `list of integer`.
package struct InlineFieldType: Hashable, Sendable {
    /// The type of one value.
    package enum Value: String, Hashable, Sendable, CaseIterable {
        case text, integer, number, boolean, date, time, duration, bytes

        /// Its number in descriptors.
        var descriptorType: UInt64 {
            switch self {
            case .text, .date: UInt64(ScalarType.string.rawValue)
            case .integer: UInt64(ScalarType.int64.rawValue)
            case .number: UInt64(ScalarType.double.rawValue)
            case .boolean: UInt64(ScalarType.bool.rawValue)
            case .bytes: UInt64(ScalarType.bytes.rawValue)
            case .time, .duration: 11
            }
        }

        /// Its name in a `.proto` file.
        var protoName: String {
            switch self {
            case .text, .date: ScalarType.string.name
            case .integer: ScalarType.int64.name
            case .number: ScalarType.double.name
            case .boolean: ScalarType.bool.name
            case .bytes: ScalarType.bytes.name
            case .time: WellKnownFile.timestamp.message
            case .duration: WellKnownFile.duration.message
            }
        }

        /// The file that declares its message, for types that are messages.
        var file: WellKnownFile? {
            switch self {
            case .time: .timestamp
            case .duration: .duration
            default: nil
            }
        }

        /// Whether a missing value would be indistinguishable from 0 or false without presence.
        fileprivate var hasZero: Bool { [.integer, .number, .boolean].contains(self) }
    }

    package enum Form: Hashable, Sendable {
        case single, list
        /// One text per locale.
        case byLocale
    }

    package var value: Value
    package var form = Form.single

    package init(_ value: Value, _ form: Form = .single) {
        self.value = value
        self.form = form
    }

    private static let listWords = "list of "
    private static let localeWords = " by locale"

    /// - Parameter words: `text`, `list of text`, `text by locale`.
    /// - Returns: `nil` for anything else.
    package init?(words: String) {
        if words.hasPrefix(Self.listWords) {
            guard let value = Value(rawValue: String(words.dropFirst(Self.listWords.count))) else { return nil }
            self.init(value, .list)
        } else if words == Value.text.rawValue + Self.localeWords {
            self.init(.text, .byLocale)
        } else {
            guard let value = Value(rawValue: words) else { return nil }
            self.init(value)
        }
    }

    /// The type as a declaration writes it.
    package var words: String {
        switch form {
        case .single: value.rawValue
        case .list: Self.listWords + value.rawValue
        case .byLocale: value.rawValue + Self.localeWords
        }
    }

    /// Type names to suggest in error messages.
    static let all = Value.allCases.map(\.rawValue) + ["text by locale", "list of text", "dropped"]

    /// Whether a field of this type is declared `optional`, so that it may be missing.
    var isOptional: Bool { form == .single && value.hasZero }

    /// Its type and label in a `.proto` file.
    var protoWords: String {
        switch form {
        case .single: (isOptional ? "optional " : "") + value.protoName
        case .list: "repeated " + value.protoName
        case .byLocale: "map<string, string>"
        }
    }
}

/// The files of protobuf's well-known types that inline fields use.
enum WellKnownFile: String, CaseIterable {
    case timestamp, duration

    var path: String { "google/protobuf/\(rawValue).proto" }
    /// The full name of the message in it.
    var message: String { "google.protobuf.\(rawValue.prefix(1).uppercased())\(rawValue.dropFirst())" }
}
