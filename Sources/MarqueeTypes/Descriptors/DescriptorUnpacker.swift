internal import CMarqueeDescriptors
internal import CProtobufRuntime
internal import Foundation

/// Reads the bytes of a descriptor set with protobuf-c, and copies the values out of its C structs.
///
/// Some things that protobuf-c leaves unbounded are bounded here: memory per call by the allocator, the depth of nested
/// declarations by unpacking each level in a call of its own, and counts while copying.
struct DescriptorUnpacker {
    private typealias C = DescriptorUnpacker
    private var messages = 0
    private var fields = 0
    private var enumerations = 0
    private var enumerationValues = 0

    /// The files of a set, in their order.
    static func files(of set: [UInt8]) throws(DescriptorError) -> [RawFile] {
        guard set.count <= DescriptorLimits.setBytes else {
            throw DescriptorError(
                "a descriptor set of \(set.count) bytes; at most \(DescriptorLimits.setBytes) are allowed")
        }
        var unpacker = DescriptorUnpacker()
        let parts = try unpack(set, Marquee__Descriptors__FileSet.self) {
            (set) throws(DescriptorError) in
            guard set.n_file <= DescriptorLimits.files else {
                throw DescriptorError("\(set.n_file) files; at most \(DescriptorLimits.files) are allowed")
            }
            return C.byteStrings(set.n_file, set.file)
        }
        guard !parts.isEmpty else {
            throw DescriptorError(
                "this is not a descriptor set: it holds no file; protoc --descriptor_set_out makes one")
        }
        var files: [RawFile] = []
        for part in parts { files.append(try unpacker.file(part)) }
        return files
    }

    // MARK: - Declarations

    private mutating func file(_ bytes: [UInt8]) throws(DescriptorError) -> RawFile {
        var (file, messages) = try C.unpack(
            bytes, Marquee__Descriptors__File.self
        ) { (wire) throws(DescriptorError) in
            var file = RawFile()
            file.name = try C.text(wire.has_name, wire.name)
            file.package = try C.text(wire.has_package, wire.package)
            file.syntax = try C.text(wire.has_syntax, wire.syntax)
            file.enumerations = try self.enumerations(wire.n_enum_type, wire.enum_type)
            file.extensions = try self.fields(wire.n_extension, wire.extension)
            try C.count(&self.messages, wire.n_message_type, DescriptorLimits.messages, "messages")
            return (file, C.byteStrings(wire.n_message_type, wire.message_type))
        }
        for message in messages { file.messages.append(try self.message(message, depth: 1)) }
        return file
    }

    private mutating func message(_ bytes: [UInt8], depth: Int) throws(DescriptorError) -> RawMessage {
        guard depth <= DescriptorLimits.nesting else {
            throw DescriptorError("more than \(DescriptorLimits.nesting) messages are declared inside each other")
        }
        var (message, nested, options) = try C.unpack(
            bytes, Marquee__Descriptors__Message.self
        ) { (wire) throws(DescriptorError) in
            var message = RawMessage()
            message.name = try C.text(wire.has_name, wire.name)
            guard wire.n_field <= DescriptorLimits.messageFields else {
                throw DescriptorError(
                    "the message \(message.name) has \(wire.n_field) fields; at most \(DescriptorLimits.messageFields) "
                        + "are allowed")
            }
            message.fields = try self.fields(wire.n_field, wire.field)
            message.enumerations = try self.enumerations(wire.n_enum_type, wire.enum_type)
            message.extensions = try self.fields(wire.n_extension, wire.extension)
            guard wire.n_oneof_decl <= DescriptorLimits.oneofs else {
                throw DescriptorError("the message \(message.name) has more than \(DescriptorLimits.oneofs) oneofs")
            }
            for index in 0..<wire.n_oneof_decl {
                guard let oneof = wire.oneof_decl?[index] else { continue }
                message.oneofs.append(try C.text(oneof.pointee.has_name, oneof.pointee.name))
            }
            try C.count(&self.messages, wire.n_nested_type, DescriptorLimits.messages, "messages")
            return (
                message, C.byteStrings(wire.n_nested_type, wire.nested_type), C.bytes(wire.has_options, wire.options)
            )
        }
        if let options {
            (message.isMapEntry, message.isMessageSet) = try C.unpack(
                options, Marquee__Descriptors__MessageOptions.self
            ) { (wire) throws(DescriptorError) in
                (
                    wire.has_map_entry != 0 && wire.map_entry != 0,
                    wire.has_message_set_wire_format != 0 && wire.message_set_wire_format != 0
                )
            }
        }
        for part in nested { message.nested.append(try self.message(part, depth: depth + 1)) }
        return message
    }

