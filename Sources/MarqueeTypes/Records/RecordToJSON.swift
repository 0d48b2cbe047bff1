/// Writes a record as JSON by protobuf's JSON mapping: fields ordered by number, leaving out absent and unknown ones.
struct RecordToJSON {
    let set: DescriptorSet

    func message(
        _ message: MessageValue, _ descriptor: MessageDescriptor, to writer: inout JSONWriter
    ) throws(RecordError) {
        if let wellKnown = descriptor.wellKnown { return try value(message, descriptor, wellKnown, to: &writer) }
        try writer.object { (writer) throws(RecordError) in
            for field in message.fields {
                let declared = descriptor.fields[field.place]
                if case .single(let value) = field.content, declared.presence == .implicit, value.isZero { continue }
                writer.name(declared.jsonName)
                do throws(RecordError) {
                    try content(field.content, declared, to: &writer)
                } catch {
                    throw error.inside(declared.jsonName)
                }
            }
        }
    }

    private func content(
        _ content: MessageValue.Content, _ field: FieldDescriptor, to writer: inout JSONWriter
    ) throws(RecordError) {
        switch content {
        case .single(let value): try self.value(value, field.type, to: &writer)
        case .list(let values):
            try writer.list { (writer) throws(RecordError) in
                for value in values { try self.value(value, field.type, to: &writer) }
            }
        case .map(let entries):
            guard case .map(let key) = field.cardinality else { return }
            try writer.object { (writer) throws(RecordError) in
                for entry in entries {
                    writer.name(RecordToJSON.key(entry.key, key))
                    try self.value(entry.value, field.type, to: &writer)
                }
            }
        }
    }

    private static func key(_ value: MessageValue.Value, _ type: ScalarType) -> String {
        switch value {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .bits(let bits): type == .bool ? (bits == 0 ? "false" : "true") : whole(bits, type)
        case .message: ""
        }
    }

    private func value(
        _ value: MessageValue.Value, _ type: FieldDescriptor.ValueType, to writer: inout JSONWriter
    ) throws(RecordError) {
        switch (value, type) {
        case (.bits(let bits), .scalar(let scalar)): RecordToJSON.write(bits, scalar, to: &writer)
        case (.bits(let bits), .enumeration(let index)):
            let number = Int32(truncatingIfNeeded: bits)
            if let name = set.enumerations[index].name(of: number) {
                writer.string(name)
            } else {
                writer.word("\(number)")
            }
        case (.bytes(let bytes), .scalar(.bytes)): writer.string(Base64.text(bytes))
        case (.bytes(let bytes), _): writer.string(String(decoding: bytes, as: UTF8.self))
        case (.message(let message), .message(let index)): try self.message(message, set.messages[index], to: &writer)
        default: throw RecordError("the value is of another type")
        }
    }

    /// A whole number in decimal.
    static func whole(_ bits: UInt64, _ type: ScalarType) -> String {
        type.isSigned ? "\(Int64(bitPattern: bits))" : "\(bits)"
    }

    private static func write(_ bits: UInt64, _ type: ScalarType, to writer: inout JSONWriter) {
        switch type {
        case .bool: writer.word(bits == 0 ? "false" : "true")
        case .double: real(Double(bitPattern: bits), to: &writer)
        case .float: real(Float(bitPattern: UInt32(truncatingIfNeeded: bits)), to: &writer)
        default:
            // 64-bit numbers are written as strings: most readers lose digits of JSON numbers beyond 2^53.
            if type.isWide { writer.string(whole(bits, type)) } else { writer.word(whole(bits, type)) }
        }
    }

    private static func real<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ value: Number, to writer: inout JSONWriter
    ) {
        if value.isNaN {
            writer.string("NaN")
        } else if value.isInfinite {
            writer.string(value < 0 ? "-Infinity" : "Infinity")
        } else {
            writer.word("\(value)")
        }
    }

    // MARK: - Protobuf's own messages

    private func value(
        _ message: MessageValue, _ descriptor: MessageDescriptor, _ type: WellKnownType, to writer: inout JSONWriter
    ) throws(RecordError) {
        if let refusal = WellKnownText.refusal(of: message, type) { throw RecordError(refusal) }
        let (seconds, nanos) = WellKnownText.parts(of: message)
        switch type {
        case .timestamp: writer.string(WellKnownText.timestamp(seconds: seconds, nanos: nanos))
        case .duration: writer.string(WellKnownText.duration(seconds: seconds, nanos: nanos))
        case .wrapper:
            guard let field = descriptor.fields.first else { return }
            var value = MessageValue.Value.zero(of: field.type, in: set)
            if case .single(let present) = message[0] { value = present }
            try self.value(value, field.type, to: &writer)
        }
    }
}
