import CMarqueeProto

@testable import MarqueeModel
@testable import MarqueeWire

/// Dumps a message's fields by schema name, read from its bytes: 64-bit numbers as decimal text, bytes as hex.
enum FieldDump {
    static func fields(
        _ bytes: [UInt8], of descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws -> JSONValue {
        try bytes.withUnsafeBytes { try fields($0, of: descriptor) }
    }

    private static func fields(
        _ bytes: UnsafeRawBufferPointer, of descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        guard var reader = RecordReader(bytes) else { return .object([:]) }
        while let record = try reader.next() {
            let all = UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
            guard let index = all.firstIndex(where: { $0.id == record.number }), let start = all.baseAddress else {
                continue
            }
            let field = start + index
            let values = try values(record, field)
            let name = String(cString: field.pointee.name)
            if field.pointee.label == PROTOBUF_C_LABEL_REPEATED {
                members[name] = .list((members[name]?.list ?? []) + values)
            } else {
                members[name] = values.last
            }
        }
        return .object(members)
    }

    private static func values(
        _ record: WireRecord, _ field: UnsafePointer<ProtobufCFieldDescriptor>
    ) throws -> [JSONValue] {
        let type = field.pointee.type
        switch type {
        case PROTOBUF_C_TYPE_STRING: return [.text(String(decoding: record.payload, as: UTF8.self))]
        case PROTOBUF_C_TYPE_BYTES: return [.hex(Array(record.payload))]
        case PROTOBUF_C_TYPE_MESSAGE:
            let nested = field.pointee.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
            return [try fields(record.payload, of: nested)]
        case PROTOBUF_C_TYPE_FIXED64:
            return [.text(String(UInt64(littleEndian: record.payload.loadUnaligned(as: UInt64.self))))]
        case PROTOBUF_C_TYPE_DOUBLE:
            return [.number(Double(bitPattern: UInt64(littleEndian: record.payload.loadUnaligned(as: UInt64.self))))]
        default:
            var values: [JSONValue] = []
            guard var place = record.payload.baseAddress else { return values }
            let end = place + record.payload.count
            while place < end {
                let value = try Varints.read(&place, end, maximumBytes: Varints.maximumBytes)
                switch type {
                case PROTOBUF_C_TYPE_BOOL: values.append(.bool(value != 0))
                case PROTOBUF_C_TYPE_UINT64: values.append(.text(String(value)))
                default: values.append(.number(Double(UInt32(truncatingIfNeeded: value))))
                }
            }
            return values
        }
    }
}
