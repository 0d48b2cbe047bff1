internal import CMarqueeProto
internal import CProtobufC
package import MarqueeModel

/// The messages of item bodies, as the schema declares them: read from what protobuf-c generated, so that there is one
/// schema and nothing to keep in step with it.
package enum BodySchema {
    package struct Message: Hashable, Sendable {
        /// With the package: `marquee.v1.MovieBody`.
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
        /// By the number that descriptors of protobuf give it.
        case scalar(UInt8)
        /// By its full name.
        case message(String)
    }

    /// The kinds whose bodies hold content of an app, with their names in programmes and the messages of their bodies.
    package static let kinds: [(name: String, kind: ItemKind, message: String)] = [
        ("movie", .movie, name(of: Proto.MovieBody.descriptor)),
        ("genre", .genre, name(of: Proto.GenreBody.descriptor)),
        ("credit", .credit, name(of: Proto.CreditBody.descriptor)),
        ("banner", .banner, name(of: Proto.BannerBody.descriptor)),
        ("text", .text, name(of: Proto.TextBody.descriptor)),
        ("course", .course, name(of: Proto.CourseBody.descriptor)),
        ("categories", .categories, name(of: Proto.CategoriesBody.descriptor)),
        ("detail", .detail, name(of: Proto.DetailBody.descriptor)),
        ("chart-entry", .chartEntry, name(of: Proto.ChartEntryBody.descriptor)),
        ("place", .place, name(of: Proto.PlaceBody.descriptor)),
    ]

    /// The message of images; its field `role` says which part of an item it shows.
    package static let image = name(of: Proto.Image.descriptor)

    /// These messages, and all others of the schema.
    package static let messages: [Message] = Proto.descriptors.map { descriptor in
        let fields = UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
        return Message(
            fullName: name(of: descriptor), fields: fields.compactMap(field).sorted { $0.number < $1.number })
    }

    private static func name(of descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> String {
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
