#if PROTOBUF_C
    import CMarqueeProto
    import CProtobufCLayout
    import Testing

    /// Compares the types that generated code is compiled with to those of the installed libprotobuf-c.
    @Suite struct ProtobufLayoutTests {
        private typealias Field = ProtobufCFieldDescriptor
        private typealias Message = ProtobufCMessageDescriptor
        private typealias Unknown = ProtobufCMessageUnknownField

        @Test func `Types have the layout and the numbers of libprotobuf-c`() {
            let theirs = (0..<protobuf_c_layout_count()).map { protobuf_c_layout($0) }
            #expect(ours == theirs)
        }

        private var ours: [Int?] {
            fields + messages
                + [
                    MemoryLayout<Unknown>.size, offset(\Unknown.tag), offset(\Unknown.wire_type), offset(\Unknown.len),
                    offset(\Unknown.data),
                    MemoryLayout<ProtobufCBinaryData>.size, offset(\ProtobufCBinaryData.len),
                    offset(\ProtobufCBinaryData.data),
                    MemoryLayout<ProtobufCIntRange>.size, offset(\ProtobufCIntRange.orig_index),
                    MemoryLayout<ProtobufCAllocator>.size, offset(\ProtobufCAllocator.free),
                    offset(\ProtobufCAllocator.allocator_data),
                    MemoryLayout<protobuf_c_boolean>.size, Int(PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC),
                ] + numbers.map { Int($0) }
        }

        private var fields: [Int?] {
            [
                MemoryLayout<Field>.size, offset(\Field.name), offset(\Field.id), offset(\Field.label),
                offset(\Field.type), offset(\Field.quantifier_offset), offset(\Field.offset), offset(\Field.descriptor),
                offset(\Field.default_value), offset(\Field.flags),
            ]
        }

        private var messages: [Int?] {
            [
                MemoryLayout<Message>.size, offset(\Message.magic), offset(\Message.name), offset(\Message.short_name),
                offset(\Message.sizeof_message), offset(\Message.n_fields), offset(\Message.fields),
                offset(\Message.n_field_ranges), offset(\Message.field_ranges), offset(\Message.message_init),
                MemoryLayout<ProtobufCMessage>.size, offset(\ProtobufCMessage.n_unknown_fields),
                offset(\ProtobufCMessage.unknown_fields),
            ]
        }

        private var numbers: [UInt32] {
            [
                PROTOBUF_C_LABEL_OPTIONAL.rawValue, PROTOBUF_C_LABEL_REPEATED.rawValue,
                PROTOBUF_C_FIELD_FLAG_PACKED.rawValue, PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue,
                PROTOBUF_C_TYPE_INT32.rawValue, PROTOBUF_C_TYPE_UINT32.rawValue, PROTOBUF_C_TYPE_INT64.rawValue,
                PROTOBUF_C_TYPE_UINT64.rawValue, PROTOBUF_C_TYPE_FIXED32.rawValue, PROTOBUF_C_TYPE_FIXED64.rawValue,
                PROTOBUF_C_TYPE_FLOAT.rawValue, PROTOBUF_C_TYPE_DOUBLE.rawValue, PROTOBUF_C_TYPE_BOOL.rawValue,
                PROTOBUF_C_TYPE_ENUM.rawValue, PROTOBUF_C_TYPE_STRING.rawValue, PROTOBUF_C_TYPE_BYTES.rawValue,
                PROTOBUF_C_TYPE_MESSAGE.rawValue,
            ]
        }

        private func offset<Root>(_ member: PartialKeyPath<Root>) -> Int? { MemoryLayout<Root>.offset(of: member) }
    }
#endif
