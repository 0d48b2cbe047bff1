internal import CMarqueeProto

/// How values of a type look in C and on the wire. The schema's test checks that it uses no other types: no enums, and
/// no numbers with the sign in the lowest bit.
extension ProtobufCType {
    /// The wire type of one value.
    @inline(__always)
    var wireType: WireType {
        // Texts, bytes and messages come last in the enum and are the most frequent.
        guard rawValue < PROTOBUF_C_TYPE_STRING.rawValue else { return .lengthPrefixed }
        return switch self {
        case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE: .fixed64
        case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT: .fixed32
        default: .varint
        }
    }

    /// Bytes of one value in C.
    @inline(__always)
    var sizeInC: Int {
        switch self {
        case PROTOBUF_C_TYPE_BYTES: MemoryLayout<ProtobufCBinaryData>.stride
        case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_MESSAGE: MemoryLayout<UnsafeRawPointer>.stride
        case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64,
            PROTOBUF_C_TYPE_DOUBLE:
            MemoryLayout<UInt64>.stride
        default: MemoryLayout<UInt32>.stride
        }
    }
}
