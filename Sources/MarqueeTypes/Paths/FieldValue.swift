/// The value at the end of a path.
package enum FieldValue: Hashable, Sendable {
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case bool(Bool)
    case text(String)
    case bytes([UInt8])
    /// If the number has no name, `name` is the number in decimal.
    case enumeration(name: String, number: Int32)
    case timestamp(seconds: Int64, nanos: Int64)
    case duration(seconds: Int64, nanos: Int64)
    /// The message's bytes.
    case message([UInt8])

    /// The value as text, for templates and ids; `nil` for bytes and messages.
    package var text: String? {
        switch self {
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .real(let value): "\(value)"
        case .bool(let value): "\(value)"
        case .text(let value): value
        case .enumeration(let name, _): name
        case .timestamp(let seconds, let nanos):
            WellKnownText.timestampSeconds.contains(seconds)
                ? WellKnownText.timestamp(seconds: seconds, nanos: nanos) : nil
        case .duration(let seconds, let nanos): WellKnownText.duration(seconds: seconds, nanos: nanos)
        case .bytes, .message: nil
        }
    }

    /// A time from its text (RFC 3339); `nil` if the text isn't one.
    package init?(timestamp text: String) {
        guard let time = WellKnownText.timestamp(text) else { return nil }
        self = .timestamp(seconds: time.seconds, nanos: time.nanos)
    }

    /// A scalar from its bits as a record stores them.
    init(_ bits: UInt64, _ type: ScalarType) {
        switch type {
        case .double: self = .real(Double(bitPattern: bits))
        case .float: self = .real(FieldValue.written(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
        case .bool: self = .bool(bits != 0)
        default: self = type.isSigned ? .integer(Int64(bitPattern: bits)) : .unsigned(bits)
        }
    }

    /// A `float` as people write it: 4.6, not 4.599999904632568. Converted back, it is the same `float`.
    private static func written(_ value: Float) -> Double {
        value.isFinite ? Double("\(value)") ?? Double(value) : Double(value)
    }

    /// Text or bytes from a scalar's payload; `nil` if the type is text but the bytes aren't UTF-8.
    init?(_ bytes: ArraySlice<UInt8>, _ type: ScalarType) {
        if type == .bytes {
            self = .bytes(Array(bytes))
        } else if let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            return nil
        }
    }
}
