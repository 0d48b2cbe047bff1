/// Writes a message field by field. The bytes are canonical if the caller writes fields in ascending order.
package struct MessageWriter {
    private var writer: WireWriter

    /// - Parameter capacity: the bytes for which there is room from the beginning.
    package init(capacity: Int = 0) { writer = WireWriter(capacity: capacity) }

    package var bytes: [UInt8] { writer.bytes }

    /// Writes a number, bool, text or bytes; an enum's value as an `int32`.
    ///
    /// - Parameter skipsZero: whether a value equal to the type's default is left out.
    /// - Returns: whether the value fits the type; if not, nothing is written.
    @discardableResult
    package mutating func write(
        _ value: FieldValue, as scalar: ScalarType, to number: UInt32, skipsZero: Bool
    ) -> Bool {
        switch value {
        case .text(let text) where scalar == .string:
            if text.isEmpty, skipsZero { return true }
            write(text.utf8, to: number)
        case .bytes(let bytes) where scalar == .bytes:
            if bytes.isEmpty, skipsZero { return true }
            write(bytes, to: number)
        default:
            guard let bits = scalar.bits(of: value) else { return false }
            if bits == 0, skipsZero { return true }
            writer.tag(number, scalar.wireType)
            writer.bits(scalar.wire(ofValue: bits), scalar.wireType)
        }
        return true
    }

    /// Writes the numbers of a list as one packed field, leaving out those that don't fit the type.
    package mutating func write(packed values: [FieldValue], as scalar: ScalarType, to number: UInt32) {
        var packed = WireWriter()
        for bits in values.compactMap({ scalar.bits(of: $0) }) {
            packed.bits(scalar.wire(ofValue: bits), scalar.wireType)
        }
        if !packed.bytes.isEmpty { write(packed.bytes, to: number) }
    }

    /// Writes the bytes of a message, a text or a map entry.
    package mutating func write(_ bytes: some Collection<UInt8>, to number: UInt32) {
        writer.tag(number, .lengthPrefixed)
        writer.lengthPrefixed(bytes)
    }

    /// Appends the fields of another message.
    package mutating func append(_ other: MessageWriter) { writer.append(other.writer) }
}

extension ScalarType {
    /// The bits of a number or bool as a record stores them; `nil` if this type can't hold it.
    fileprivate func bits(of value: FieldValue) -> UInt64? {
        switch value {
        case .bool(let flag): return self == .bool ? (flag ? 1 : 0) : nil
        case .integer(let number): return isInteger ? bits(ofWhole: number) : bits(ofReal: Double(number))
        case .unsigned(let number): return isInteger ? bits(ofWhole: number) : bits(ofReal: Double(number))
        case .enumeration(_, let number): return isInteger ? bits(ofWhole: number) : nil
        case .real(let number): return bits(ofReal: number)
        case .text, .bytes, .timestamp, .duration, .message: return nil
        }
    }

    private func bits(ofWhole number: some BinaryInteger) -> UInt64? {
        switch self {
        case .int32, .sint32, .sfixed32: Int32(exactly: number).map { UInt64(bitPattern: Int64($0)) }
        case .int64, .sint64, .sfixed64: Int64(exactly: number).map { UInt64(bitPattern: $0) }
        case .uint32, .fixed32: UInt32(exactly: number).map { UInt64($0) }
        case .uint64, .fixed64: UInt64(exactly: number)
        case .double, .float, .bool, .string, .bytes: nil
        }
    }

    private func bits(ofReal number: Double) -> UInt64? {
        switch self {
        case .double: number.bitPattern
        case .float: UInt64(Float(number).bitPattern)
        default: nil
        }
    }
}
