/// Writes a record's canonical bytes.
///
/// Fields, including unknown ones, ascend by number; unknown fields with the same number keep their order. Map entries
/// ascend by key, and each contains both its key and its value. A field without presence that equals its default is
/// omitted. Repeated scalars are packed if the schema says so. Tags, numbers and lengths are as short as possible.
struct RecordEncoder {
    let set: DescriptorSet

    func bytes(_ message: MessageValue, _ descriptor: MessageDescriptor) throws(RecordError) -> [UInt8] {
        var writer = WireWriter()
        write(message, descriptor, to: &writer)
        guard writer.bytes.count <= RecordLimits.bytes else {
            throw RecordError("a record of \(writer.bytes.count) bytes; at most \(RecordLimits.bytes) are allowed")
        }
        return writer.bytes
    }

    private func write(_ message: MessageValue, _ descriptor: MessageDescriptor, to writer: inout WireWriter) {
        var unknown = message.unknown[...]
        for field in message.fields {
            let declared = descriptor.fields[field.place]
            while let next = unknown.first, next.number < declared.number {
                write(next, to: &writer)
                unknown.removeFirst()
            }
            write(field.content, declared, to: &writer)
        }
        for field in unknown { write(field, to: &writer) }
    }

    private func write(_ field: MessageValue.UnknownField, to writer: inout WireWriter) {
        writer.tag(field.number, field.wireType)
        if field.wireType == .lengthPrefixed {
            writer.lengthPrefixed(field.payload)
        } else {
            writer.bits(field.bits, field.wireType)
        }
    }

    private func write(_ content: MessageValue.Content, _ field: FieldDescriptor, to writer: inout WireWriter) {
        switch content {
        case .single(let value):
            if field.presence == .implicit, value.isZero { return }
            write(value, field.number, field.type, to: &writer)
        case .list(let values):
            guard field.isPacked, let scalar = field.type.scalarOnWire else {
                for value in values { write(value, field.number, field.type, to: &writer) }
                return
            }
            guard !values.isEmpty else { return }
            var packed = WireWriter()
            for case .bits(let bits) in values { packed.bits(scalar.wire(ofValue: bits), scalar.wireType) }
            writer.tag(field.number, .lengthPrefixed)
            writer.lengthPrefixed(packed.bytes)
        case .map(let entries):
            guard case .map(let key) = field.cardinality else { return }
            for entry in entries {
                var inner = WireWriter()
                write(entry.key, 1, .scalar(key), to: &inner)
                write(entry.value, 2, field.type, to: &inner)
                writer.tag(field.number, .lengthPrefixed)
                writer.lengthPrefixed(inner.bytes)
            }
        }
    }

    private func write(
        _ value: MessageValue.Value, _ number: UInt32, _ type: FieldDescriptor.ValueType, to writer: inout WireWriter
    ) {
        switch value {
        case .bits(let bits):
            guard let scalar = type.scalarOnWire else { return }
            writer.tag(number, scalar.wireType)
            writer.bits(scalar.wire(ofValue: bits), scalar.wireType)
        case .bytes(let bytes):
            writer.tag(number, .lengthPrefixed)
            writer.lengthPrefixed(bytes)
        case .message(let message):
            guard case .message(let index) = type else { return }
            var inner = WireWriter()
            write(message, set.messages[index], to: &inner)
            writer.tag(number, .lengthPrefixed)
            writer.lengthPrefixed(inner.bytes)
        }
    }
}

extension MessageValue.Value {
    /// Whether it equals the value that an absent proto3 field reads as. The double -0.0 doesn't.
    var isZero: Bool {
        switch self {
        case .bits(let bits): bits == 0
        case .bytes(let bytes): bytes.isEmpty
        case .message: false
        }
    }
}

extension FieldDescriptor.ValueType {
    /// The scalar type as which a single value is encoded, `int32` for an enum; `nil` for a message.
    var scalarOnWire: ScalarType? {
        switch self {
        case .scalar(let scalar): scalar
        case .enumeration: .int32
        case .message, .unsupported: nil
        }
    }
}
