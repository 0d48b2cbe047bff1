package import CMarqueeProto

/// The messages that a schema declares, read from the descriptors that protobuf-c generated, so there is no second copy
/// to keep in sync.
package enum BodySchema {
    package struct Message: Hashable, Sendable {
        /// Including the package, such as `marquee.v1.CardBody`.
        package var fullName: String
        /// Ascending by number.
        package var fields: [Field]
    }

    package struct Field: Hashable, Sendable {
        package var name: String
        package var number: UInt32
        package var type: FieldType
        package var isRepeated: Bool
        package var isPacked: Bool
    }

    package enum FieldType: Hashable, Sendable {
        /// The type's number in a protobuf descriptor.
        case scalar(UInt8)
        /// The message's full name.
        case message(String)
    }

    /// The name of the image message, whose field `role` names the part of an item that it shows.
    package static let image = name(of: Proto.Image.descriptor)

    /// The names of the body messages of cards and of items of kind `other`.
    package static let card = name(of: Proto.CardBody.descriptor)
    package static let other = name(of: Proto.OtherBody.descriptor)

    /// All messages of marquee.proto.
    package static let messages = messages(of: Proto.descriptors)

    /// The messages of these generated descriptors.
    package static func messages(of descriptors: [UnsafePointer<ProtobufCMessageDescriptor>]) -> [Message] {
        descriptors.map { descriptor in
            let fields = UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
            return Message(
                fullName: name(of: descriptor), fields: fields.compactMap(field).sorted { $0.number < $1.number })
        }
    }

    package static func name(of descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> String {
        String(cString: descriptor.pointee.name)
    }

    private static func field(_ field: ProtobufCFieldDescriptor) -> Field? {
        let type: FieldType
        if field.type == PROTOBUF_C_TYPE_MESSAGE, let message = field.descriptor {
            type = .message(name(of: message.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)))
        } else if let scalar = scalars.first(where: { $0.type == field.type }) {
            type = .scalar(scalar.number)
        } else {
            // The schema has no enums.
            return nil
        }
        return Field(
            name: String(cString: field.name), number: field.id, type: type,
            isRepeated: field.label == PROTOBUF_C_LABEL_REPEATED,
            isPacked: field.flags & UInt32(PROTOBUF_C_FIELD_FLAG_PACKED.rawValue) != 0)
    }

    private static let scalars: [(type: ProtobufCType, number: UInt8)] = [
        (PROTOBUF_C_TYPE_DOUBLE, 1), (PROTOBUF_C_TYPE_FLOAT, 2), (PROTOBUF_C_TYPE_INT64, 3),
        (PROTOBUF_C_TYPE_UINT64, 4), (PROTOBUF_C_TYPE_INT32, 5), (PROTOBUF_C_TYPE_FIXED64, 6),
        (PROTOBUF_C_TYPE_FIXED32, 7), (PROTOBUF_C_TYPE_BOOL, 8), (PROTOBUF_C_TYPE_STRING, 9),
        (PROTOBUF_C_TYPE_BYTES, 12), (PROTOBUF_C_TYPE_UINT32, 13), (PROTOBUF_C_TYPE_SFIXED32, 15),
        (PROTOBUF_C_TYPE_SFIXED64, 16), (PROTOBUF_C_TYPE_SINT32, 17), (PROTOBUF_C_TYPE_SINT64, 18),
    ]
}
