import CMarqueeProto

@testable import MarqueeWire

/// Everything that a C form holds, read by the offsets in its descriptor.
enum FormDump: Equatable {
    case absent
    case number(UInt64)
    /// A text without its NUL, or bytes.
    case bytes([UInt8])
    case list([FormDump])
    /// The fields in the descriptor's order.
    case message([FormDump])

    init(_ message: UnsafeRawPointer) {
        let descriptor = message.load(as: ProtobufCMessage.self).descriptor.pointee
        let fields = UnsafeBufferPointer(start: descriptor.fields, count: Int(descriptor.n_fields))
        self = .message(
            fields.map { field in
                let place = message + Int(field.offset)
                guard field.label == PROTOBUF_C_LABEL_REPEATED else {
                    guard field.quantifier_offset == 0 || Self.flag(field, message) != 0 else { return .absent }
                    return Self.value(field, place)
                }
                let count = message.load(fromByteOffset: Int(field.quantifier_offset), as: Int.self)
                guard count > 0, let list = place.load(as: UnsafeRawPointer?.self) else {
                    return count == 0 ? .list([]) : .absent
                }
                return .list((0..<count).map { Self.value(field, list + $0 * field.type.sizeInC) })
            })
    }

    private static func flag(_ field: ProtobufCFieldDescriptor, _ message: UnsafeRawPointer) -> protobuf_c_boolean {
        message.load(fromByteOffset: Int(field.quantifier_offset), as: protobuf_c_boolean.self)
    }

    private static func value(_ field: ProtobufCFieldDescriptor, _ place: UnsafeRawPointer) -> FormDump {
        switch field.type {
        case PROTOBUF_C_TYPE_STRING:
            guard let text = place.load(as: UnsafePointer<CChar>?.self) else { return .absent }
            return .bytes(Array(String(cString: text).utf8))
        case PROTOBUF_C_TYPE_BYTES:
            let data = place.load(as: ProtobufCBinaryData.self)
            return .bytes(Array(UnsafeBufferPointer(start: data.data, count: data.len)))
        case PROTOBUF_C_TYPE_MESSAGE:
            return place.load(as: UnsafeRawPointer?.self).map(FormDump.init) ?? .absent
        default:
            return .number(field.type.sizeInC == 8 ? place.load(as: UInt64.self) : UInt64(place.load(as: UInt32.self)))
        }
    }
}