    private mutating func fields(
        _ count: Int, _ list: UnsafeMutablePointer<UnsafeMutablePointer<Marquee__Descriptors__Field>?>?
    ) throws(DescriptorError) -> [RawField] {
        try C.count(&fields, count, DescriptorLimits.fields, "fields")
        var result: [RawField] = []
        for index in 0..<count {
            guard let wire = list?[index]?.pointee else { continue }
            var field = RawField()
            field.name = try C.text(wire.has_name, wire.name)
            field.extendee = try C.text(wire.has_extendee, wire.extendee)
            field.number = wire.has_number != 0 ? wire.number : 0
            field.label = wire.has_label != 0 ? wire.label : 0
            field.type = wire.has_type != 0 ? wire.type : 0
            field.typeName = try C.text(wire.has_type_name, wire.type_name)
            field.defaultValue = C.bytes(wire.has_default_value, wire.default_value)
            field.oneof = wire.has_oneof_index != 0 ? wire.oneof_index : nil
            field.jsonName = try C.text(wire.has_json_name, wire.json_name)
            field.isProto3Optional = wire.has_proto3_optional != 0 && wire.proto3_optional != 0
            if let options = C.bytes(wire.has_options, wire.options) {
                field.isPacked = try C.unpack(
                    options, Marquee__Descriptors__FieldOptions.self
                ) { (wire) throws(DescriptorError) in wire.has_packed != 0 ? wire.packed != 0 : nil }
            }
            result.append(field)
        }
        return result
    }

    private mutating func enumerations(
        _ count: Int, _ list: UnsafeMutablePointer<UnsafeMutablePointer<Marquee__Descriptors__Enumeration>?>?
    ) throws(DescriptorError) -> [RawEnumeration] {
        try C.count(&enumerations, count, DescriptorLimits.enumerations, "enums")
        var result: [RawEnumeration] = []
        for index in 0..<count {
            guard let wire = list?[index]?.pointee else { continue }
            var enumeration = RawEnumeration()
            enumeration.name = try C.text(wire.has_name, wire.name)
            try C.count(&enumerationValues, wire.n_value, DescriptorLimits.enumerationValues, "values of enums")
            for index in 0..<wire.n_value {
                guard let value = wire.value?[index]?.pointee else { continue }
                enumeration.values.append(
                    EnumDescriptor.Value(
                        name: try C.text(value.has_name, value.name), number: value.has_number != 0 ? value.number : 0))
            }
            result.append(enumeration)
        }
        return result
    }

    private static func count(
        _ total: inout Int, _ more: Int, _ limit: Int, _ what: String
    ) throws(DescriptorError) {
        // No overflow: both are bounded by the bytes of the set.
        total += more
        guard total <= limit else { throw DescriptorError("more than \(limit) \(what)") }
    }

    // MARK: - protobuf-c

    /// Unpacks `bytes` and lends the C struct to `body`; its memory is freed when the call returns.
    private static func unpack<Wire: DescriptorMessage, Result>(
        _ bytes: [UInt8], _ type: Wire.Type,
        _ body: (Wire) throws(DescriptorError) -> Result
    ) throws(DescriptorError) -> Result {
        let budget = MemoryBudget(DescriptorLimits.unpackedBytes)
        return try withExtendedLifetime(budget) { () throws(DescriptorError) in
            var allocator = budget.allocator
            guard let message = protobuf_c_message_unpack(Wire.descriptor, &allocator, bytes.count, bytes) else {
                if budget.isExhausted {
                    throw DescriptorError(
                        "the descriptor set would take more than \(DescriptorLimits.unpackedBytes) bytes of memory")
                }
                throw DescriptorError("this is not a descriptor set: its bytes are malformed or cut off")
            }
            defer { protobuf_c_message_free_unpacked(message, &allocator) }
            return try body(UnsafeRawPointer(message).assumingMemoryBound(to: Wire.self).pointee)
        }
    }

    private static func byteStrings(_ count: Int, _ list: UnsafeMutablePointer<ProtobufCBinaryData>?) -> [[UInt8]] {
        guard let list else { return [] }
        return (0..<count).map { [UInt8](UnsafeBufferPointer(start: list[$0].data, count: list[$0].len)) }
    }

    private static func bytes(_ has: protobuf_c_boolean, _ data: ProtobufCBinaryData) -> [UInt8]? {
        has == 0 ? nil : [UInt8](UnsafeBufferPointer(start: data.data, count: data.len))
    }

    /// Reads a name; empty if it is absent.
    private static func text(
        _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData
    ) throws(DescriptorError) -> String {
        guard let bytes = bytes(has, data) else { return "" }
        guard bytes.count <= DescriptorLimits.nameBytes else {
            throw DescriptorError("a name of \(bytes.count) bytes; at most \(DescriptorLimits.nameBytes) are allowed")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(where: { $0 < 0x20 }) else {
            throw DescriptorError("a name in the descriptor set is not text")
        }
        return text
    }
}
